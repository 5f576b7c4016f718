"""A bot as it was: the built-in bots of another checkout of this repository, in a process of their own.

`CHECKOUT@search:200` is the `search:200` of the code in the folder CHECKOUT. It gets what a bot may know, a
view and the legal actions, as JSON over a pipe, and answers with the number of one of them.
"""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from engine.game import AnyGame

# Runs in the other checkout: it may use nothing but what every version has had.
SERVE = """
import sys, msgspec
from random import Random
from bots.registry import bot
from engine import registry

choose = bot(sys.argv[1])
for line in sys.stdin.buffer:
    asked = msgspec.json.decode(line)
    rules = registry.game(asked["game"])
    view = msgspec.convert(asked["view"], rules.View)
    legal = msgspec.convert(asked["legal"], list[rules.Action])
    action = choose(rules, view, asked["seat"], legal, Random(asked["seed"]))
    print(legal.index(action), flush=True)
"""


class NoSuchCheckout(ValueError):
    """There are no bots in that folder."""


def is_elsewhere(name: str) -> bool:
    return "@" in name


class Elsewhere:
    """Answers like a built-in bot. The process lives as long as this does."""

    def __init__(self, name: str) -> None:
        folder, _, bot = name.partition("@")
        if not (Path(folder) / "bots" / "registry.py").is_file():
            raise NoSuchCheckout(f"{folder} is no checkout of this repository")
        self._process = subprocess.Popen(
            [sys.executable, "-c", SERVE, bot], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def __call__(self, game: AnyGame, view: Any, seat: int, legal: Sequence[Any], rng: Random) -> Any:
        seed = rng.getrandbits(64)
        asked = {"game": game.key, "view": view, "seat": seat, "legal": list(legal), "seed": seed}
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(msgspec.json.encode(asked) + b"\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise ChildProcessError("the bots of the other checkout have stopped")
        return legal[int(answer)]

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()

    def __del__(self) -> None:
        if hasattr(self, "_process") and self._process.poll() is None:
            self.close()
