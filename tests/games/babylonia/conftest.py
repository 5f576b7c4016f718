"""Random matches that several tests look at."""

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

import pytest

from engine.chance import quick
from engine.game import begin, play
from engine.games.babylonia import GAME
from engine.games.babylonia.model import Options, State
from engine.variants import variants


class Step(NamedTuple):
    before: State
    seat: int
    action: Any
    facts: list[Any]
    after: State


def steps(seats: int, options: Options, seed: int) -> Iterator[Step]:
    """A whole match with random actions; the first step is the set-up."""
    rng = Random(seed)
    pick = quick(rng)
    state, facts = begin(GAME, seats, options, pick)
    yield Step(state, -1, None, facts, state)
    while waiting := GAME.to_act(state):
        (seat,) = waiting
        action = rng.choice(GAME.legal(state, seat))
        after, facts = play(GAME, state, seat, action, pick)
        yield Step(state, seat, action, facts, after)
        state = after


@pytest.fixture(scope="session")
def played() -> list[list[Step]]:
    """One match for every number of seats and setting of the options."""
    tables = [(seats, options) for seats in GAME.players for options in variants(GAME, seats)]
    return [list(steps(seats, options, seed)) for seed, (seats, options) in enumerate(tables)]
