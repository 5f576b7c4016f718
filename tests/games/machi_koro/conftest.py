"""Random matches that several tests look at."""

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

import pytest

from engine.chance import quick
from engine.game import begin, play
from engine.games.machi_koro import GAME
from engine.games.machi_koro.model import Options, State

EVERY_OPTION = [
    Options(supply=supply, copy_limit=limit, first_seat=first)
    for supply in ("full", "ten")
    for limit in (None, 2)
    for first in (None, 1)
]


class Step(NamedTuple):
    before: State
    action: Any
    facts: list[Any]
    after: State


def steps(seats: int, options: Options, seed: int) -> Iterator[Step]:
    """A whole match with random actions; the first step is the set-up."""
    rng = Random(seed)
    pick = quick(rng)
    state, facts = begin(GAME, seats, options, pick)
    yield Step(state, None, facts, state)
    while GAME.to_act(state):
        action = rng.choice(GAME.legal(state, state.active))
        after, facts = play(GAME, state, state.active, action, pick)
        yield Step(state, action, facts, after)
        state = after


@pytest.fixture(scope="session")
def played() -> list[list[Step]]:
    """One match for every number of seats and option."""
    return [
        list(steps(seats, options, seed))
        for seed, (seats, options) in enumerate((s, o) for s in (2, 3, 4) for o in EVERY_OPTION)
    ]
