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


class UnknownVersion(KeyError):
    """There is such a game, but its rules of this version are not kept here."""


def game(key: str, version: int | None = None) -> AnyGame:
    """The rules of a game, the newest or of a version; its folder is read when it is first asked for."""
    newest: AnyGame = part(key, "").GAME
    if version is None or version == newest.version:
        return newest
    if version not in newest.earlier:
        raise UnknownVersion(key, version)
    earlier: AnyGame = part(key, "", version).GAME
    return earlier


@cache
def part(key: str, name: str, version: int | None = None) -> ModuleType:
    """A module of a game's folder: `part("akropolis", "hints")`; an earlier version lies in `v1` of it."""
    if key not in GAMES:
        raise UnknownGame(key)
    folder = f"engine.games.{key.replace('-', '_')}"
    if version is not None and version != import_module(folder).GAME.version:
        folder += f".v{version}"
    return import_module(f"{folder}.{name}" if name else folder)


def games() -> list[AnyGame]:
    """Every game, in the order of the list."""
    return [game(key) for key in GAMES]
