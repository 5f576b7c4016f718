"""Whole matches with random actions, step by step: what several tests of a game look at."""

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from engine.chance import quick
from engine.game import CHANCE, AnyGame, begin, play


class Step(NamedTuple):
    before: Any
    action: Any
    facts: list[Any]
    after: Any
    seat: int


def steps(game: AnyGame, seats: int, options: Any, seed: int) -> Iterator[Step]:
    """A whole match of a game in which one seat acts at a time; the first step is the set-up."""
    rng = Random(seed)
    pick = quick(rng)
    state, facts = begin(game, seats, options, pick)
    yield Step(state, None, facts, state, CHANCE)
    while waiting := game.to_act(state):
        (seat,) = waiting
        action = rng.choice(game.legal(state, seat))
        after, facts = play(game, state, seat, action, pick)
        yield Step(state, action, facts, after, seat)
        state = after
