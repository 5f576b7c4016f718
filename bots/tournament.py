"""The arena: many matches over all cores. What comes out depends on the seed, never on the scheduling."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import combinations
from multiprocessing import get_context
from random import Random
from typing import Any, NamedTuple

import msgspec

from bots.arena import play_match
from bots.registry import Choose, resolve
from bots.stats import Interval, Match, duels, rating_intervals, ratings, wilson
from engine import registry
from engine.game import AnyGame

LEAST = 20  # matches before a lead may stop a series


class Task(NamedTuple):
    """One match, as plain values: it may be played in another process."""

    game: str
    options: Any  # builtins
    names: tuple[str, ...]  # every entry
    order: tuple[int, ...]  # the entry at each seat
    seed: str


class Outcome(NamedTuple):
    order: tuple[int, ...]
    scores: tuple[int, ...]
    places: tuple[int, ...]
    winners: tuple[int, ...]
    actions: int
    seconds: tuple[float, ...]  # thought, by entry
    moves: tuple[int, ...]  # with a choice, by entry


class Standing(NamedTuple):
    """What is known of an entry. A seat it holds counts as an appearance."""

    bot: str
    appearances: int
    wins: float
    rate: float
    interval: Interval
    score: float
    rating: float
    rating_interval: Interval
    ms: float


def lineups(entries: int, seats: int) -> list[tuple[int, ...]]:
    """Who meets whom: every choice of entries, or copies of them where there are more seats."""
    if entries >= seats:
        return list(combinations(range(entries), seats))
    return [tuple((seat + shift) % entries for seat in range(seats)) for shift in range(entries)]


def schedule(
    game: AnyGame, options: Any, names: Sequence[str], seats: int, games: int, seed: int
) -> Iterator[Task]:
    """The matches in their order: every line-up in turn, moving on by a seat each time around."""
    plain = msgspec.to_builtins(options)
    tables = lineups(len(names), seats)
    for number in range(games):
        table, turn = tables[number % len(tables)], number // len(tables) % seats
        order = table[turn:] + table[:turn]
        yield Task(game.key, plain, tuple(names), order, f"arena {game.key} {seed} {number}")


def play_task(task: Task) -> Outcome:
    game = registry.game(task.game)
    clocks = [_Clock(resolve(name)) for name in task.names]
    played = play_match(
        game,
        msgspec.convert(task.options, game.Options),
        [task.names[entry] for entry in task.order],
        [clocks[entry] for entry in task.order],
        task.seed,
    )
    result = played.result
    return Outcome(
        task.order,
        result.scores,
        result.places,
        result.winners,
        played.actions,
        tuple(clock.seconds for clock in clocks),
        tuple(clock.moves for clock in clocks),
    )


class _Clock:
    """A bot with the time it thinks; forced moves are not counted."""

    def __init__(self, choose: Choose) -> None:
        self._choose = choose
        self.seconds, self.moves = 0.0, 0

    def __call__(self, game: AnyGame, view: Any, seat: int, legal: Sequence[Any], rng: Random) -> Any:
        started = time.perf_counter()
        action = self._choose(game, view, seat, legal, rng)
        if len(legal) > 1:
            self.seconds += time.perf_counter() - started
            self.moves += 1
        return action


@contextmanager
def outcomes(tasks: Iterable[Task], jobs: int) -> Iterator[Iterator[Outcome]]:
    """Results in the order of the tasks, however many processes play them."""
    if jobs == 1:
        yield map(play_task, tasks)
        return
    with get_context("spawn").Pool(jobs) as pool:
        yield pool.imap(play_task, tasks)


class Table:
    """Results so far."""

    def __init__(self, names: Sequence[str], seats: int) -> None:
        self.names, self.seats = names, seats
        count = len(names)
        self.games = self.actions = 0
        self.appearances, self.moves = [0] * count, [0] * count
        self.wins, self.scores, self.seconds = [0.0] * count, [0.0] * count, [0.0] * count
        self._matches: list[Match] = []

    def add(self, outcome: Outcome) -> None:
        self.games += 1
        self.actions += outcome.actions
        for seat, entry in enumerate(outcome.order):
            self.appearances[entry] += 1
            self.scores[entry] += outcome.scores[seat]
        for seat in outcome.winners:
            self.wins[outcome.order[seat]] += 1 / len(outcome.winners)
        for entry, (seconds, moves) in enumerate(zip(outcome.seconds, outcome.moves, strict=True)):
            self.seconds[entry] += seconds
            self.moves[entry] += moves
        self._matches.append(duels(outcome.order, outcome.places))

    def interval(self, entry: int) -> Interval:
        return wilson(self.wins[entry], self.appearances[entry])

    @property
    def clear(self) -> bool:
        """Of two at two seats, whether one is better beyond doubt; asked after whole rotations only."""
        whole = self.games >= LEAST and self.games % self.seats == 0
        return whole and self.interval(0).clear_of(1 / self.seats)

    def standings(self, seed: int) -> list[Standing]:
        count = len(self.names)
        rated = ratings(count, self._matches)
        spans = rating_intervals(count, self._matches, seed)
        return [self._standing(entry, rated[entry], spans[entry]) for entry in range(count)]

    def _standing(self, entry: int, rating: float, span: Interval) -> Standing:
        seen = max(1, self.appearances[entry])
        return Standing(
            bot=self.names[entry],
            appearances=self.appearances[entry],
            wins=self.wins[entry],
            rate=self.wins[entry] / seen,
            interval=self.interval(entry),
            score=self.scores[entry] / seen,
            rating=rating,
            rating_interval=span,
            ms=1000 * self.seconds[entry] / max(1, self.moves[entry]),
        )


def run(
    tasks: Sequence[Task],
    table: Table,
    jobs: int,
    stop_when_clear: bool,
    watch: Callable[[Iterable[Outcome]], Iterable[Outcome]] = lambda items: items,
) -> bool:
    """Play the tasks into the table; says whether a clear lead stopped them early."""
    with outcomes(tasks, jobs) as results:
        for outcome in watch(results):
            table.add(outcome)
            if stop_when_clear and table.clear and table.games < len(tasks):
                return True
    return False
