"""The curated mutants fit the code as it is, and every promise has one. What tests see: `make mutants`."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine import events, registry
from tests.mutants import curated
from tests.mutants.mutant import TREE, changed

ROWS = (*curated.EVENTS, *curated.SCRIPTS, *curated.DICE, *curated.SERVICE, *curated.ROLES)
ROWS += (*curated.BOTS, *curated.GAMES)


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_a_mutant_fits_and_its_tests_are_there(row):
    mutant = changed(*row)
    if mutant.path.endswith(".py"):
        compile(mutant.source, mutant.path, "exec")
    assert [test for test in mutant.tests if not (TREE / test).exists()] == []


def test_names_are_unique():
    assert len({row[0] for row in ROWS}) == len(ROWS)


def test_every_kind_of_event_has_a_mutant():
    kinds = {kind.__struct_config__.tag for kind in events.Event.__subclasses__()}
    named = {kind for kind in kinds for row in curated.EVENTS if row[0].startswith(kind.replace("_", "-"))}
    assert kinds == named


def test_every_script_and_every_game_with_tests_of_its_own_has_a_mutant():
    paths = {row[1] for row in ROWS}
    scripts = {path.relative_to(TREE).as_posix() for path in (TREE / "infra").rglob("*.lua")}
    assert scripts <= paths
    folders = {Path(path).parent.name for path in paths}
    tested = {path.parent.name for path in (TREE / "tests/games").glob("*/test_*.py")}
    assert {key.replace("-", "_") for key in registry.GAMES} & tested <= folders


def test_every_built_in_bot_has_a_mutant():
    paths = {row[1] for row in ROWS}
    assert {"bots/random_bot.py", "bots/greedy.py", "bots/search.py"} <= paths
