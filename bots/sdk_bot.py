"""A bot of the SDK at an offline table: it gets a turn as over the network, and answers with JSON."""

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec

from bots.sdk import load
from bots.sdk.turn import Turn
from engine.game import AnyGame


class IllegalAnswer(Exception):
    """The bot answered something that is not a legal action."""


class SdkBot:
    """Answers like a built-in bot. A mistake of the bot is an error here, never smoothed over."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._bot = load(name)

    def __call__(self, game: AnyGame, view: Any, seat: int, legal: Sequence[Any], rng: Random) -> Any:
        """Offline tables have no match id and no history: a random id seeds `turn.random`."""
        ident = f"offline-{rng.getrandbits(64):016x}"
        message = {"match": ident, "seat": seat, "seq": 0, "game": game.key, "version": game.version}
        return self.answer({**message, "view": view}, legal)

    def answer(self, message: dict[str, Any], legal: Sequence[Any]) -> Any:
        """The legal action that the bot's answer means; the message lacks only the list itself."""
        plain = [msgspec.to_builtins(action) for action in legal]
        turn = Turn.from_json(msgspec.to_builtins(message) | {"legal": plain})
        answer = self._bot.choose(turn)
        if answer not in plain:
            raise IllegalAnswer(f"{self.name} answered {answer!r}, which is not a legal action")
        return legal[plain.index(answer)]
