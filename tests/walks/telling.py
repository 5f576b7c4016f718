"""The walks as docs/architecture.md tells them: each step as a list of files, with what a file says it is."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from tests.walks.walking import Walk

PAGE = "docs/architecture.md"
BEGIN, END = "<!-- walks: written by `make docs` -->\n", "<!-- end of walks -->\n"
BASEMENT = re.compile(  # what everybody stands on: told once, not at every step
    r"engine/(identity|registry|codec|match)\.py|engine/kit/.*|infra/process/.*|infra/store/(keys|redis|scripts)\.py"
    r"|service/(bootstrap|basics/.*|memory/origins|api/frame/(visit|queries))(\.py)?|workers/(runtime|jobs)\.py"
)


def files(walk: Walk) -> list[tuple[str, list[str]]]:
    """Each step with the files worth telling."""
    return [(name, [f for f in trace.files if not BASEMENT.fullmatch(f)]) for name, trace in walk.steps]


def told(root: Path, walks: list[Walk]) -> str:
    """All walks as the page has them; what a file is stands where it comes first."""
    parts, known = [], set[str]()
    for walk in walks:
        parts.append(f"### {walk.title}\n")
        for name, reached in files(walk):
            lines = [
                f"{n}. `{file}`" + ("" if file in known else f": {_says(root / file)}")
                for n, file in enumerate(reached, 1)
            ]
            known.update(reached)
            parts.append("\n".join([f"**{name[0].upper()}{name[1:]}**\n", *lines, ""]))
    return "\n".join(parts)


def _says(path: Path) -> str:
    """The first sentence of a file about itself."""
    if path.is_dir():
        return "the rules of the game that is played."
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    sentence = re.split(r"(?<=[.?!])\s", " ".join(text.split("\n\n")[0].split()))[0]
    return sentence[0].lower() + sentence[1:] if sentence[1:2].islower() else sentence


def listed(page: str) -> dict[tuple[str, str], set[str]]:
    """What the page lists, by walk and step."""
    found: dict[tuple[str, str], set[str]] = {}
    walk = step = ""
    for line in page.partition(BEGIN)[2].partition(END)[0].splitlines():
        if line.startswith("### "):
            walk = line[4:]
        elif line.startswith("**"):
            step = line.strip("*")
            found[walk, step] = set()
        elif match := re.match(r"\d+\. `([^`]+)`", line):
            found[walk, step].add(match[1])
    return found


def written(page: str, text: str) -> str:
    """The page with these walks in their place."""
    before, _, rest = page.partition(BEGIN)
    return f"{before}{BEGIN}\n{text}\n{END}{rest.partition(END)[2]}"
