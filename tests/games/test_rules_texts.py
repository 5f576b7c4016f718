"""A game's rules in Czech are its rules in English: the same blocks, ids, names and numbers."""

from __future__ import annotations

import json
import re
from collections import Counter
from itertools import groupby
from pathlib import Path

import pytest

from engine import registry
from tests.folders import folder, has, having

GOLDEN = Path(__file__).parents[1] / "golden"
ITEM = re.compile(r"\s*(-|\d+\.) ")
RULE = re.compile(r"\b[A-Z]{2}-[A-Z]?\d+[a-z]?\b")
TOLD = re.compile(rf"(?:\| |\*\*)?({RULE.pattern})")  # where a block begins with the id of the rule it tells
KEPT = {"ids": RULE, "code": re.compile(r"`[^`]+`"), "numbers": re.compile(r"\d+")}
Block = tuple[str, str]


def blocks(source: str) -> list[Block]:
    """The text as (kind, words): headings by depth, items, paragraphs, table rows, code."""
    found: list[Block] = []
    fenced = False
    for line in source.splitlines():
        kind, last = _kind(line, fenced), found[-1][0] if found else ""
        if kind == "fence":
            fenced = not fenced
        elif kind == "text" and last in ("text", "item"):
            found[-1] = (last, f"{found[-1][1]} {line.strip()}")
            continue
        found.append((kind, line.strip() if kind != "code" else line))
    return [block for block in found if block[0] not in ("gap", "fence")]


def _kind(line: str, fenced: bool) -> str:
    if line.startswith("```"):
        return "fence"
    if fenced:
        return "code"
    if line.startswith("#"):
        return line.split(" ")[0]
    if line.startswith("|"):
        return "row"
    if ITEM.match(line):
        return "item"
    return "text" if line.strip(" -") else "gap"


def rules(key: str, name: str) -> list[Block]:
    return blocks((folder(key) / name).read_text(encoding="utf-8"))


@pytest.fixture(params=having("rules.cs.md"))
def pair(request: pytest.FixtureRequest) -> list[tuple[Block, Block]]:
    english, czech = rules(request.param, "rules.md"), rules(request.param, "rules.cs.md")
    assert [kind for kind, _ in czech] == [kind for kind, _ in english], "headings, items, rows alike"
    return list(zip(english, czech, strict=True))


def told(texts: list[str]) -> list[str]:
    return [found[1] for text in texts if (found := TOLD.match(ITEM.sub("", text)))]


def test_the_same_rules_are_told_in_the_same_order(pair: list[tuple[Block, Block]]) -> None:
    english, czech = (told([block[1] for block in side]) for side in zip(*pair, strict=True))
    assert czech == english


@pytest.mark.parametrize("key", registry.GAMES)
def test_an_id_leads_to_one_place(key: str) -> None:
    ids = told([text for _, text in rules(key, "rules.md")])
    assert ids, "rules.md tells rules: blocks that begin with an id like AB-1"
    assert not [rule for rule, times in Counter(ids).items() if times > 1]


def test_every_block_keeps_its_references_names_and_numbers(pair: list[tuple[Block, Block]]) -> None:
    for (_, english), (_, czech) in pair:
        for what, pattern in KEPT.items():
            assert Counter(pattern.findall(czech)) == Counter(pattern.findall(english)), (what, czech)


def test_tables_keep_their_columns_and_code_stays(pair: list[tuple[Block, Block]]) -> None:
    for (kind, english), (_, czech) in pair:
        if kind == "row":
            assert czech.count("|") == english.count("|"), czech
        if kind == "code":
            assert czech == english


def test_nothing_is_left_in_english(pair: list[tuple[Block, Block]]) -> None:
    words = [(english, czech) for (kind, english), (_, czech) in pair if kind not in ("row", "code")]
    assert [czech for english, czech in words if czech == english] == []
    for kind, rows in groupby(pair, key=lambda both: both[0][0]):
        if kind == "row":
            (_, english), (_, czech) = next(rows)
            assert czech != english or not re.search(r"\w", english), "a table's heading"


@pytest.mark.parametrize("name", ["rules.md", "rules.cs.md"])
@pytest.mark.parametrize("key", registry.GAMES)
def test_a_line_of_a_result_leads_to_a_rule(key: str, name: str) -> None:
    if not has(key, name):
        return
    known = set(told([text for _, text in rules(key, name)]))
    cited = {line["rule"] for line in _lines(key)}
    assert cited
    assert cited <= known


def _lines(key: str) -> list[dict[str, str]]:
    """The lines of every result in the golden logs."""
    logs = (GOLDEN / key.replace("-", "_")).glob("*.ndjson")
    events = [json.loads(line) for log in logs for line in log.read_text(encoding="utf-8").splitlines()]
    results = [event["result"] for event in events if event.get("kind") == "finished"]
    return [line for result in results for lines in result["breakdown"] for line in lines]
