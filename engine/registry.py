"""The one list of games. Adding a game adds one line here and one folder beside the others."""

from functools import cache
from importlib import import_module
from types import ModuleType

from engine.game import AnyGame

GAMES = (
    "tides-of-time",
    "machi-koro",
    "akropolis",
    "babylonia",
    "world-wonders",
)


class UnknownGame(KeyError):
    """There is no such game."""


def game(key: str) -> AnyGame:
    """The rules of a game; its folder is read when it is first asked for."""
    found: AnyGame = part(key, "").GAME
    return found


@cache
def part(key: str, name: str) -> ModuleType:
    """A module of a game's folder: `part("akropolis", "hints")`."""
    if key not in GAMES:
        raise UnknownGame(key)
    return import_module(".".join(filter(None, ("engine.games", key.replace("-", "_"), name))))


def games() -> list[AnyGame]:
    """Every game, in the order of the list."""
    return [game(key) for key in GAMES]
