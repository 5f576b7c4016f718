"""The built-in bots by name."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from bots import greedy, random_bot
from engine.game import AnyGame

Choose = Callable[[AnyGame, Any, int, Sequence[Any], Random], Any]  # (game, view, seat, legal, rng) -> action

BOTS: dict[str, Choose] = {
    "random": random_bot.choose,
    "greedy": greedy.choose,
}


class UnknownBot(KeyError):
    """There is no such bot."""


def bot(name: str) -> Choose:
    if name not in BOTS:
        raise UnknownBot(name)
    return BOTS[name]
