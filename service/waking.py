"""When a player is awake: local hours in their own time zone, days of vacation, and the arithmetic on both.

Times are seconds since 1970. A profile holds from its `since`; a turn uses the one in force when it began, so
that nobody stretches a running deadline. Vacations are the exception: they count from their announcement on.
"""

from collections.abc import Iterator, Sequence
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import msgspec

DAY_MINUTES = 24 * 60
LONGEST_S = 366 * 24 * 3600  # nobody is waited for longer, whatever their hours say


class Vacation(msgspec.Struct, frozen=True):
    """Whole local days, both ends included."""

    first: date
    last: date
    announced: float


class Profile(msgspec.Struct, frozen=True):
    """Awake from `wake` to `sleep`, in minutes of the local day. Equal: always; wake > sleep: over midnight."""

    since: float = 0.0
    tz: str = "UTC"
    wake: int = 0
    sleep: int = 0
    vacations: tuple[Vacation, ...] = ()


def in_force(profiles: Sequence[Profile], at: float) -> Profile:
    """The profile at a moment, with every vacation that was ever announced."""
    held = [profile for profile in profiles if profile.since <= at]
    profile = held[-1] if held else profiles[0] if profiles else Profile()
    known = {vacation for one in profiles for vacation in one.vacations}
    return msgspec.structs.replace(
        profile, vacations=tuple(sorted(known, key=lambda v: (v.first, v.announced)))
    )


def after(start: float, seconds: float, profile: Profile) -> float:
    """The moment when `seconds` of waking time have passed since `start`."""
    left = seconds
    for begin, end in awake(start, profile):
        if end - begin >= left:
            return begin + left
        left -= end - begin
        if end - start > LONGEST_S:
            break
    return start + LONGEST_S


def between(start: float, end: float, profile: Profile) -> float:
    """How much of this time the player was awake."""
    total = 0.0
    for begin, stop in awake(start, profile):
        if begin >= end:
            break
        total += min(stop, end) - begin
    return total


def is_awake(at: float, profile: Profile) -> bool:
    begin, _ = next(awake(at, profile))
    return begin <= at


def awake(start: float, profile: Profile) -> Iterator[tuple[float, float]]:
    """Stretches of waking time from `start` on, in order, without an end."""
    for begin, end in _hours(start, profile):
        for part in _without_vacations(max(begin, start), end, profile):
            if part[1] > part[0]:
                yield part


def _hours(start: float, profile: Profile) -> Iterator[tuple[float, float]]:
    """Waking hours of each local day, vacations not yet taken out."""
    zone = ZoneInfo(profile.tz)
    day = datetime.fromtimestamp(start, zone).date() - timedelta(days=1)
    always = profile.wake == profile.sleep
    length = (profile.sleep - profile.wake) % DAY_MINUTES
    while True:
        begin = _moment(day, 0 if always else profile.wake, zone)
        last = day + timedelta(days=1) if always or profile.wake + length >= DAY_MINUTES else day
        end = _moment(last, 0 if always else profile.sleep, zone)
        if end > start:
            yield begin, end
        day += timedelta(days=1)


def _moment(day: date, minutes: int, zone: ZoneInfo) -> float:
    """A local time of day as a moment. One that a change of clocks skips comes that much later."""
    return datetime.combine(day, time(minutes // 60, minutes % 60), zone).timestamp()


def _without_vacations(begin: float, end: float, profile: Profile) -> Iterator[tuple[float, float]]:
    zone = ZoneInfo(profile.tz)
    for vacation in profile.vacations:
        away = max(_moment(vacation.first, 0, zone), vacation.announced)
        back = _moment(vacation.last + timedelta(days=1), 0, zone)
        if back <= begin or away >= end or away >= back:
            continue
        if away > begin:
            yield begin, away
        begin = min(max(begin, back), end)
    yield begin, end
