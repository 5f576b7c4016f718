"""Waking time, to the minute: nights, changes of clocks in both directions, other zones, vacations."""

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infra.people.profiles import Hours, Times, Vacation
from service.time import waking_hours
from service.time.waking_hours import Profile, after, between, in_force, is_awake, next_awake

PRAGUE = Hours(tz="Europe/Prague", wake=7 * 60, sleep=22 * 60)
NIGHT = Hours(tz="Europe/Prague", wake=21 * 60, sleep=6 * 60)
HOUR = 3600


def at(text: str) -> float:
    """A moment, written in UTC."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()


def said(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%d %H:%M")


@pytest.mark.parametrize(
    ("hours", "start", "seconds", "end"),
    [
        # Awake all the time: plain arithmetic.
        (Hours(), "2026-11-16 12:00", 72 * HOUR, "2026-11-19 12:00"),
        # 20:00 in Prague, two hours left of the day, the third comes after 7:00 (6:00 UTC).
        (PRAGUE, "2026-11-16 19:00", 3 * HOUR, "2026-11-17 07:00"),
        # Begun at night: the clock rests until 7:00.
        (PRAGUE, "2026-11-16 23:30", 1 * HOUR, "2026-11-17 07:00"),
        # Spring: 2026-03-29 has no 2:00 to 3:00. The day of waking hours is as long as ever, UTC shifts.
        (PRAGUE, "2026-03-28 20:00", 2 * HOUR, "2026-03-29 06:00"),
        # Autumn: 2026-10-25 has 2:00 to 3:00 twice.
        (PRAGUE, "2026-10-24 19:00", 2 * HOUR, "2026-10-25 07:00"),
        # Somebody who is awake at night lives through a night of 23 − 9 hours in spring …
        (NIGHT, "2026-03-28 20:00", 8 * HOUR, "2026-03-29 04:00"),
        (NIGHT, "2026-03-28 20:00", 9 * HOUR, "2026-03-29 20:00"),
        # … and through one of 10 hours in autumn.
        (NIGHT, "2026-10-24 19:00", 10 * HOUR, "2026-10-25 05:00"),
        # Waking at 2:30, which that night does not have: it comes at 3:30 summer time.
        (Hours(tz="Europe/Prague", wake=150, sleep=1200), "2026-03-29 00:00", 1 * HOUR, "2026-03-29 02:30"),
        # New York falls back a week later than Prague.
        (Hours(tz="America/New_York", wake=480, sleep=1200), "2026-11-01 00:30", HOUR, "2026-11-01 14:00"),
        # Half an hour's daylight saving, and zones off the hour.
        (Hours(tz="Australia/Lord_Howe", wake=480, sleep=1200), "2026-04-04 21:00", HOUR, "2026-04-04 22:30"),
        (Hours(tz="Asia/Kathmandu", wake=480, sleep=1200), "2026-11-16 00:00", HOUR, "2026-11-16 03:15"),
        # Until midnight exactly.
        (Hours(tz="UTC", wake=420, sleep=0), "2026-11-16 23:00", 2 * HOUR, "2026-11-17 08:00"),
    ],
)  # fmt: skip
def test_the_moment_when_so_much_waking_time_has_passed(
    hours: Hours, start: str, seconds: float, end: str
) -> None:
    profile = Profile(hours)
    assert said(after(at(start), seconds, profile)) == end
    assert between(at(start), at(end), profile) == seconds


def test_a_turn_keeps_the_zone_in_which_it_began() -> None:
    moved = at("2026-11-17 00:00")
    times = Times((PRAGUE, Hours(moved, "America/New_York", 7 * 60, 22 * 60)))
    before = in_force(times, at("2026-11-16 19:00"))
    assert said(after(at("2026-11-16 19:00"), 3 * HOUR, before)) == "2026-11-17 07:00"  # Prague's morning
    later = in_force(times, moved)
    assert said(after(moved, 4 * HOUR, later)) == "2026-11-17 13:00"  # 19:00 to 22:00, then 7:00 to 8:00


def test_a_vacation_counts_from_its_announcement() -> None:
    holiday = Vacation(date(2026, 11, 17), date(2026, 11, 18), announced=at("2026-11-17 10:00"))
    times = Times((PRAGUE,), (holiday,))
    start = at("2026-11-16 19:00")
    # 2 h on Monday, 7:00 to 11:00 on Tuesday before it was said, the rest on Thursday.
    assert said(after(start, 7 * HOUR, in_force(times, start))) == "2026-11-19 07:00"
    assert not is_awake(at("2026-11-17 12:00"), in_force(times, start))
    assert said(next_awake(at("2026-11-17 12:00"), in_force(times, start))) == "2026-11-19 06:00"
    unknown = in_force(times, start, known=at("2026-11-17 09:59"))
    assert said(after(start, 7 * HOUR, unknown)) == "2026-11-17 11:00"


def test_a_vacation_may_be_withdrawn() -> None:
    holiday = Vacation(date(2026, 11, 17), date(2026, 11, 27), 0.0, withdrawn=at("2026-11-18 11:00"))
    times = Times((PRAGUE,), (holiday,))
    start = at("2026-11-16 20:00")
    assert said(after(start, 2 * HOUR, in_force(times, start))) == "2026-11-18 12:00"
    early = in_force(times, start, known=at("2026-11-18 10:00"))
    assert said(after(start, 2 * HOUR, early)) == "2026-11-28 07:00"


def test_overlapping_vacations_count_once() -> None:
    first = Vacation(date(2026, 11, 17), date(2026, 11, 20), 0.0)
    second = Vacation(date(2026, 11, 19), date(2026, 11, 22), 0.0)
    profile = in_force(Times((PRAGUE,), (second, first)), 0.0)
    assert said(after(at("2026-11-16 20:00"), 2 * HOUR, profile)) == "2026-11-23 07:00"


def test_nobody_is_waited_for_longer_than_a_year() -> None:
    for_ever = Vacation(date(2026, 1, 1), date(2031, 1, 1), 0.0)
    start = at("2026-11-16 12:00")
    assert after(start, HOUR, Profile(PRAGUE, (for_ever,))) - start == 366 * 24 * HOUR


@given(
    start=st.integers(1_700_000_000, 1_900_000_000),
    seconds=st.integers(1, 10 * 24 * HOUR),
    wake=st.integers(0, 1439),
    length=st.integers(240, 1439),
    tz=st.sampled_from(["UTC", "Europe/Prague", "America/New_York", "Pacific/Auckland", "Asia/Kolkata"]),
)
def test_after_and_between_agree(start: int, seconds: int, wake: int, length: int, tz: str) -> None:
    profile = Profile(Hours(tz=tz, wake=wake, sleep=(wake + length) % 1440))
    end = after(start, seconds, profile)
    assert between(start, end, profile) == pytest.approx(seconds)
    assert end - start >= seconds


def test_of_who_is_hardly_ever_awake_no_more_than_a_year_is_looked_at(monkeypatch):
    """A minute a day, and years of waking time to wait for: the answer is known after a year of days."""
    start, days = at("2026-11-16 12:00"), []

    def minutes(start, profile):
        for day in range(1000):
            days.append(day)
            yield start + day * 24 * HOUR, start + day * 24 * HOUR + 60

    monkeypatch.setattr(waking_hours, "awake", minutes)
    assert after(start, 1000 * HOUR, Profile()) == start + waking_hours.LONGEST_S
    assert len(days) <= 368
