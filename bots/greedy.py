"""One step ahead: try every action in a few worlds that the view allows, and take the best on average."""

from collections.abc import Sequence
from random import Random
from typing import Any

from engine import registry
from engine.chance import quick
from engine.game import AnyGame, play

TRIALS = 160  # steps tried a turn, shared among the actions
MOST_WORLDS = 12
MOST_ACTIONS = 400  # more than that are thinned out by the game's `prior`, or at random


def choose(game: AnyGame, view: Any, seat: int, legal: Sequence[Any], rng: Random) -> Any:
    """The action with the best mean value; every action is tried in the same worlds."""
    if len(legal) == 1:
        return legal[0]
    hints = registry.part(game.key, "hints")
    actions = _shortlist(hints, view, seat, legal, rng)
    count = max(1, min(MOST_WORLDS, TRIALS // len(actions)))
    worlds = [(game.determinise(view, rng), rng.randrange(2**32)) for _ in range(count)]
    start = rng.randrange(len(actions))  # so that ties do not always fall to the first of the list
    return max(actions[start:] + actions[:start], key=lambda a: _value(game, hints, seat, a, worlds))


def _shortlist(hints: Any, view: Any, seat: int, legal: Sequence[Any], rng: Random) -> list[Any]:
    if len(legal) <= MOST_ACTIONS:
        return list(legal)
    if hasattr(hints, "prior"):
        return sorted(legal, key=lambda action: -hints.prior(view, seat, action))[:MOST_ACTIONS]
    return rng.sample(list(legal), MOST_ACTIONS)


def _value(game: AnyGame, hints: Any, seat: int, action: Any, worlds: Sequence[tuple[Any, int]]) -> float:
    total = 0.0
    for state, seed in worlds:
        after, _ = play(game, state, seat, action, quick(Random(seed)))
        total += hints.value(game.view(after, seat), seat)
    return total
