"""One step ahead: try every action in a few worlds that the view allows, and take the best on average."""

from collections.abc import Sequence
from random import Random
from typing import Any

from bots.dice import common
from bots.outlook import Outlook, shortlist
from engine.game import AnyGame, Pick, play

World = tuple[Any, Pick]

TRIALS = 160  # steps tried a turn, shared among the actions
MAX_WORLDS = 12
MAX_ACTIONS = 400  # more than that are thinned out by the game's `prior`, or at random


def choose(
    game: AnyGame, view: Any, seat: int, legal: Sequence[Any], rng: Random, most: int | None = None
) -> Any:
    """The action with the best mean value; with `most` only so many are thought of, any of them."""
    if most is not None and len(legal) > most:
        legal = [legal[number] for number in sorted(rng.sample(range(len(legal)), most))]
    return legal[0] if len(legal) == 1 else rank(game, Outlook(game), view, seat, legal, rng)[0]


def rank(
    game: AnyGame, outlook: Outlook, view: Any, seat: int, legal: Sequence[Any], rng: Random
) -> list[Any]:
    """The actions, best first; every action is tried in the same worlds under the same dice."""
    actions = shortlist(outlook, view, seat, legal, MAX_ACTIONS, rng)
    worlds = imagined(game, view, max(1, min(MAX_WORLDS, TRIALS // len(actions))), rng)
    scored = []
    for number, action in enumerate(actions):
        total = worth(outlook, worlds, seat, action)
        scored.append((-total, rng.random(), number))  # ties do not always fall to the first of the list
    return [actions[number] for _, _, number in sorted(scored)]


def imagined(game: AnyGame, view: Any, count: int, rng: Random) -> list[World]:
    """Worlds that a view allows, each with its own dice."""
    return [(game.determinise(view, rng), common(rng.getrandbits(60))) for _ in range(count)]


def worth(outlook: Outlook, worlds: Sequence[World], seat: int, action: Any) -> float:
    """What an action leads to, all worlds together."""
    total = 0.0
    for state, pick in worlds:
        total += outlook.worth(play(outlook.game, state, seat, action, pick)[0], seat)
    return total
