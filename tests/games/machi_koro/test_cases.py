"""The cases cover every refusal, and the runner says what is wrong with a case."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.games.machi_koro import scenario
from engine.games.machi_koro.texts import REFUSALS
from engine.kit.casework import CaseError

FILES = sorted(Path(__file__).parent.glob("cases/*.json"))
CASES = {path.stem: msgspec.json.decode(path.read_bytes())["cases"] for path in FILES}


def test_every_code_of_section_12_has_a_case() -> None:
    codes = {case["expect"].get("error") for case in CASES["refusals"] + CASES["examples"]}
    assert set(REFUSALS["en"]) - {"bad_options"} <= codes


CASE: dict[str, Any] = CASES["examples"][0]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"given": CASE["given"] | {"weather": 1}}, "given: unknown weather"),
        ({"expect": {"weather": 1}}, "expect: unknown weather"),
        ({"do": [{"seat": 0, "action": {"type": "pass"}, "when": 1}]}, "do 1: unknown when"),
        ({"given": CASE["given"] | {"dice_queue": []}}, "no prepared die left"),
        ({"given": CASE["given"] | {"dice_queue": [7]}}, "not among the outcomes"),
        ({"given": CASE["given"] | {"supply": {"castle": 1}}}, "no such card: castle"),
        ({"expect": {"error": "malformed"}}, "nothing is done"),
    ],
)
def test_a_case_that_cannot_be_run_says_why(change: dict[str, Any], problem: str) -> None:
    with pytest.raises(CaseError, match=problem):
        scenario.check(CASE | change)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"expect": {"coins": [2, 1]}}, "coins: got [2, 0], expected [2, 1]"),
        ({"given": CASE["given"] | {"dice_queue": [3, 1]}}, "dice left over: got [1], expected []"),
        ({"do": [{"seat": 1, "action": {"type": "pass"}}]}, "do 1: got 'not_your_turn', expected 'accepted'"),
    ],
)
def test_a_case_that_does_not_hold_says_where(change: dict[str, Any], problem: str) -> None:
    assert scenario.check(CASE | change) == [problem]
