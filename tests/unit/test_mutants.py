"""The curated mutants fit the code as it is, and every promise has one. What tests see: `make mutants`."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from engine import events, registry
from tests.mutants import curated
from tests.mutants.choosing import Choosing
from tests.mutants.covering import Covering
from tests.mutants.mutant import KILLED, SURVIVED, TREE, Chosen, Mutant, Verdict, changed
from tests.mutants.planting import planted
from tests.mutants.verdicts import Verdicts

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


HOUSE = '''\
"""A docstring."""
from __future__ import annotations

LIMIT = 3


def rank(x):
    """Says how much."""
    if x > LIMIT:
        return 1
    elif x == LIMIT:
        return 0
    return -1


def other(x=LIMIT):
    return x
'''


def _spoke(monkeypatch, line, *calls):
    """Whether a probe for a line speaks up in each of these calls."""
    heard = []
    module = SimpleNamespace(probe=heard.append)
    monkeypatch.setitem(sys.modules, "mutants_probe", module)
    names = {}
    exec(compile(planted(HOUSE, [("here", line)]), "house.py", "exec"), names)
    spoke = []
    for name, *arguments in calls:
        heard.clear()
        names[name](*arguments)
        spoke.append(heard == ["here"])
    return spoke


def test_a_probe_speaks_up_where_its_line_is_run_and_nowhere_else(monkeypatch):
    calls = (("rank", 9), ("rank", 3), ("rank", 0), ("other",))
    assert _spoke(monkeypatch, 10, *calls) == [True, False, False, False]
    assert _spoke(monkeypatch, 13, *calls) == [False, False, True, False]
    assert _spoke(monkeypatch, 11, *calls) == [True, True, True, False], "nothing stands in front of elif"
    assert _spoke(monkeypatch, 4, *calls) == [True, True, True, True], "a constant: whatever uses its file"
    assert _spoke(monkeypatch, 16, *calls) == [False, False, False, True], "a default: its function"


def test_quick_tests_come_first_and_one_case_of_each_before_many_of_one():
    seconds = {
        "t/a.py::x[1]": 0.1,
        "t/a.py::x[2]": 0.2,
        "t/a.py::y": 5.0,
        "t/b.py::z": 1.0,
        "t/c.py::long": 99.0,
    }
    mutant = Mutant("one", "engine/fold.py", "", ("t",))
    choosing = Choosing(Covering({mutant.spot: set(seconds)}, seconds), enough=60)
    order = ("t/a.py::x[1]", "t/b.py::z", "t/a.py::y", "t/a.py::x[2]")
    assert choosing.chosen(mutant).tests == order
    elsewhere = replace(mutant, tests=("t/b.py",))
    assert choosing.chosen(elsewhere).tests == ("t/b.py::z",), "only where its test should be"


def test_a_kill_is_remembered_and_a_survivor_until_its_tests_change(tmp_path):
    mutant, chosen = (
        Mutant("one", "engine/fold.py", "x = 1", ()),
        Chosen(("tests/unit/test_mutants.py",), {}, 1),
    )
    others = Chosen(("tests/unit/test_layers.py",), {}, 1)
    file = tmp_path / "verdicts.jsonl"
    for verdict, is_known in ((SURVIVED, False), (KILLED, True)):
        Verdicts(file, afresh=True).keep(Verdict(mutant, verdict, "by"), chosen)
        kept = Verdicts(file, afresh=False)
        assert kept.known(mutant, chosen).verdict == verdict
        assert (kept.known(mutant, others) is not None) is is_known
        assert kept.known(replace(mutant, source="x = 2"), chosen) is None
