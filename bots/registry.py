"""Bots by name: `random`, `greedy`, `search`, `search:200`, `search:2s`, and offline `file.py:Name`."""

from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from typing import Any

from bots import greedy, random_bot, search
from bots.budget import BadBudget, parse
from bots.sdk.load import BadBot, is_file
from bots.sdk_bot import SdkBot
from engine.game import AnyGame

Choose = Callable[[AnyGame, Any, int, Sequence[Any], Random], Any]  # (game, view, seat, legal, rng) -> action

BOTS: dict[str, Choose] = {  # what a table may be given on a server
    "random": random_bot.choose,
    "greedy": greedy.choose,
    "search": search.choose,
    "search:200ms": partial(search.choose, budget=parse("200ms")),
    "search:2s": partial(search.choose, budget=parse("2s")),
}
HELP = f"{', '.join(BOTS)}, search:ITERATIONS, search:TIME (such as 500ms), or FILE.py:NAME"


class UnknownBot(KeyError):
    """There is no such bot."""


def bot(name: str) -> Choose:
    """A built-in bot."""
    if name in BOTS:
        return BOTS[name]
    kind, _, text = name.partition(":")
    if kind != "search":
        raise UnknownBot(name)
    try:
        return partial(search.choose, budget=parse(text))
    except BadBudget:
        raise UnknownBot(name) from None


def resolve(name: str) -> Choose:
    """A built-in bot or one in a file. Never for names that come from the network: a file is code."""
    if not is_file(name):
        return bot(name)
    try:
        return SdkBot(name)
    except BadBot as problem:
        raise UnknownBot(str(problem)) from None
