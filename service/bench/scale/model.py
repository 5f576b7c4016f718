"""What a house of so many open matches needs, computed from what was measured: pure arithmetic.

Costs are added up: so much CPU time of each role for an action of a person, a turn of a bot and a look, so
much memory for a match and an event. Waiting times follow the simplest law of queues: at a share `r` of a
core they are 1 / (1 - r) times what they are in an idle house.
"""

import math
from typing import NamedTuple

import msgspec

DAY_S = 24 * 3600
GB = 1e9
SHARDS = 64  # a cluster has at most so many masters that hold matches
STEADY = 0.6  # of a core: what a process is planned to use in the busiest hour
MASTER_GB = 16.0  # that a master may hold: as much again is free for rewriting its file
MACHINE_CORES, MACHINE_GB = 8, 64.0
ROLES = ("api", "relay", "worker", "store", "queue")


class Habits(msgspec.Struct, frozen=True):
    """How people play; change them and compute again."""

    moves_a_day: float = 4.0  # of an open match, people's and bots'
    bots_share: float = 0.3  # of all moves
    looks_a_move: float = 5.0  # requests that only read, for each move of a person
    busiest: float = 2.5  # the busiest hour over the mean: people sleep, and not all at the same time
    events: float = 40.0  # of a match in the middle of its life
    watching: float = 0.02  # streams for each open match, in the busiest hour
    notices_a_move: float = 0.5


class Figures(msgspec.Struct):
    """What `turnlog bench scale` measured; microseconds of CPU by role, memory in bytes."""

    action_us: dict[str, float]
    turn_us: dict[str, float]  # of a built-in bot
    look_us: dict[str, float]
    heard_us: float  # of the API, for each event that a watcher hears
    idle: dict[str, float]  # share of a core of a whole house in which nothing happens, by role
    role_bytes: dict[str, float]  # of one process
    match_bytes: float
    event_bytes: float
    watcher_bytes: float
    quiet_p99_ms: float
    rates: list["Rate"] = []
    bots: list[tuple[int, float]] = []  # workers, turns a second
    checks: list["Check"] = []
    made: str = ""  # when and on what


class Rate(msgspec.Struct):
    """Actions a second of some API processes."""

    store: str
    apis: int
    a_second: float
    p99_ms: float


class Check(msgspec.Struct):
    """A house of real open matches: what the model said and what was seen."""

    matches: int
    minutes: float
    times: float
    rows: list[tuple[str, float, float]]  # what, predicted, seen

    def off(self) -> float:
        """The largest error, as a share of what was seen."""
        return max(abs(said - seen) / seen for _, said, seen in self.rows)


class Load(NamedTuple):
    """What happens in a second."""

    actions: float  # of people
    turns: float  # of bots
    looks: float
    heard: float

    @property
    def moves(self) -> float:
        return self.actions + self.turns


class Needs(NamedTuple):
    """Of a house of so many open matches, in its busiest hour."""

    matches: int
    moves: float
    cores: dict[str, float]
    processes: dict[str, int]
    store_gb: float
    masters: int
    machines: int
    p99_ms: float


def load(matches: float, habits: Habits, times: float | None = None) -> Load:
    """In the busiest hour; `times` the mean instead."""
    moves = matches * habits.moves_a_day / DAY_S * (habits.busiest if times is None else times)
    people = moves * (1 - habits.bots_share)
    heard = moves * habits.watching
    return Load(people, moves * habits.bots_share, people * habits.looks_a_move, heard)


def cores(figures: Figures, given: Load) -> dict[str, float]:
    """Cores that each role is busy with, without what its processes use when nothing happens."""
    found = {}
    for role in ROLES:
        micro = given.actions * figures.action_us.get(role, 0) + given.turns * figures.turn_us.get(role, 0)
        micro += given.looks * figures.look_us.get(role, 0)
        micro += given.heard * figures.heard_us if role == "api" else 0
        found[role] = micro / 1e6
    return found


def store_bytes(figures: Figures, matches: float, events: float) -> float:
    return figures.role_bytes.get("store", 0) + matches * (figures.match_bytes + events * figures.event_bytes)


def waiting_ms(figures: Figures, busy: float) -> float:
    """p99 of an action where a process is busy for this share of its core."""
    return figures.quiet_p99_ms / max(0.05, 1 - busy)


def needs(figures: Figures, matches: int, habits: Habits) -> Needs:
    given = load(matches, habits)
    busy = cores(figures, given)
    memory = store_bytes(figures, matches, habits.events) / GB
    masters = max(1, math.ceil(memory / MASTER_GB), math.ceil(busy["store"] / STEADY))
    processes = {role: max(1, math.ceil(busy[role] / STEADY)) for role in ROLES} | {"store": masters}
    idle = sum(figures.idle.get(role, 0) * count for role, count in processes.items())
    replicas = 0 if masters == 1 else masters
    held = memory * (1 if replicas == 0 else 2) * 2  # as much again while a file is rewritten
    machines = max(
        math.ceil((sum(busy.values()) + idle) / (MACHINE_CORES * STEADY)), math.ceil(held / MACHINE_GB)
    )
    p99 = waiting_ms(figures, busy["api"] / processes["api"])
    return Needs(matches, given.moves, busy, processes, memory, masters, max(1, machines), p99)


def most_matches(figures: Figures, habits: Habits) -> dict[str, float]:
    """How many open matches the parts that cannot be multiplied allow."""
    one = load(1, habits)
    memory = figures.match_bytes + habits.events * figures.event_bytes
    agenda_us = figures.action_us.get("store", 0) / 4  # of an append's commands about a quarter are agendas'
    return {
        "memory of all masters (64 shards)": SHARDS * MASTER_GB * GB / memory,
        "one master with the agendas": STEADY * 1e6 / (one.moves * max(agenda_us, 1)),
        "one queue": STEADY * 1e6 / (one.turns * max(figures.turn_us.get("queue", 0), 1)),
    }


def expected(figures: Figures, matches: int, events: float, habits: Habits, times: float) -> dict[str, float]:
    """What a check should see: one process of each role."""
    given = load(matches, habits, times)
    busy = cores(figures, given)
    total = sum(busy.values()) + sum(figures.idle.get(role, 0) for role in ROLES)
    return {
        "CPU of all roles, share of a core": total,
        "memory of the store, MB": store_bytes(figures, matches, events) / 1e6,
        "p99 of an action, ms": waiting_ms(figures, busy["api"] + figures.idle.get("api", 0)),
    }
