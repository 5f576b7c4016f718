"""Deadlines from real logs: per move, banks, pauses, undo, hand-overs."""

from collections.abc import Callable
from datetime import UTC, datetime
from random import Random
from typing import Any

import pytest
from msgspec import structs
from pydantic import TypeAdapter

from engine.accord import agree, resume
from engine.log import load, steps
from engine.match import Match
from engine.policy import InvalidClock, Policy, read_policy
from engine.table import LogWriter, act
from engine.tenure import return_to, time_out
from engine.undo import undo
from infra.people.profiles import Hours, Times
from service.api.matches.lobby import Clock
from service.bootstrap import stamp
from service.time.history import History, TurnSpan, extend, history
from service.time.policy import deadlines
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

    def at(self, hour: float, by: str = "x") -> LogWriter:
        return LogWriter(self.match, stamp(datetime.fromtimestamp(START + hour * HOUR, UTC)), by)

    def keep(self, writer: LogWriter) -> None:
        self.lines += writer.lines
        self.match = writer.match

    def step(self, hour: float) -> int:
        writer = self.at(hour)
        seat = step(writer, self.rng)
        self.keep(writer)
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
    writer = table.at(3)
    act(writer, 0, writer.match.rules.legal(writer.match.state, 0)[0])
    table.keep(writer)
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
    writer = table.at(4)
    agree(writer, 0, "pause")
    agree(writer, 1, "pause")
    table.keep(writer)
    assert table.deadlines(PER_MOVE) == {}
    writer = table.at(14)
    resume(writer, 0)
    table.keep(writer)
    assert table.deadlines(PER_MOVE) == {seat: 34}
    assert table.deadlines(BANK) == {seat: 22}


def test_taking_back_and_forth_stretches_no_deadline() -> None:
    table = Table("tides-of-time")
    for hour in (5, 9, 13):
        writer = table.at(hour)
        act(writer, 0, writer.match.rules.legal(writer.match.state, 0)[0])
        table.keep(writer)
        writer = table.at(hour + 1)
        to = writer.match.run[-1] - 1
        undo(writer, 0, to, load(table.lines[:to]))
        table.keep(writer)
    # Seat 0 thought from 0 to 5, 6 to 9 and 10 to 13: eleven hours.
    assert table.deadlines(PER_MOVE) == {0: 14 + 24 - 11, 1: 24}
    assert table.deadlines(BANK)[0] == 14 + 12 - 11


def test_who_returns_starts_anew() -> None:
    table = Table()
    seat = table.seat
    writer = table.at(30)
    time_out(writer, seat, "caretaker")
    table.keep(writer)
    writer = table.at(40)
    return_to(writer, seat, person(seat).id)
    table.keep(writer)
    assert table.deadlines(PER_MOVE) == {seat: 64}
    assert table.deadlines(BANK) == {seat: 52}


def test_a_turn_times_out_once() -> None:
    table = Table()
    writer = table.at(30)
    time_out(writer, table.seat, "wait")
    table.keep(writer)
    assert table.deadlines(PER_MOVE) == {}


def test_nights_do_not_count() -> None:
    table = Table()
    prague = Times((Hours(tz="Europe/Prague", wake=7 * 60, sleep=22 * 60),))
    found = deadlines(history(table.lines), PER_MOVE, {table.seat: prague})
    # From 10:00 in Prague: 12 h on Monday, 12 h on Tuesday until 19:00 (18:00 UTC).
    assert (found[table.seat] - START) / HOUR == 33


def utc(text: str) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()


@pytest.mark.parametrize(
    ("tz", "began", "hours", "deadline"),
    [
        # Prague, 7:00 to 22:00. Spring: 15 waking hours a day, but Sunday's begin an hour of UTC earlier.
        ("Europe/Prague", "2026-03-28 20:00", 24, "2026-03-30 13:00"),  # 1 + 15 + 8 until 15:00 summer time
        # Autumn: Sunday's begin an hour of UTC later.
        ("Europe/Prague", "2026-10-24 19:00", 24, "2026-10-26 14:00"),  # 1 + 15 + 8 until 15:00 winter time
        # New York changes on other days: March 8 and November 1.
        ("America/New_York", "2026-03-08 02:00", 24, "2026-03-09 19:00"),  # 1 + 15 + 8 until 15:00
        ("America/New_York", "2026-11-01 01:00", 24, "2026-11-02 20:00"),
        # The south goes the other way: Sydney turns forward on October 4 and back on April 5.
        ("Australia/Sydney", "2026-10-03 11:00", 24, "2026-10-05 04:00"),
        ("Australia/Sydney", "2026-04-04 10:00", 24, "2026-04-06 05:00"),
    ],
)
def test_deadlines_across_a_change_of_clocks(tz: str, began: str, hours: int, deadline: str) -> None:
    times = Times((Hours(tz=tz, wake=7 * 60, sleep=22 * 60),))
    past = History((TurnSpan(seat=0, seq=4, start=utc(began), who="account:a", root=4),))
    found = deadlines(past, policy(kind="per_move", seconds=hours * HOUR), {0: times})
    assert datetime.fromtimestamp(found[0], UTC).strftime("%Y-%m-%d %H:%M") == deadline


def test_moving_to_another_zone_in_the_middle_of_a_turn() -> None:
    """The turn that runs keeps Prague's nights; the next one has New York's."""
    prague = Hours(tz="Europe/Prague", wake=7 * 60, sleep=22 * 60)
    moved = Hours(utc("2026-11-16 20:00"), "America/New_York", 7 * 60, 22 * 60)
    times = Times((prague, moved))
    running = TurnSpan(seat=0, seq=4, start=utc("2026-11-16 19:00"), who="account:a", root=4)
    per_move = policy(kind="per_move", seconds=10 * HOUR)
    # 20:00 to 22:00 in Prague, then 7:00 to 15:00 (14:00 UTC).
    assert deadlines(History((running,)), per_move, {0: times}) == {0: utc("2026-11-17 14:00")}
    after_it = TurnSpan(seat=0, seq=9, start=utc("2026-11-17 01:00"), who="account:a", root=9)
    # 20:00 to 22:00 in New York, then 7:00 to 15:00 (20:00 UTC).
    assert deadlines(History((after_it,)), per_move, {0: times}) == {0: utc("2026-11-17 20:00")}
    # A bank that paid for the first turn by Prague's hours and runs by New York's now.
    bank = policy(kind="bank", seconds=10 * HOUR, cap=10 * HOUR)
    done = structs.replace(running, end=utc("2026-11-16 23:00"), until=8)  # two waking hours of Prague used
    assert deadlines(History((done, after_it)), bank, {0: times}) == {0: utc("2026-11-17 18:00")}


def test_a_history_grows_as_the_log_does() -> None:
    table = Table()
    for hour in range(12):
        table.step(hour)
    half: Match = load(table.lines[:8])
    grown = extend(history(table.lines[:8]), half, steps(table.lines[8:], half))
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
    with pytest.raises(InvalidClock):
        read_policy(raw)


def test_no_clock_is_no_clock() -> None:
    assert read_policy(None) is None


@pytest.mark.parametrize("seconds", [0, 1, 60, 365 * 86400, 365 * 86400 + 1])
@pytest.mark.parametrize("kind", ["per_move", "bank"])
@pytest.mark.parametrize(
    "more", [{}, {"timeout": "resign"}, {"timeout": "never"}, {"cap": 0}, {"increment": -1}]
)
def test_the_api_and_the_log_take_the_same_clocks(kind: str, seconds: int, more: dict[str, Any]) -> None:
    """Two shapes of one thing: what OpenAPI shows and refuses, and what is read from logs."""
    given = {"kind": kind, "seconds": seconds, **more}

    def takes(read: Callable[[Any], Any]) -> bool:
        try:
            read(given)
        except ValueError:
            return False
        return True

    assert takes(TypeAdapter(Clock).validate_python) is takes(read_policy)
