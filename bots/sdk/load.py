"""Finds a bot in a file: `path/to/file.py:Name`."""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

from bots.sdk.turn import Action, Turn


class BadBot(Exception):
    """There is no usable bot there."""


class Bot(Protocol):
    """What a bot is. `seated(message)` and `over(message)` are called too if it has them."""

    def choose(self, turn: Turn) -> Action: ...


def is_file(name: str) -> bool:
    """Whether a bot's name means a file."""
    return ".py:" in name


def load(name: str) -> Bot:
    """A class is instantiated without arguments; anything else must have `choose` already."""
    path, _, attribute = name.rpartition(":")
    if not path or not attribute:
        raise BadBot(f"{name}: write it as FILE.py:NAME")
    module = _module(Path(path))
    found = getattr(module, attribute, None)
    if found is None:
        raise BadBot(f"{path} has no {attribute}")
    bot: Any = found() if isinstance(found, type) else found
    if not callable(getattr(bot, "choose", None)):
        raise BadBot(f"{attribute} in {path} has no method choose(self, turn)")
    return bot  # type: ignore[no-any-return] # what a file holds is known only at run time


def _module(path: Path) -> ModuleType:
    if not path.is_file():
        raise BadBot(f"there is no file {path}")
    spec = spec_from_file_location(f"turnlog_bot_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    try:
        spec.loader.exec_module(module)
    except Exception as problem:
        raise BadBot(f"{path} cannot be read: {type(problem).__name__}: {problem}") from problem
    return module
