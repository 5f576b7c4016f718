"""Random play beside the plain reference: the same actions are legal, the same points are counted."""

import json
from random import Random
from typing import Any

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.games.world_wonders import GAME, scoring
from engine.games.world_wonders.content import DATA
from engine.games.world_wonders.model import (
    State,
)
from tests.games.playing import Step, steps
from tests.games.world_wonders import reference
from tests.games.world_wonders.conftest import tables

TABLES = list(tables())
SLOW = settings(max_examples=12, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


def ordered(actions: list[Any]) -> list[str]:
    return sorted(json.dumps(action, sort_keys=True) for action in actions)


def check_legal(state: State) -> None:
    view = msgspec.to_builtins(GAME.view(state, None))
    engine = [msgspec.to_builtins(action) for action in GAME.legal(state, state.active)]
    assert ordered(engine) == ordered(reference.legal(DATA, view))


@SLOW
@given(st.sampled_from(TABLES), st.integers(0, 10**6))
def test_the_same_actions_are_legal(table: tuple[int, Any], seed: int) -> None:
    """Chapters 7 and 8, on a few moments of a match."""
    match = [step.before for step in steps(GAME, *table, seed)]
    for state in Random(seed).sample(match, 4):
        check_legal(state)


def test_every_phase_and_purchase_is_compared(played: list[list[Step]]) -> None:
    """The rare ones too: one moment of each kind."""
    moments = {
        (
            step.before.phase,
            bought and (bought.card or bought.item),
            bought and len(bought.pieces),
        ): step.before
        for match in played
        for step in match
        for bought in [step.before.purchase]
    }
    assert len(moments) > 30
    for state in moments.values():
        if state.phase != "turn":
            check_legal(state)


def test_the_same_points_are_counted(played: list[list[Step]]) -> None:
    """WW-124, WW-125 and every goal of WW-150, at the end of every match."""
    for match in played:
        state = match[-1].after
        view = msgspec.to_builtins(GAME.view(state, None))
        towns = [reference.Town(city) for city in view["cities"]]
        lines = [{line.what: line.points for line in own} for own in scoring.score(state)]
        assert [own["natural"] for own in lines] == [reference.natural_wealth(town) for town in towns]
        assert [own["districts"] for own in lines] == [len(reference.districts(town)) for town in towns]
        for goal in DATA["goals"]:
            expected = [reference.goal_value(goal, town) for town in towns]
            assert scoring.goal_values(state, goal["id"]) == expected, goal
