"""Any legal action, each as likely as the others."""

from collections.abc import Sequence
from random import Random
from typing import Any

from engine.game import AnyGame


def choose(game: AnyGame, view: Any, seat: int, legal: Sequence[Any], rng: Random) -> Any:  # noqa: ARG001
    return rng.choice(legal)
