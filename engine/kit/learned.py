"""Weights that `turnlog learn` has found, for sums over the features of a position."""

from collections.abc import Callable, Sequence
from operator import mul
from typing import Generic, TypeVar

from engine.kit import content

Numbers = Sequence[float]
T = TypeVar("T")


def dot(numbers: Numbers, weights: Numbers) -> float:
    total: float = sum(map(mul, numbers, weights))
    return total


class Learned(Generic[T]):
    """What a game's hints judge by: `at[stage]`, made of that stage's weights for quick use.

    Learning puts other weights there while it tries them; nobody else changes anything.
    """

    def __init__(
        self, beside: str, stages: int, names: Sequence[str], prepare: Callable[[list[float]], T]
    ) -> None:
        """The weights.json beside a module says for which features it was made: it is of no use to others."""
        raw = content.load(beside, "weights.json")
        if raw["names"] != list(names) or len(raw["weights"]) != stages:
            raise ValueError(f"the weights beside {beside} are for other features")
        self._prepare = prepare
        self.at = self.prepared(raw["weights"])

    def prepared(self, rows: Sequence[list[float]]) -> list[T]:
        return [self._prepare(row) for row in rows]
