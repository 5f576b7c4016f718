"""Random matches that several tests look at."""

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

import pytest

from engine.chance import quick
from engine.game import begin, play
from engine.games.world_wonders import GAME
from engine.games.world_wonders.model import (
    Options,
    State,
)


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


def tables() -> Iterator[tuple[int, Options]]:
    """Every number of seats with both maps and boards, with and without goals, both solo modes."""
    for seats in range(1, 6):
        for side in ("A", "B"):
            for more in (False, True):
                yield (
                    seats,
                    Options(
                        map_side=side,  # type: ignore[arg-type]
                        resource_side="B" if more else "A",
                        advanced=more and seats > 1,
                        solo_mode="hard" if more and seats == 1 else "easy",
                        voluntary_leave=more and side == "B",
                    ),
                )


@pytest.fixture(scope="session")
def played() -> list[list[Step]]:
    """Three matches for each of them."""
    return [list(steps(seats, options, seed)) for seed, (seats, options) in enumerate(3 * list(tables()))]
