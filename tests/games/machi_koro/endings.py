"""Matches that deserve a golden log of their own."""

from collections.abc import Callable

from engine.games.machi_koro.model import Options
from engine.log import Match

ENDINGS: dict[str, tuple[int, Options, Callable[[Match], bool]]] = {
    # MK-54: doubles promised another turn, but the fourth landmark ends the game at once
    "won-before-an-extra-turn": (3, Options(), lambda match: match.state.extra_turn),
    # MK-71: the market was refilled until the deck was empty, and the game went on
    "won-after-the-deck-ran-out": (4, Options(supply="ten"), lambda match: not any(match.state.deck)),
    # MK-45, MK-71, MK-72 together
    "won-in-a-small-market-with-a-limit": (
        2,
        Options(supply="ten", copy_limit=2),
        lambda match: match.state.turn > 60,
    ),
}
