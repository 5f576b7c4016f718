"""Bots by name: `random`, `greedy`, `search`, `search:200`, `search:2s`, and offline `file.py:Name`."""

import re
from collections.abc import Callable, Sequence
from functools import cache, partial
from random import Random
from typing import Any

from bots import greedy, random_bot, search
from bots.budget import BadBudget, parse
from bots.elsewhere import Elsewhere, NoSuchCheckout, is_elsewhere
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
HELP = (
    f"{', '.join(BOTS)}, greedy:ACTIONS (thinks of so many only), search:ITERATIONS, "
    "search:TIME (such as 500ms), FILE.py:NAME, or CHECKOUT@BOT"
)


class UnknownBot(KeyError):
    """There is no such bot."""


def bot(name: str) -> Choose:
    """A built-in bot."""
    if name in BOTS:
        return BOTS[name]
    kind, _, text = name.partition(":")
    if kind == "greedy" and re.fullmatch("[1-9][0-9]{0,3}", text):
        return partial(greedy.choose, most=int(text))
    if kind != "search":
        raise UnknownBot(name)
    try:
        return partial(search.choose, budget=parse(text))
    except BadBudget:
        raise UnknownBot(name) from None


def is_blind(choose: Choose) -> bool:
    """Whether a bot never looks at its view, so that none need be made for it."""
    return choose is random_bot.choose or getattr(choose, "blind", False)


@cache  # a process each is enough
def _elsewhere(name: str) -> Elsewhere:
    return Elsewhere(name)


def resolve(name: str) -> Choose:
    """A built-in bot, one of another checkout or in a file. Never for a name from the network: it is code."""
    if not is_file(name) and not is_elsewhere(name):
        return bot(name)
    try:
        return _elsewhere(name) if is_elsewhere(name) else SdkBot(name)
    except (BadBot, NoSuchCheckout) as problem:
        raise UnknownBot(str(problem)) from None
