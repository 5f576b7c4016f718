"""The arena: many matches over all cores. What comes out depends on the seed, never on the scheduling.

Every deal is played by every line-up with the seats moved on until everybody has sat everywhere: luck that
helps a seat helps each bot in turn. Matches of one deal resemble one another, so intervals are drawn by deal.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from random import Random
from typing import Any, NamedTuple

import msgspec

from bots.arena import play_on
from bots.crew import results
from bots.dice import common
from bots.registry import Choose, is_blind, resolve
from bots.stats import Interval, Match, Wager, duels, rating_intervals, ratings, share_interval
from engine import registry
from engine.game import AnyGame


class Task(NamedTuple):
    """One match, as plain values: it may be played in another process."""

    game: str
    options: Any  # builtins
    names: tuple[str, ...]  # every entry
    order: tuple[int, ...]  # the entry at each seat
    seed: str
    deal: int  # which dice: tasks of one deal have the same


class Outcome(NamedTuple):
    deal: int
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
    """The matches in their order: a deal with every line-up, moving on by a seat each time, then the next."""
    plain = msgspec.to_builtins(options)
    tables = lineups(len(names), seats)
    for number in range(games):
        deal, turn = divmod(number, len(tables) * seats)
        table, turn = tables[turn % len(tables)], turn // len(tables)
        order = table[turn:] + table[:turn]
        yield Task(game.key, plain, tuple(names), order, f"arena {game.key} {seed} {deal}", deal)


def play_task(task: Task) -> Outcome:
    """One match. Its dice depend on the deal alone, not on what is played or by whom."""
    game = registry.game(task.game)
    clocks = [_Clock(resolve(name)) for name in task.names]
    played = play_on(
        game,
        msgspec.convert(task.options, game.Options),
        [clocks[entry] for entry in task.order],
        common(Random(task.seed).getrandbits(60)),
        Random(f"{task.seed} {task.order}"),
    )
    result = played.result
    return Outcome(
        task.deal,
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
        self.blind = is_blind(choose)
        self.seconds, self.moves = 0.0, 0

    def __call__(self, game: AnyGame, view: Any, seat: int, legal: Sequence[Any], rng: Random) -> Any:
        started = time.perf_counter()
        action = self._choose(game, view, seat, legal, rng)
        if len(legal) > 1:
            self.seconds += time.perf_counter() - started
            self.moves += 1
        return action


class Tally:
    """What an entry got of a deal: each seat it held is an appearance."""

    __slots__ = ("seats", "wins")

    def __init__(self) -> None:
        self.seats, self.wins = 0, 0.0

    @property
    def share(self) -> float:
        return self.wins / self.seats


class Table:
    """Results so far."""

    def __init__(self, names: Sequence[str], seats: int) -> None:
        self.names, self.seats = names, seats
        count = len(names)
        self.games = self.actions = 0
        self.appearances, self.moves = [0] * count, [0] * count
        self.wins, self.scores, self.seconds = [0.0] * count, [0.0] * count, [0.0] * count
        self._matches: list[Match] = []
        self._deals: list[list[Tally]] = []  # by deal and entry
        self._wager = Wager(1 / seats)

    def add(self, outcome: Outcome) -> None:
        self.games += 1
        self.actions += outcome.actions
        tallies = self._tallies(outcome.deal)
        for seat, entry in enumerate(outcome.order):
            self.appearances[entry] += 1
            self.scores[entry] += outcome.scores[seat]
            tallies[entry].seats += 1
        for seat in outcome.winners:
            self.wins[outcome.order[seat]] += 1 / len(outcome.winners)
            tallies[outcome.order[seat]].wins += 1 / len(outcome.winners)
        for entry, (seconds, moves) in enumerate(zip(outcome.seconds, outcome.moves, strict=True)):
            self.seconds[entry] += seconds
            self.moves[entry] += moves
        self._matches.append(duels(outcome.order, outcome.places))

    def _tallies(self, deal: int) -> "list[Tally]":
        """What the entries got of this deal; the deal before it is over, and the wager on it is settled."""
        while len(self._deals) <= deal:
            if self._deals and self._deals[-1][0].seats:
                self._wager.settle(self._deals[-1][0].share)
            self._deals.append([Tally() for _ in self.names])
        return self._deals[deal]

    def interval(self, entry: int) -> Interval:
        deals = [(deal[entry].wins, deal[entry].seats) for deal in self._deals if deal[entry].seats]
        return share_interval(deals)

    @property
    def clear(self) -> bool:
        """Whether the first entry is better or worse beyond doubt, by the deals that are over."""
        return self._wager.won

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
    """Play the tasks into the table; says whether a clear lead stopped them early (see `stats.Wager`)."""
    with results(play_task, tasks, jobs) as played:
        for outcome in watch(played):
            table.add(outcome)
            if stop_when_clear and table.clear and table.games < len(tasks):
                return True
    return False
