"""Every rule leads somewhere: to the code that keeps it, a case that shows it, or a reason why to neither."""

from __future__ import annotations

import json
import re
from fnmatch import fnmatch
from pathlib import Path

import pytest

from engine import registry
from tests.games.test_rules_texts import ITEM, RULE, TOLD, rules

TESTS = Path(__file__).parent
KINDS = (".py", ".js", ".json")
SPAN = re.compile(rf"({RULE.pattern}) to ({RULE.pattern})")
WIDEST = 10  # a wider span names a chapter, not what keeps each of its rules
NAMED = re.compile(r"`([a-z][\w*-]+)`")

# Rules that nothing keeps, because they only tell: each with the reason.
DEFINITIONS = {
    "tides-of-time": {
        "TT-3": "the aim in one sentence; TT-20, TT-29 and TT-57 say it piece by piece",
        "TT-4": "how long a match is; it follows from the rest",
        "TT-69": "grammar of the printed cards; the suits are data",
    },
    "machi-koro": {},
    "akropolis": {
        "AK-01": "what the game is about",
        "AK-02": "the turn in one sentence; the rules of section 4 say it piece by piece",
        "AK-04": "the aim in one sentence; sections 6 and 7 say it piece by piece",
        "AK-14": "what lies in the box without a meaning in the rules",
        "AK-A20": "a client may draw the row as it likes",
    },
    "babylonia": {},
    "world-wonders": {},
}


def blocks(key: str) -> dict[str, str]:
    """Each rule's id with the block that tells it."""
    found = [(TOLD.match(ITEM.sub("", text)), text) for _, text in rules(key, "rules.md")]
    return {match[1]: text for match, text in found if match}


def cited(text: str) -> set[str]:
    """The ids in a text, and those inside of short spans.

    >>> sorted(cited("MK-21 to MK-23, AK-A2; MK-30 to MK-60"))
    ['AK-A2', 'MK-21', 'MK-22', 'MK-23', 'MK-30', 'MK-60']
    """
    found = set(RULE.findall(text))
    for first, last in SPAN.findall(text):
        stem, low = re.fullmatch(r"(.*?)(\d+)", first).groups()  # type: ignore[union-attr]
        high = int(re.fullmatch(r".*?(\d+)", last)[1])  # type: ignore[index]
        if high - int(low) < WIDEST:
            found |= {f"{stem}{number:0{len(low)}}" for number in range(int(low), high + 1)}
    return found


def folder(key: str) -> Path:
    """Where a game lies."""
    return Path(registry.part(key, "").__path__[0])


def texts(folder: Path) -> str:
    paths = [path for path in sorted(folder.rglob("*")) if path.suffix in KINDS]
    return "\n".join(path.read_text(encoding="utf-8") for path in paths)


def cases(folder: Path) -> set[str]:
    files = [json.loads(path.read_text(encoding="utf-8")) for path in (folder / "cases").glob("*.json")]
    return {case.get("name", "") for data in files for case in data["cases"]}


def shown(text: str, names: set[str]) -> bool:
    """A worked example leads to the cases that it names."""
    return any(fnmatch(name, wanted) for wanted in NAMED.findall(text) for name in names)


@pytest.mark.parametrize("key", registry.GAMES)
def test_every_rule_is_kept_shown_or_a_definition(key: str) -> None:
    tests = TESTS / key.replace("-", "_")
    known = cited(texts(folder(key))) | cited(texts(tests))
    names, told = cases(tests), blocks(key)
    lost = [rule for rule, text in told.items() if rule not in known and not shown(text, names)]
    assert sorted(lost) == sorted(DEFINITIONS.get(key, {})), (
        "cite it where it is kept, or say why nothing keeps it"
    )


@pytest.mark.parametrize("key", registry.GAMES)
def test_nothing_cites_a_rule_that_is_not_told(key: str) -> None:
    told = blocks(key)
    stem = next(iter(told)).partition("-")[0]
    found = {rule for rule in RULE.findall(texts(folder(key))) if rule.startswith(f"{stem}-")}
    assert sorted(found - set(told)) == []
