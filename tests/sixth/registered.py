"""Puts a game from elsewhere on the list: its folder beside the others, its key into the registry.

That is all a sixth game needs. Whatever has looked at the list before is asked to look again.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from sys import modules

import engine.games
from engine import events, registry

GAMES = Path(__file__).parent / "games"
KEY = "pig"


def register(key: str, folder: Path) -> None:
    """The line in `engine/registry.py`, and the folder that lies in `engine/games` otherwise."""
    engine.games.__path__.append(str(folder))
    registry.GAMES = (*registry.GAMES, key)


@contextmanager
def registered(key: str = KEY, folder: Path = GAMES) -> Iterator[None]:
    """For a while, in this process."""
    before, path = registry.GAMES, [*engine.games.__path__]
    register(key, folder)
    _look_again()
    try:
        yield
    finally:
        registry.GAMES, engine.games.__path__[:] = before, path
        _look_again()
        _forget(key)


def _look_again() -> None:
    from service.api.matches import games

    for remembered in (registry.part, events.reader, games._all, games._one):
        remembered.cache_clear()


def _forget(key: str) -> None:
    name = f"engine.games.{key.replace('-', '_')}"
    for module in [m for m in modules if m == name or m.startswith(name + ".")]:
        del modules[module]
    vars(engine.games).pop(key.replace("-", "_"), None)
