"""Bots: iterations of the search a second, and what a simulation loses; CPU time, one core."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count, cycle
from random import Random
from typing import Any, NamedTuple

from bots import greedy
from bots.arena import play_unwritten
from bots.budget import Budget
from bots.registry import bot
from bots.search import think
from engine import registry
from engine.chance import quick
from engine.game import AnyGame, begin, play
from service.bench.engine import random_match
from service.bench.measure import Probe, rate

TARGETS = {"tides-of-time": 3000}  # iterations a second: see docs/performance.md
TARGET = 500
GREEDY_MS = 100
OF_THE_ENGINE = 0.6  # what a simulation without a log may lose to the table, the dice and the bots
POSITIONS = 24
BUDGET = Budget(iterations=100)


class Position(NamedTuple):
    view: Any
    seat: int
    legal: Any


@contextmanager
def probes() -> Iterator[list[Probe]]:
    yield [probe for rules in registry.games() for probe in _of_game(rules)]


def _of_game(rules: AnyGame) -> Iterator[Probe]:
    seats = max(2, rules.players[0])
    yield Probe(
        f"{rules.key}, {seats} seats: search",
        "iterations/s",
        partial(_search, rules, seats),
        TARGETS.get(rules.key, TARGET),
    )
    yield Probe(
        f"{rules.key}, {seats} seats: greedy, slowest answer",
        "ms",
        partial(_greedy, rules, seats),
        GREEDY_MS,
        less_is_better=True,
    )
    yield Probe(
        f"{rules.key}, {seats} seats: greedy against greedy", "matches/s", partial(_duels, rules, seats)
    )
    yield Probe(
        f"{rules.key}, {seats} seats: simulations of random bots over bare random matches",
        "",
        partial(_of_the_engine, rules, seats),
        OF_THE_ENGINE,
    )


def positions(rules: AnyGame, seats: int) -> list[Position]:
    """Decisions with a choice, spread over random matches."""
    rng = Random(rules.key)
    found: list[Position] = []
    pick = quick(rng)
    while len(found) < 20 * POSITIONS:
        state, _ = begin(rules, seats, rules.Options(), pick)
        while waiting := rules.to_act(state):
            seat = min(waiting)
            legal = rules.legal(state, seat)
            if len(legal) > 1:
                found.append(Position(rules.view(state, seat), seat, legal))
            state, _ = play(rules, state, seat, rng.choice(legal), pick)
    return rng.sample(found, POSITIONS)


def _search(rules: AnyGame, seats: int, seconds: float) -> float:
    asked = cycle(positions(rules, seats))

    def step() -> int:
        view, seat, legal = next(asked)
        return think(rules, view, seat, legal, Random(1), BUDGET).iterations

    return rate(step, seconds)


def _greedy(rules: AnyGame, seats: int, _seconds: float) -> float:
    """The longest that any of the positions takes."""
    return max(_ms(rules, *position) for position in positions(rules, seats))


def _duels(rules: AnyGame, seats: int, seconds: float) -> float:
    return rate(_simulation(rules, seats, "greedy"), seconds)


def _of_the_engine(rules: AnyGame, seats: int, seconds: float) -> float:
    """In turns, so that a busy machine slows both."""
    numbers = count()
    simulated = rate(_simulation(rules, seats, "random"), seconds / 2)
    return simulated / rate(lambda: bool(random_match(rules, seats, Random(next(numbers)))), seconds / 2)


def _simulation(rules: AnyGame, seats: int, name: str) -> Callable[[], int]:
    numbers = count()

    def step() -> int:
        seed = f"bench {next(numbers)}"
        play_unwritten(rules, rules.Options(), [name] * seats, [bot(name)] * seats, seed)
        return 1

    return step


def _ms(rules: AnyGame, view: Any, seat: int, legal: Any) -> float:
    started = time.process_time()
    greedy.choose(rules, view, seat, legal, Random(1))
    return 1000 * (time.process_time() - started)
