"""The cases cover every refusal, and the runner says what is wrong with a case."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.games.babylonia import scenario
from engine.games.babylonia.texts import REFUSALS
from engine.kit.casework import CaseError

FILES = sorted(Path(__file__).parent.glob("cases/*.json"))
CASES: dict[str, Any] = {path.stem: msgspec.json.decode(path.read_bytes())["cases"] for path in FILES}


def test_every_code_of_section_16_has_a_case() -> None:
    codes = {step.get("error") for cases in CASES.values() for case in cases for step in case["do"]}
    assert set(REFUSALS["en"]) - {"bad_options"} == codes - {None}


CASE: dict[str, Any] = CASES["examples"][3]
VIEW: dict[str, Any] = {"viewer": 1, "stand_of": 0}


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"given": CASE["given"] | {"weather": 1}}, "given: unknown weather"),
        ({"given": {"new_game": {"players": 2}, "seat": 0}}, "given: unknown seat"),
        ({"given": {"new_game": {"players": 2, "seed": 1}}}, "new_game: unknown seed"),
        ({"given": CASE["given"] | {"cards": {"held": []}}}, "cards: unknown held"),
        ({"expect": {"weather": 1}}, "expect: unknown weather"),
        ({"expect": {"views": [VIEW | {"shows": {"colour": 1}}]}}, "shows: unknown colour"),
        ({"expect": {"views": [VIEW | {"shows": {}, "when": 1}]}}, "views: unknown when"),
        ({"do": [{"seat": 0, "action": {"type": "done"}, "when": 1}]}, "do 1: unknown when"),
        ({"wish": 1}, "case: unknown wish"),
    ],
)
def test_a_case_that_cannot_be_run_says_why(change: dict[str, Any], problem: str) -> None:
    with pytest.raises(CaseError, match=problem):
        scenario.check(CASE | change)


PLACE = {"type": "place", "token": "farmer", "hex": [5, 0]}


@pytest.mark.parametrize(
    ("expect", "problem"),
    [
        ({"phase": "resolve"}, "phase: got 'place', expected 'resolve'"),
        ({"score": [0, 0, 1]}, "score: got [0, 0, 0], expected [0, 0, 1]"),
        ({"cards_owned": [[], [1], []]}, "cards_owned: got [[], [], []], expected [[], [1], []]"),
        ({"legal_includes": [{"type": "done"}]}, "not legal: {'type': 'done'}"),
        ({"legal_excludes": [PLACE]}, f"legal: {PLACE}"),
        ({"legal_types": ["done"]}, "legal_types: got ['place'], expected ['done']"),
        ({"tiles_gone": [[7, 6]]}, "not gone: [7, 6]"),
        ({"tiles_left": [[5, 0]]}, "not left: [5, 0]"),
        ({"tiles_left": 4}, "tiles_left: got 3, expected 4"),
        ({"free": [[7, 6]]}, "not free: [7, 6]"),
        ({"face_down": [[5, 2]]}, "not face down: [5, 2]"),
        (
            {"views": [VIEW | {"shows": {"size": 4}}]},
            "view of 1: got {'size': 5}, expected {'size': 4}",
        ),
    ],
)
def test_an_expectation_that_does_not_hold_says_so(expect: dict[str, Any], problem: str) -> None:
    assert scenario.check(CASE | {"do": [], "expect": expect}) == [problem]


def test_an_action_that_should_have_been_refused_is_a_problem() -> None:
    step = {"seat": 0, "action": PLACE, "error": "hex_occupied", "then": {"turn_number": 11}}
    assert scenario.check(CASE | {"do": [step], "expect": {}}) == [
        "do 1: got 'accepted', expected 'hex_occupied'",
        "do 1: turn_number: got 10, expected 11",
    ]
