"""The rule cases that are kept with the project, one test each."""

import json
from pathlib import Path

import pytest

from engine import registry
from engine.checks import cases

FILES = sorted(Path(__file__).parent.glob("*/cases/*.json"))


def _each() -> list[object]:
    found: list[object] = []
    for path in FILES:
        data = json.loads(path.read_text(encoding="utf-8"))
        for number, case in enumerate(data["cases"]):
            ident = f"{path.parent.parent.name}/{path.stem}/{number}"
            found.append(pytest.param(cases.game_of(data, path.parent.parts), case, id=ident))
    return found


@pytest.mark.parametrize(("key", "case"), _each())
def test_a_rule_case_holds(key: str, case: dict[str, object]) -> None:
    (outcome,) = cases.run(key, [case])
    assert outcome.passed, outcome.problems


def test_every_game_has_cases() -> None:
    assert {path.parent.parent.name for path in FILES} == {key.replace("-", "_") for key in registry.GAMES}
