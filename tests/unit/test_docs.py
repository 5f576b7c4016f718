"""The documents cannot lie: what they name exists, and what exists has its place in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

import pytest

from infra.process.settings import Settings
from service.api.app import create_app
from service.bootstrap import wire
from tests.docs import known
from tests.docs.tables import TABLES, current
from tests.unit.test_layers import ROOMS

ROOT = known.ROOT
PAGES = (
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    *sorted(f"docs/{p.name}" for p in (ROOT / "docs").glob("*.md")),
)
NOW = tuple(page for page in PAGES if page != "CHANGELOG.md")  # a changelog may name what is gone
SOURCES = (".py", ".lua", ".md", ".js", ".mjs", ".css", ".html", ".sh", ".toml", ".txt", ".json")
OF_THE_LIBRARY = {"ssl_ca_certs"}  # parts of addresses that the client library understands
THEIRS = {
    "my_bot.py",
    "file.py",
    "FILE.py",
    "keys.json",
    "server.json",
    "proof.json",
}  # files that people or programs make


@cache
def text_of(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


@cache
def everything() -> str:
    return "\n".join(map(text_of, NOW))


def spans(page: str) -> Iterator[str]:
    """What a page writes as code: in backticks, and line by line in blocks."""
    inside = False
    for line in text_of(page).splitlines():
        if line.lstrip().startswith("```"):
            inside = not inside
        elif inside or line.startswith("    "):
            yield line.strip()
        else:
            yield from re.findall(r"`([^`]+)`", line)


def prose(page: str) -> str:
    """A page without its blocks of code."""
    return re.sub(r"^```.*?^```$", "", text_of(page), flags=re.M | re.S)


# -- tables ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("page", "name"), TABLES)
def test_tables_are_as_the_code_is(page: str, name: str) -> None:
    assert current(page, name, text_of(page)) == text_of(page), "run `make docs`"


# -- links, pictures, paths ------------------------------------------------------------------------


@pytest.mark.parametrize("page", PAGES)
def test_links_and_pictures_lead_somewhere(page: str) -> None:
    targets = re.findall(r"\]\(([^)\s]+)\)", prose(page)) + re.findall(r'(?:src|href)="([^"]+)"', prose(page))
    for target in targets:
        if re.match(r"https?:", target):
            continue
        file, _, anchor = target.partition("#")
        path = (ROOT / page).parent / file if file else ROOT / page
        assert path.exists(), f"{page} links to {target}"
        if anchor:
            assert anchor in _anchors(path), f"{page} links to {target}, and there is no such heading"


def _anchors(path: Path) -> set[str]:
    """As hosts of repositories make them of headings."""
    heads = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", NOW)
def test_every_path_exists(page: str) -> None:
    tops = "|".join((*known.HOUSE, "tests", "docs"))
    for span in spans(page):
        for path in re.findall(rf"(?:^|[\s(`'])((?:{tops})/[\w./<>*-]*)", span):
            wanted = re.sub(r"<[^>]*>", "*", path).rstrip(".")
            assert any(ROOT.glob(wanted.rstrip("/"))), f"{page} names {path}"


@pytest.mark.parametrize("page", NOW)
def test_every_file_name_exists(page: str) -> None:
    names = _file_names()
    for span in spans(page):
        for name in re.findall(
            r"(?:^|[\s`(])([\w-]+(?:/[\w-]+)*\.(?:py|lua|md|js|css|json))(?=$|[\s`):,;])", span
        ):
            assert name in THEIRS or any(n == name or n.endswith(f"/{name}") for n in names), (
                f"{page} names {name}"
            )


@cache
def _file_names() -> frozenset[str]:
    folders = [ROOT / top for top in (*known.HOUSE, "tests", "docs")]
    found = [p for folder in folders for p in folder.rglob("*") if p.suffix in SOURCES]
    return frozenset(p.relative_to(ROOT).as_posix() for p in [*found, *ROOT.glob("*.*")])


# -- settings, commands, targets -------------------------------------------------------------------


def test_every_setting_is_explained() -> None:
    for setting in (*known.settings(), *known.quotas()):
        assert setting.what, f"{setting.name} has no comment in the code: hosting.md is written from it"
        assert f"`{setting.name}`" in text_of("docs/hosting.md")
    for setting in known.quotas():
        assert setting.name in _spelled_out("docs/quotas.md"), (
            f"docs/quotas.md does not tell of {setting.name}"
        )


def _spelled_out(page: str) -> str:
    """`…_TABLES` after `TURNLOG_QUOTA_GUEST_TABLES` stands for TURNLOG_QUOTA_TABLES."""
    return text_of(page).replace("`…_", "`TURNLOG_QUOTA_")


def test_the_defaults_of_quotas_are_as_told() -> None:
    defaults = {setting.name: setting.default for setting in known.quotas()}
    for line in _spelled_out("docs/quotas.md").splitlines():
        names = re.findall(r"`(TURNLOG_QUOTA_\w+)`", line.split("|")[1]) if line.startswith("| `") else []
        if names:
            told = line.split("|")[2].replace(" ", "").split(",")
            assert told == [defaults[name] for name in names], line


@pytest.mark.parametrize("page", NOW)
def test_every_variable_that_is_named_is_read_somewhere(page: str) -> None:
    settings = {setting.name for setting in (*known.settings(), *known.quotas())}
    for name in re.findall(r"\bTURNLOG_[A-Z_]*[A-Z]\b", _spelled_out(page)):
        assert name in settings or name in known.words_of_the_code(), f"{page} names {name}"


def test_every_command_has_its_place() -> None:
    for command in known.commands():
        assert f"`turnlog {command.words}`" in text_of("docs/commands.md")


@pytest.mark.parametrize("page", NOW)
def test_every_command_that_is_named_exists(page: str) -> None:
    known_words = {command.words: command for command in known.commands()}
    groups = {words.split()[0] for words in known_words if " " in words}
    for span in spans(page):
        for said in re.findall(r"(?:^|[\s(]|bin/)turnlog ([a-z][^|;&#`$\")]*)", span):
            words = said.split()
            name = " ".join(words[:2]) if words[0] in groups and len(words) > 1 else words[0]
            if name in groups:
                continue  # a group by itself: `turnlog keys`
            assert name in known_words, f"{page}: turnlog {said}"
            for option in (word.partition("=")[0] for word in words if word.startswith("--")):
                assert option in known_words[name].options, f"{page}: turnlog {said}"


def test_targets_of_make_have_their_place_and_exist() -> None:
    told = set()
    for page in NOW:
        for span in spans(page):
            told.update(re.findall(r"(?:^|&& |; )make ([a-z][a-z-]*)", span))
    assert told == set(known.targets()), "CONTRIBUTING.md lists them"


# -- events, queues, keys --------------------------------------------------------------------------


def _column(page: str, heading: str, head: str) -> set[str]:
    """The names in backticks of the first column of the table under a heading."""
    section = text_of(page).partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    rows = section.partition(f"| {head} |")[2].partition("\n\n")[0].splitlines()[2:]
    return {name for row in rows for name in re.findall(r"`([^`]+)`", row.split("|")[1])}


def test_every_kind_of_event_is_told() -> None:
    assert _column("docs/architecture.md", "Events", "kind") == known.kinds()


def test_every_room_is_told() -> None:
    section = text_of("docs/architecture.md").partition("## Rooms")[2].partition("\n## ")[0]
    told = set(re.findall(r"`(\w+)(?:/|\.py)", section))
    for folder, rooms in ROOMS.items():
        missing = set(rooms) - told - {"app"}  # the application itself, which wires the rooms of the API
        assert not missing, f"nothing is said of {missing} in {folder}/"


def test_every_queue_is_told() -> None:
    assert _column("docs/architecture.md", "Roles and queues", "queue") == known.queues()
    for named in re.findall(r"--queues ([a-z,-]+)", everything()):
        assert set(named.split(",")) <= known.queues(), named


def test_every_key_of_the_store_is_told() -> None:
    told = {re.sub(r"<\w+>", "*", key) for key in _column("docs/architecture.md", "The store", "key")}
    for key in known.key_patterns():
        assert any(name.startswith(key) or fnmatch(key, name) or fnmatch(name, key) for name in told), (
            f"{key} is not told"
        )
    for name in told:
        assert any(name.startswith(key) or fnmatch(name, key) for key in known.key_patterns()), name


# -- errors, figures, names ------------------------------------------------------------------------


@pytest.mark.parametrize("page", NOW)
def test_codes_beside_a_status_are_errors_of_that_status(page: str) -> None:
    codes = known.codes()
    for status, listed in re.findall(r"\b([45]\d\d) ((?:`[a-z_]+`(?:, )?)+)", prose(page)):
        for code in re.findall(r"`([a-z_]+)`", listed):
            assert codes.get(code) == int(status), f"{page}: {status} {code}"


def test_every_figure_is_told_and_exists() -> None:
    named = set(re.findall(r"\bturnlog_[a-z_]+", everything()))
    assert named == set(known.figures())


@pytest.mark.parametrize("page", NOW)
def test_every_name_occurs_in_the_code(page: str) -> None:
    """Codes, events, fields and functions: whatever a page writes like_this is a word of the code."""
    words = {
        *known.words_of_the_code(),
        *known.figures(),
        *OF_THE_LIBRARY,
        *(name.partition(".")[0] for name in THEIRS),
    }
    for span in re.findall(r"`([^`\n]+)`", prose(page)):
        for name in re.findall(r"(?<!<)\b[a-z]+(?:_[a-z]+)+\b(?!\.\w)", span):
            assert name in words, f"{page} names {name}"


# -- routes ----------------------------------------------------------------------------------------


@cache
def _operations() -> frozenset[tuple[str, str]]:
    """What the OpenAPI document lists; nothing is connected for that."""
    document = create_app(wire(Settings(given_secret="a secret of tests"), "redis://127.0.0.1:1")).openapi()
    return frozenset(
        (method.upper(), re.sub(r"{\w+}", "{}", path))
        for path, ways in document["paths"].items()
        for method in ways
    )


@pytest.mark.parametrize("page", NOW)
def test_every_route_that_is_named_exists(page: str) -> None:
    """`…/pause` is short for one that ends so, `/matches` for `/api/matches`."""
    for method, said in re.findall(r"\b(GET|POST|PUT|PATCH|DELETE) ([/…][^\s`),;?\[]*)", text_of(page)):
        path = re.sub(r"{\w+}", "{}", said)
        if path.endswith("/") or path == "…":
            continue  # a line of a drawing that goes on below; the match itself
        found = [p for m, p in _operations() if m == method and p.endswith(path.removeprefix("…"))]
        assert (path.startswith("…") and found) or {path, f"/api{path}"} & {*found}, (
            f"{page}: {method} {said}"
        )


def test_the_changelog_says_each_thing_once_under_one_heading():
    for version in re.split(r"^## ", text_of("CHANGELOG.md"), flags=re.M)[1:]:
        headings = re.findall(r"^### (.+)$", version, re.M)
        lines = [line[:60] for line in version.splitlines() if line.startswith("- ")]
        assert headings == sorted(set(headings)), version.splitlines()[0]  # Added, Changed, Fixed
        assert [line for line in lines if lines.count(line) > 1] == []
        assert not re.search(r"\A[^\n]*\n+- ", version), "a line without a heading"
