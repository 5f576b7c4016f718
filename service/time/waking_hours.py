"""When a player is awake: local hours in their own time zone, days of vacation, and the arithmetic on both.

Times are seconds since 1970. A turn uses the hours in force when it began, so that nobody stretches a running
deadline. Vacations are the exception: they count from their announcement on.
"""

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from math import inf
from zoneinfo import ZoneInfo

import msgspec

from infra.people.profiles import Hours, Times, Vacation

LONGEST_S = 366 * 24 * 3600  # nobody is waited for longer, whatever their hours say
ALWAYS = Hours()


class Profile(msgspec.Struct, frozen=True):
    """The hours of one turn, and the vacations that are known."""

    hours: Hours = Hours()
    vacations: tuple[Vacation, ...] = ()


def in_force(times: Times, at: float, known: float = inf) -> Profile:
    """The hours at a moment, with every vacation that was announced by the moment `known`."""
    return with_vacations(hours_at(times, at), times, known)


def hours_at(times: Times, at: float) -> Hours:
    """The hours at a moment; before the first of them, these."""
    for hours in reversed(times.hours):
        if hours.since <= at:
            return hours
    return times.hours[0] if times.hours else ALWAYS


def with_vacations(hours: Hours, times: Times, known: float = inf) -> Profile:
    """These hours, with every vacation that was announced by the moment `known`."""
    vacations = sorted((_as_of(v, known) for v in times.vacations if v.announced <= known), key=_order)
    return Profile(hours, tuple(vacations))


def _as_of(vacation: Vacation, known: float) -> Vacation:
    if vacation.withdrawn is None or vacation.withdrawn <= known:
        return vacation
    return msgspec.structs.replace(vacation, withdrawn=None)


def _order(vacation: Vacation) -> tuple[date, float]:
    return vacation.first, vacation.announced


def after(start: float, seconds: float, profile: Profile) -> float:
    """The moment when `seconds` of waking time have passed since `start`."""
    left = seconds
    for begin, end in awake(start, profile):
        if end - begin >= left:
            return min(begin + left, start + LONGEST_S)
        left -= end - begin
        if end - start > LONGEST_S:
            break
    return start + LONGEST_S


@lru_cache(maxsize=8192)  # a turn that was taken up again and again is added up again and again
def between(start: float, end: float, profile: Profile) -> float:
    """How much of this time the player was awake."""
    total = 0.0
    for begin, stop in awake(start, profile):
        if begin >= end:
            break
        total += min(stop, end) - begin
    return total


def is_awake(at: float, profile: Profile) -> bool:
    return next_awake(at, profile) <= at


def next_awake(at: float, profile: Profile) -> float:
    """This moment if the player is awake in it, else the next one in which they are."""
    begin, _ = next(awake(at, profile))
    return begin


def awake(start: float, profile: Profile) -> Iterator[tuple[float, float]]:
    """Stretches of waking time from `start` on, in order, without an end."""
    for begin, end in _hours(start, profile.hours):
        for part in _without_vacations(max(begin, start), end, profile):
            if part[1] > part[0]:
                yield part


def _hours(start: float, hours: Hours) -> Iterator[tuple[float, float]]:
    """Waking hours of each local day, vacations not yet taken out."""
    zone = ZoneInfo(hours.tz)
    day = datetime.fromtimestamp(start, zone).date() - timedelta(days=1)
    always = hours.wake == hours.sleep
    over_midnight = always or hours.sleep < hours.wake
    while True:
        begin = _moment(day, hours.wake, zone)
        end = _moment(day + timedelta(days=1) if over_midnight else day, hours.sleep, zone)
        if end > start:
            yield begin, end
        day += timedelta(days=1)


def _moment(day: date, minutes: int, zone: ZoneInfo) -> float:
    """A local time of day as a moment. One that a change of clocks skips comes that much later."""
    return datetime.combine(day, time(minutes // 60, minutes % 60), zone).timestamp()


def _without_vacations(begin: float, end: float, profile: Profile) -> Iterator[tuple[float, float]]:
    zone = ZoneInfo(profile.hours.tz)
    for vacation in profile.vacations:
        away = max(_moment(vacation.first, 0, zone), vacation.announced)
        back = min(_moment(vacation.last + timedelta(days=1), 0, zone), vacation.withdrawn or inf)
        if back <= begin or away >= end or away >= back:
            continue
        if away > begin:
            yield begin, away
        begin = min(max(begin, back), end)
    yield begin, end
