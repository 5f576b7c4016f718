"""Weights by least squares: what the features of a position say about how the match ends.

The only part of the house that needs numpy, and only who learns needs it.
"""

from collections.abc import Iterable, Iterator, Sequence
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from bots.learning.matches import Record, steps
from engine import registry

BATCH = 512
HELD = 10  # every tenth match is kept apart, to see what the weights say about matches they do not know


class Row(NamedTuple):
    stage: int
    numbers: Sequence[float]
    rest: float  # what is still to come: the target without what is known already


class Fit(NamedTuple):
    weights: list[list[float]]
    rows: int
    loss: float  # mean squared error on the matches kept apart …
    blind: float  # … and that of knowing the stage alone


def rows(record: Record) -> Iterator[Row]:
    """Every position of a match, as its seats saw it."""
    game, made = registry.game(record.game), registry.part(record.game, "features")
    for seat, before, after in steps(record):
        if made.BEFORE:
            yield _row(made, game.view(before, seat), seat, record)
        if game.to_act(after):
            yield _row(made, game.view(after, seat), seat, record)


def _row(made: ModuleType, view: Any, seat: int, record: Record) -> Row:
    target = target_of(made.TARGET, record, seat)
    return Row(made.stage(view, seat), made.features(view, seat), target - made.known(view, seat))


def target_of(kind: str, record: Record, seat: int) -> float:
    """What is learned: a seat's points at the end, or its lead over the best of the others."""
    points = record.scores[seat]
    if kind == "points":
        return float(points)
    return float(points - max(other for n, other in enumerate(record.scores) if n != seat))


class _Stage:
    """The sums that least squares needs, so that no position has to be kept."""

    def __init__(self, size: int) -> None:
        self.squares, self.products = np.zeros((size, size)), np.zeros(size)
        self.count, self.total, self.energy = 0, 0.0, 0.0
        self._numbers: list[Sequence[float]] = []
        self._rests: list[float] = []

    def add(self, row: Row) -> None:
        self._numbers.append(row.numbers)
        self._rests.append(row.rest)
        if len(self._rests) >= BATCH:
            self.settle()

    def settle(self) -> None:
        if not self._rests:
            return
        x, y = np.array(self._numbers, dtype=np.float64), np.array(self._rests)
        self.squares += x.T @ x
        self.products += x.T @ y
        self.count += len(y)
        self.total += float(y.sum())
        self.energy += float(y @ y)
        self._numbers, self._rests = [], []

    def solve(self, ridge: float, before: Any) -> Any:
        """Weights are drawn towards those before, each by the size of its feature."""
        if not self.count:
            return before
        pull = ridge * np.diag(self.squares) / self.count + 1e-6
        return np.linalg.solve(self.squares + np.diag(pull), self.products + pull * before)

    def loss(self, weights: Any) -> float:
        """Squared error in all."""
        return float(self.energy - 2 * weights @ self.products + weights @ self.squares @ weights)

    @property
    def blind(self) -> float:
        return self.energy - self.total**2 / max(1, self.count)


def fit(key: str, records: Iterable[Record], ridge: float, before: list[list[float]]) -> Fit:
    """The best weights for these matches, and close to those `before` where the matches say little."""
    made = registry.part(key, "features")
    seen, held = ([_Stage(len(made.NAMES)) for _ in range(made.STAGES)] for _ in range(2))
    for number, record in enumerate(records):
        for row in rows(record):
            (held if number % HELD == HELD - 1 else seen)[row.stage].add(row)
    for stage in (*seen, *held):
        stage.settle()
    start = np.array(before)
    found = [np.round(stage.solve(ridge, old), made.DIGITS) for stage, old in zip(seen, start, strict=True)]
    count = max(1, sum(stage.count for stage in held))
    return Fit(
        [[float(weight) for weight in row] for row in found],
        sum(stage.count for stage in (*seen, *held)),
        sum(stage.loss(row) for stage, row in zip(held, found, strict=True)) / count,
        sum(stage.blind for stage in held) / count,
    )
