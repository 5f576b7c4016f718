"""What exists in the code and must have its place in the documents: read from the code itself."""

from __future__ import annotations

import argparse
import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from engine import events
from infra.process import metrics
from infra.process.bounds import Bounds
from infra.process.settings import Settings
from service.basics.errors import TABLE
from service.cli import parser
from workers.jobs import QUEUES

ROOT = Path(__file__).parents[2]
HOUSE = ("engine", "bots", "infra", "service", "workers")


class Setting(NamedTuple):
    """A variable of the environment, as infra/process/settings.py reads it."""

    name: str
    default: str
    what: str


class CliCommand(NamedTuple):
    """A command of the command line, with its options."""

    words: str
    what: str
    options: tuple[str, ...]


def kinds() -> set[str]:
    return set(events.kinds())


def queues() -> set[str]:
    return set(QUEUES)


def codes() -> dict[str, int]:
    return {code: text.status for code, text in TABLE.items()}


@cache
def settings() -> tuple[Setting, ...]:
    """In the order of the class, each with the comment beside it."""
    path = ROOT / "infra/process/settings.py"
    text = path.read_text(encoding="utf-8")
    names, remarks = _variables(ast.parse(text)), _comments(text)
    default = Settings()
    return tuple(
        Setting(names[field], _shown(getattr(default, field)), remarks.get(field, ""))
        for field in Settings.__dataclass_fields__
        if field in names
    )


def quotas() -> tuple[Setting, ...]:
    remarks = _comments((ROOT / "infra/process/bounds.py").read_text(encoding="utf-8"))
    names, default = Bounds.names(), Bounds()
    return tuple(Setting(names[f], str(getattr(default, f)), remarks.get(f, "")) for f in names)


def _variables(tree: ast.Module) -> dict[str, str]:
    """Field -> variable, from the call in `from_env`."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg:
            texts = [n.value for n in ast.walk(node.value) if isinstance(n, ast.Constant)]
            for name in texts:
                if isinstance(name, str) and name.startswith("TURNLOG_"):
                    found[node.arg] = name
    return found


def _comments(text: str) -> dict[str, str]:
    found = re.finditer(r"^    (\w+): [^#\n]+  # (.+)$", text, re.M)
    return {match[1]: match[2] for match in found}


def _shown(value: object) -> str:
    if value is None:
        return ""
    return {True: "1", False: "0"}.get(value, str(value)) if isinstance(value, bool) else str(value)


@cache
def commands() -> tuple[CliCommand, ...]:
    """All commands that do something, in the order of the help."""
    return tuple(_commands(parser(), ""))


def _commands(top: argparse.ArgumentParser, words: str) -> Iterator[CliCommand]:
    groups = [a for a in top._actions if isinstance(a, argparse._SubParsersAction)]
    if not groups:
        options = tuple(o for action in top._actions for o in action.option_strings)
        what = re.split(r"(?<=\.)\s", " ".join((top.description or "").split()))[0]
        yield CliCommand(words, what, options)
    for group in groups:
        for name, below in group.choices.items():
            yield from _commands(below, f"{words} {name}".strip())


def figures() -> dict[str, str]:
    """The metrics that are ours, with what they count."""
    found = {}
    for metric in (*metrics.REGISTRY.collect(), *metrics.HOUSE.collect()):
        if metric.name.startswith("turnlog_"):
            found[metric.name + ("_total" if metric.type == "counter" else "")] = metric.documentation
    return found


@cache
def targets() -> dict[str, bool]:
    """Targets of the Makefile that are commands."""
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    phony = re.search(r"^\.PHONY: (.+)$", text, re.M)
    assert phony, "the Makefile names no commands"
    return dict.fromkeys(phony[1].split(), True)


@cache
def key_patterns() -> tuple[str, ...]:
    """Every text in infra/store/keys.py that is, or begins, a key; what is filled in becomes `*`."""
    tree = ast.parse((ROOT / "infra/store/keys.py").read_text(encoding="utf-8"))
    parts = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    texts = [n for n in ast.walk(tree) if isinstance(n, ast.JoinedStr | ast.Constant) and id(n) not in parts]
    spelled = map(_spelled, texts)
    return tuple(sorted({text for text in spelled if text.startswith("tl:") and len(text) > 3}))


def _spelled(node: ast.JoinedStr | ast.Constant) -> str:
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    return "".join(p.value if isinstance(p, ast.Constant) else "*" for p in node.values)


@cache
def words_of_the_code() -> frozenset[str]:
    """Every word that occurs in the source: whatever the documents call by name should be among them."""
    found: set[str] = set()
    for path in (path for top in (*HOUSE, "tests") for path in (ROOT / top).rglob("*")):
        if path.suffix in (".py", ".js", ".lua", ".json", ".mjs") and "vendor" not in path.parts:
            found.update(re.findall(r"\w+", path.read_text(encoding="utf-8")))
    return frozenset(found)
