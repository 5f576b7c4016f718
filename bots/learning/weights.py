"""Weights on their way: tried against those in use, and written down with where they come from."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec

from bots import greedy
from bots.arena import play_on
from bots.dice import common
from bots.stats import Interval, share_interval
from engine import registry
from engine.game import AnyGame

Rows = list[list[float]]


class Trial(NamedTuple):
    """A deal from every seat: the new weights hold one, the old ones the others."""

    game: str
    seats: int
    seed: str
    new: str  # a file of weights
    old: str


class Verdict(NamedTuple):
    deals: int
    rate: float  # matches that the new weights won
    interval: Interval
    fair: float  # what equals would win

    @property
    def wins(self) -> bool:
        return self.interval.low > self.fair


def file_of(key: str) -> Path:
    """The weights that are shipped with a game."""
    found = registry.part(key, "hints").__file__
    assert found is not None
    return Path(found).with_name("weights.json")


def nothing(key: str) -> Rows:
    """Weights of who has learned nothing yet: only what is known already counts."""
    made = registry.part(key, "features")
    return [[0.0] * len(made.NAMES)] * made.STAGES


@contextmanager
def judging_by(key: str, path: str) -> Iterator[None]:
    """Meanwhile this process judges by the weights in this file."""
    learned = registry.part(key, "hints").LEARNED
    before, learned.at = learned.at, _prepared(key, path)
    try:
        yield
    finally:
        learned.at = before


@lru_cache(maxsize=4)  # the same few for match after match
def _prepared(key: str, path: str) -> Any:
    return registry.part(key, "hints").LEARNED.prepared(read(Path(path)))


def read(path: Path) -> Rows:
    rows: Rows = msgspec.json.decode(path.read_bytes())["weights"]
    return rows


class _Judge:
    """`greedy` with weights of its own."""

    def __init__(self, path: str) -> None:
        self._path = path

    def __call__(self, game: AnyGame, view: Any, seat: int, legal: Sequence[Any], rng: Random) -> Any:
        with judging_by(game.key, self._path):
            return greedy.choose(game, view, seat, legal, rng)


def play_trial(trial: Trial) -> tuple[float, int]:
    """What the new weights won of a deal, in so many matches."""
    game = registry.game(trial.game)
    new, old = _Judge(trial.new), _Judge(trial.old)
    dice = common(Random(trial.seed).getrandbits(60))
    won = 0.0
    for seat in range(trial.seats):
        bots = [new if other == seat else old for other in range(trial.seats)]
        result = play_on(game, game.Options(), bots, dice, Random(f"{trial.seed} {seat}")).result
        won += (seat in result.winners) / max(1, len(result.winners))
    return won, trial.seats


def trials(plan: Trial, deals: int, seed: int) -> list[Trial]:
    name = f"trial {plan.game} {plan.seats} {seed}"
    return [plan._replace(seed=f"{name} {deal}") for deal in range(deals)]


def judged(deals: Sequence[tuple[float, int]]) -> Verdict:
    rate = sum(won for won, _ in deals) / sum(seats for _, seats in deals)
    return Verdict(len(deals), rate, share_interval(deals), 1 / deals[0][1])


def write(path: Path, key: str, rows: Rows, made: dict[str, Any]) -> None:
    """One row of numbers a line, so that a difference can be read."""
    names = list(registry.part(key, "features").NAMES)
    head = msgspec.json.encode({"game": key, "made": made, "names": names}).decode()
    lines = ",\n".join(msgspec.json.encode([_short(x) for x in row]).decode() for row in rows)
    path.write_text(f'{head[:-1]},\n"weights":[\n{lines}\n]}}\n', encoding="utf-8")


def _short(x: float) -> float | int:
    return int(x) if x == int(x) else x
