"""What a bot would do in somebody's place, and why: what the position is worth now and afterwards."""

from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple

from bots.greedy import MAX_WORLDS, imagined, rank, worth
from bots.outlook import SURE, Outlook
from bots.registry import bot
from engine.game import AnyGame

OTHERS = 2
DECIDED = (
    SURE / 1000
)  # from here on a mean says that the match is over in some of the worlds, not how it stands


class Weighed(NamedTuple):
    action: Any
    after: float | None  # None: the match may end with it


class Advice(NamedTuple):
    best: Weighed
    before: float | None
    others: tuple[Weighed, ...]


def advise(game: AnyGame, view: Any, seat: int, legal: Sequence[Any], name: str, rng: Random) -> Advice:
    """Ask a bot by name; what it chooses is weighed beside the best of the rest, all in the same worlds."""
    outlook = Outlook(game)
    chosen = bot(name)(game, view, seat, legal, rng)
    rest = [action for action in legal if action != chosen]
    next_best = rank(game, outlook, view, seat, rest, rng)[:OTHERS] if rest else []
    worlds = imagined(game, view, MAX_WORLDS, rng)
    now = sum(outlook.worth(state, seat) for state, _ in worlds)
    weighed = [
        Weighed(action, _mean(worth(outlook, worlds, seat, action))) for action in (chosen, *next_best)
    ]
    return Advice(weighed[0], _mean(now), tuple(weighed[1:]))


def _mean(total: float) -> float | None:
    mean = total / MAX_WORLDS
    return None if abs(mean) > DECIDED else round(mean, 2)
