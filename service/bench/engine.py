"""The engine: random matches through the public contract, and folds of stored facts; CPU time, one core."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count
from random import Random
from typing import Any

from bots.arena import play_match
from bots.registry import bot
from engine import codec, registry
from engine.chance import quick
from engine.events import Acted, Started, reader
from engine.game import AnyGame, begin, fold, play
from engine.log import load
from service.bench.measure import Probe, rate

TARGETS = {  # random matches a second, by game and seats: see docs/performance.md
    ("tides-of-time", 2): 3000,
    ("machi-koro", 2): 984,
    ("machi-koro", 4): 1000,
    ("akropolis", 2): 300,
    ("akropolis", 4): 471,
    ("babylonia", 2): 256,
    ("world-wonders", 1): 420,
    ("world-wonders", 2): 170,
    ("world-wonders", 3): 110,
    ("world-wonders", 4): 70,
    ("world-wonders", 5): 60,
}
FACTS_TARGET = 100_000


@contextmanager
def probes() -> Iterator[list[Probe]]:
    yield [probe for rules in registry.games() for probe in _of_game(rules)]


def _of_game(rules: AnyGame) -> Iterator[Probe]:
    for seats in rules.players:
        yield Probe(
            f"{rules.key}, {seats} seats: random matches",
            "matches/s",
            partial(_matches, rules, seats, False),
            TARGETS.get((rules.key, seats)),
        )
        yield Probe(
            f"{rules.key}, {seats} seats: random actions",
            "actions/s",
            partial(_matches, rules, seats, True),
        )
    yield Probe(f"{rules.key}: fold of facts", "facts/s", lambda s: _fold(rules, s), FACTS_TARGET)
    yield Probe(f"{rules.key}: load a log", "events/s", lambda s: _load(rules, s))
    yield Probe(f"{rules.key}: legal listings", "listings/s", lambda s: _listings(rules, s))


def random_match(rules: AnyGame, seats: int, rng: Random) -> int:
    """One match with uniformly random legal actions; returns their number."""
    pick, random = quick(rng), rng.random
    to_act, legal = rules.to_act, rules.legal
    state, _ = begin(rules, seats, rules.Options(), pick)
    actions = 0
    while waiting := to_act(state):
        seat = min(waiting)
        choices = legal(state, seat)
        state, _ = play(rules, state, seat, choices[int(random() * len(choices))], pick)
        actions += 1
    return actions


def _matches(rules: AnyGame, seats: int, actions: bool, seconds: float) -> float:
    numbers = count()

    def step() -> int:
        played = random_match(rules, seats, Random(next(numbers)))
        return played if actions else 1

    return rate(step, seconds)


def _sample(rules: AnyGame) -> list[bytes]:
    seats = rules.players[-1]
    return play_match(rules, rules.Options(), ["random"] * seats, [bot("random")] * seats, "bench").lines


def _fold(rules: AnyGame, seconds: float) -> float:
    events = [reader(rules.key).decode(line) for line in _sample(rules)]
    facts: list[Any] = [f for e in events if isinstance(e, (Started, Acted)) for f in e.facts]

    def step() -> int:
        fold(rules, facts)
        return len(facts)

    return rate(step, seconds)


def _load(rules: AnyGame, seconds: float) -> float:
    lines = _sample(rules)

    def step() -> int:
        load(lines)
        return len(lines)

    return rate(step, seconds)


def _listings(rules: AnyGame, seconds: float) -> float:
    """Legal actions of positions in the middle of a match, each asked for the first time."""
    lines = _sample(rules)
    positions = [load(lines[:at]) for at in range(4, len(lines) - 2, max(1, len(lines) // 20))]
    packed = [(codec.pack(match.state), match.to_act[0]) for match in positions if match.to_act]

    def step() -> int:
        for raw, seat in fresh:
            rules.legal(raw, seat)
        return len(fresh)

    fresh = [(codec.unpack(raw, rules.State), seat) for raw, seat in packed]
    return rate(step, seconds)
