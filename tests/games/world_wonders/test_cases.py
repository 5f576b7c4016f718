"""Rule cases: the rulebook's own, every refusal, rulings beyond them; and what a broken case answers."""

from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from engine import registry
from engine.chance import quick
from engine.checks import cases
from engine.game import begin
from engine.games.world_wonders import scenario
from engine.games.world_wonders.content import DATA
from engine.kit.casework import CaseError

FILES = sorted(Path(__file__).parent.glob("cases/*.json"))
CASES = {path.stem: msgspec.json.decode(path.read_bytes())["cases"] for path in FILES}
CASE: dict[str, Any] = next(case for case in CASES["examples"] if case["name"] == "bridge-over-water")


@pytest.mark.parametrize("name", CASES)
def test_every_case_holds(name: str) -> None:
    assert {o.name: o.problems for o in cases.run("world-wonders", CASES[name]) if not o.passed} == {}


def test_every_code_of_chapter_18_has_a_case() -> None:
    codes = {
        code
        for case in CASES["refusals"]
        for code in (case["expect"].get("refused"), *(step.get("refused") for step in case["do"]))
    }
    assert codes - {None} == set(DATA["errors"])


def test_a_match_that_has_just_begun_is_not_over() -> None:
    game = registry.game("world-wonders")
    state, _ = begin(game, 3, game.Options(), quick(Random(1)))
    described = scenario.describe(state)
    assert (described["phase"], described["over"]) == ("first_road", False)


def given(**changes: Any) -> dict[str, Any]:
    return {"given": CASE["given"] | changes}


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (given(weather=1), "given: unknown weather"),
        (given(offer={"castles": 1}), "offer: unknown castles"),
        (given(offer={"buildings": {"s1": {"colour": 1}}}), "tile: unknown colour"),
        (given(offer={"buildings": {"s8": "s8-01"}}), "not in play with 2 seats: s8"),
        (given(cities=[{"height": 1}, {}]), "city: unknown height"),
        (given(cities=[{"resources": {"gold": 1}}, {}]), "resources: unknown gold"),
        (
            given(cities=[{"objects": [{"object": "road", "cells": [[0, 0]], "age": 1}]}, {}]),
            "object: unknown age",
        ),
        (given(cities=[{"objects": [{"object": "road", "cells": [[50, 0]]}]}, {}]), "leaves the map"),
        (given(cities=[{"objects": [{"object": "road", "cells": [[0, 50]]}]}, {}]), "leaves the map"),
        (given(cities=[{"objects": [{"object": "tower", "cells": [[0, 0]]}] * 2}, {}]), "overlap"),
        (given(cities=[{"objects": [{"object": "pond", "cells": [[0, 0]]}]}, {}]), "unknown object pond"),
        ({"expect": {"weather": 1}}, "expect: unknown weather"),
        ({"expect": {"seats": [{"age": 1}]}}, "seat 0: unknown age"),
        ({"expect": {"offer": {"castles": 1}}}, "offer: unknown castles"),
        ({"do": [{"seat": 0, "action": {}, "when": 1}]}, "do 1: unknown when"),
    ],
)
def test_a_case_that_cannot_be_run_says_why(change: dict[str, Any], problem: str) -> None:
    with pytest.raises(CaseError, match=problem):
        scenario.check(CASE | change)


@pytest.mark.parametrize(
    ("expect", "problem"),
    [
        ({"seats": [{"roads": 3}]}, "seat 0 roads: got 2, expected 3"),
        ({"seats": [None, {"monuments": 1}]}, "seat 1 monuments, number: got 0, expected 1"),
        ({"offer": {"monuments": ["moai"]}}, "offer monuments: got [], expected ['moai']"),
        ({"legal_has": [{"type": "leave"}]}, "not legal: {'type': 'leave'}"),
        ({"legal_lacks": [{"type": "take_loan"}]}, "legal: {'type': 'take_loan'}"),
        (
            {"refused_now": [[{"type": "leave"}, "no_loan"]]},
            "{'type': 'leave'}: got 'must_buy', expected 'no_loan'",
        ),
        ({"refused": "bad_option"}, "creation: accepted, expected bad_option"),
        ({"winners": [0]}, "winners: got [0, 1], expected [0]"),
    ],
)
def test_a_case_that_does_not_hold_says_where(expect: dict[str, Any], problem: str) -> None:
    assert scenario.check(CASE | {"expect": expect}) == [problem]


def test_a_step_that_is_refused_says_so() -> None:
    step = {"seat": 1, "action": {"type": "take_loan"}}
    assert scenario.check(CASE | {"do": [step]})[0] == "do 1: got 'not_your_turn', expected None"


def test_prepared_decks_are_dealt_in_their_order() -> None:
    """A whole setup from prepared decks: tiles, monuments, goals, maps, order."""
    stacks = {f"s{n}": [f"s{n}-0{n}"] for n in range(1, 7)}
    position = {
        "seats": 3,
        "new_game": True,
        "options": {"advanced": True, "map_side": "B"},
        "turn_order": [2, 0, 1],
        "maps": ["B5", "B4", "B3"],
        "stacks": stacks,
        "monument_deck": ["moai", "petra", "giza"],
        "goals": ["g07", "g01", "g15"],
    }
    expect = {
        "turn_order": [2, 0, 1],
        "to_act": [2],
        "seats": [{"map": "B5"}, {"map": "B4"}, {"map": "B3"}],
        "offer": {
            "monuments": ["moai", "petra", "giza"],
            "buildings": {stack: {"id": tiles[0]} for stack, tiles in stacks.items()},
        },
        "goals": ["g07", "g01", "g15"],
        "goal_points": {"g07": [0, 0, 0]},
    }
    assert scenario.check({"given": position, "do": [], "expect": expect}) == []
