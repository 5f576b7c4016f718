"""Deadlines from real logs: per move, banks, pauses, undo, hand-overs."""

from datetime import UTC, datetime
from random import Random

import pytest

from engine.accord import agree, resume
from engine.log import load
from engine.match import Match
from engine.table import Pen, act
from engine.tenure import return_to, time_out
from engine.undo import undo
from infra.profiles import Hours, Times
from service.bootstrap import stamp
from service.history import History, extend, history, steps
from service.policy import AbsurdClock, Policy, deadlines, read_policy
from tests.tables import person, seated, step

HOUR = 3600
START = datetime(2026, 11, 16, 9, tzinfo=UTC).timestamp()
AWAKE = {0: Times(), 1: Times()}


class Table:
    """A log that is written at chosen hours after the start."""

    def __init__(self, key: str = "machi-koro") -> None:
        first = seated(key)
        self.lines, self.match = list(first.lines), first.match
        self.rng = Random(1)

    def at(self, hour: float, by: str = "x") -> Pen:
        return Pen(self.match, stamp(datetime.fromtimestamp(START + hour * HOUR, UTC)), by)

    def keep(self, pen: Pen) -> None:
        self.lines += pen.lines
        self.match = pen.match

    def step(self, hour: float) -> int:
        pen = self.at(hour)
        seat = step(pen, self.rng)
        self.keep(pen)
        return seat

    def deadlines(self, policy: Policy | None) -> dict[int, float]:
        """In hours after the start."""
        found = deadlines(history(self.lines), policy, AWAKE)
        return {seat: (moment - START) / HOUR for seat, moment in found.items()}

    @property
    def seat(self) -> int:
        return self.match.to_act[0]


def policy(**raw: object) -> Policy:
    found = read_policy(raw)
    assert found is not None
    return found


PER_MOVE = policy(kind="per_move", seconds=24 * HOUR)
BANK = policy(kind="bank", seconds=10 * HOUR, increment=2 * HOUR, cap=20 * HOUR)


def test_every_turn_has_its_own_time() -> None:
    table = Table()
    assert table.deadlines(PER_MOVE) == {table.seat: 24}
    table.step(5)
    assert table.deadlines(PER_MOVE) == {table.seat: 29}
    assert table.deadlines(None) == {}


def test_everybody_who_is_waited_for_has_a_deadline() -> None:
    table = Table("tides-of-time")
    assert table.deadlines(PER_MOVE) == {0: 24, 1: 24}
    pen = table.at(3)
    act(pen, 0, pen.match.rules.legal(pen.match.state, 0)[0])
    table.keep(pen)
    assert table.deadlines(PER_MOVE) == {1: 24}


def test_a_bank_is_used_and_filled_up_to_its_cap() -> None:
    table = Table()
    seat = table.seat
    assert table.deadlines(BANK) == {seat: 12}  # 10 + 2
    table.step(7)  # 5 left
    if table.seat == seat:
        assert table.deadlines(BANK) == {seat: 7 + 7}
    hour = 7.0
    while table.seat == seat:
        table.step(hour)
    other = table.seat
    assert table.deadlines(BANK) == {other: 7 + 12}


def test_a_cap_holds() -> None:
    tight = policy(kind="bank", seconds=10 * HOUR, increment=8 * HOUR, cap=11 * HOUR)
    table = Table()
    assert table.deadlines(tight) == {table.seat: 11}


def test_a_pause_gives_its_time_back() -> None:
    table = Table()
    seat = table.seat
    pen = table.at(4)
    agree(pen, 0, "pause")
    agree(pen, 1, "pause")
    table.keep(pen)
    assert table.deadlines(PER_MOVE) == {}
    pen = table.at(14)
    resume(pen, 0)
    table.keep(pen)
    assert table.deadlines(PER_MOVE) == {seat: 34}
    assert table.deadlines(BANK) == {seat: 22}


def test_taking_back_and_forth_stretches_no_deadline() -> None:
    table = Table("tides-of-time")
    for hour in (5, 9, 13):
        pen = table.at(hour)
        act(pen, 0, pen.match.rules.legal(pen.match.state, 0)[0])
        table.keep(pen)
        pen = table.at(hour + 1)
        to = pen.match.run[-1] - 1
        undo(pen, 0, to, load(table.lines[:to]))
        table.keep(pen)
    # Seat 0 thought from 0 to 5, 6 to 9 and 10 to 13: eleven hours.
    assert table.deadlines(PER_MOVE) == {0: 14 + 24 - 11, 1: 24}
    assert table.deadlines(BANK)[0] == 14 + 12 - 11


def test_who_returns_starts_anew() -> None:
    table = Table()
    seat = table.seat
    pen = table.at(30)
    time_out(pen, seat, "caretaker")
    table.keep(pen)
    pen = table.at(40)
    return_to(pen, seat, person(seat).id)
    table.keep(pen)
    assert table.deadlines(PER_MOVE) == {seat: 64}
    assert table.deadlines(BANK) == {seat: 52}


def test_a_turn_times_out_once() -> None:
    table = Table()
    pen = table.at(30)
    time_out(pen, table.seat, "wait")
    table.keep(pen)
    assert table.deadlines(PER_MOVE) == {}


def test_nights_do_not_count() -> None:
    table = Table()
    prague = Times((Hours(tz="Europe/Prague", wake=7 * 60, sleep=22 * 60),))
    found = deadlines(history(table.lines), PER_MOVE, {table.seat: prague})
    # From 10:00 in Prague: 12 h on Monday, 12 h on Tuesday until 19:00 (18:00 UTC).
    assert (found[table.seat] - START) / HOUR == 33


def test_a_history_grows_as_the_log_does() -> None:
    table = Table()
    for hour in range(12):
        table.step(hour)
    half: Match = load(table.lines[:8])
    grown = extend(history(table.lines[:8]), half, steps(half, table.lines[8:]))
    assert grown == history(table.lines)
    assert isinstance(grown, History)


@pytest.mark.parametrize(
    "raw",
    [
        {},
        {"kind": "per_move"},
        {"kind": "per_move", "seconds": 0},
        {"kind": "per_move", "seconds": -5},
        {"kind": "per_move", "seconds": 10**12},
        {"kind": "per_move", "seconds": 1.5},
        {"kind": "per_move", "seconds": "60"},
        {"kind": "per_move", "seconds": 60, "increment": 5},
        {"kind": "per_move", "seconds": 60, "timeout": "shout"},
        {"kind": "bank", "seconds": 60, "increment": -1, "cap": 60},
        {"kind": "bank", "seconds": 60, "increment": 1, "cap": 59},
        {"kind": "hourglass", "seconds": 60},
        [],
        "per_move",
    ],
)
def test_absurd_clocks_are_refused(raw: object) -> None:
    with pytest.raises(AbsurdClock):
        read_policy(raw)


def test_no_clock_is_no_clock() -> None:
    assert read_policy(None) is None
