"""Remote bots for Turnlog. Needs the standard library and nothing else.

    class MyBot:
        def choose(self, turn):
            return turn.random.choice(turn.legal)

`turnlog bot run my_bot.py:MyBot --url … --token …` (or `python -m bots.sdk run …`) plays with it.
docs/bots.md describes the contract.
"""

from bots.sdk.load import BadBot, Bot, load
from bots.sdk.turn import Action, BadMessage, Turn

__all__ = ["Action", "BadBot", "BadMessage", "Bot", "Turn", "load"]
