"""The tables of the documents that are written from the code: each stands between two marks on its page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import msgspec

from service.basics.errors import TABLE
from service.bench.scale import report
from service.bench.scale.model import Figures
from tests.docs import known

BEGIN, END = "<!-- table {}: written by `make docs` -->\n", "<!-- end of table -->\n"


def table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    lines = [list(heads), *([_cell(cell) for cell in row] for row in rows)]
    lines.insert(1, ["---"] * len(lines[0]))
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _settings(found: Iterable[known.Setting]) -> str:
    rows = ((f"`{s.name}`", f"`{s.default}`" if s.default else "", _sentence(s.what)) for s in found)
    return table(("setting", "default", "what it is"), rows)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def settings() -> str:
    return _settings(known.settings())


def quotas() -> str:
    return _settings(known.quotas())


def errors() -> str:
    """Statuses first, so that like stands by like; the sentence as people read it."""
    rows = sorted((str(text.status), f'<a id="{code}"></a>`{code}`', text.en) for code, text in TABLE.items())
    return table(("status", "code", "what it says"), rows)


def commands() -> str:
    rows = ((f"`turnlog {c.words}`", c.what, _options(c)) for c in known.commands())
    return table(("command", "what it does", "options"), rows)


def _options(command: known.CliCommand) -> str:
    return " ".join(f"`{name}`" for name in command.options if name not in ("-h", "--help"))


def metrics() -> str:
    return table(
        ("metric", "what it counts"), ((f"`{name}`", what) for name, what in known.figures().items())
    )


def _scale(name: str) -> Callable[[], str]:
    """What follows from the figures that are kept beside the page."""

    def rows() -> str:
        kept = (known.ROOT / "docs/scale.json").read_bytes()
        heads, found = report.TABLES[name](msgspec.json.decode(kept, type=Figures))
        return table(heads, found)

    return rows


TABLES: Mapping[tuple[str, str], Callable[[], str]] = {
    ("docs/hosting.md", "settings"): settings,
    ("docs/hosting.md", "quotas"): quotas,
    ("docs/hosting.md", "metrics"): metrics,
    ("docs/errors.md", "errors"): errors,
    ("docs/commands.md", "commands"): commands,
    **{("docs/scale.md", f"scale-{name}"): _scale(name) for name in report.TABLES},
}


def current(page: str, name: str, text: str) -> str:
    """The text of a page with this table as it should be. Raises ValueError if it has no place there."""
    begin = BEGIN.format(name)
    before, found, rest = text.partition(begin)
    if not found or END not in rest:
        raise ValueError(f"{page} has no place for the table {name}")
    return f"{before}{begin}\n{TABLES[page, name]()}\n{END}{rest.partition(END)[2]}"


def write(root: Path) -> list[str]:
    """Bring every page up to date; says which ones changed."""
    changed = []
    for page, name in TABLES:
        path = root / page
        old = path.read_text(encoding="utf-8")
        new = current(page, name, old)
        if new != old:
            path.write_text(new, encoding="utf-8")
            changed.append(f"{page}: {name}")
    return changed
