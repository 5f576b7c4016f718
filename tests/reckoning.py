"""When somebody is awake, and when time is up: reckoned once more, step by step, for tests to compare with.

Nothing of the service is used. Whatever a test changes, it changes on full hours, and every offset of a time
zone is a multiple of a quarter: within a quarter nobody falls asleep or wakes up.
"""

from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

STEP = 900.0
SETTLE = 60.0  # docs/time.md: a turn is told 60 seconds after it began
NEVER = datetime(2100, 1, 1, tzinfo=UTC).timestamp()
Span = tuple[float, float]


class Habits(NamedTuple):
    """From a moment on: the zone somebody lives in, and the hours at which they go to bed and get up."""

    since: float
    tz: str
    bed: int
    up: int


class Holiday(NamedTuple):
    first: date
    last: date
    announced: float


class Life:
    """All that somebody said about their time."""

    def __init__(self) -> None:
        self.habits: list[Habits] = []
        self.holidays: list[Holiday] = []

    def at(self, moment: float) -> Habits:
        return [habits for habits in self.habits if habits.since <= moment][-1]

    def awake(self, moment: float, habits: Habits | None = None) -> bool:
        """Whether they are awake: by the habits of that moment, or by those of an earlier one."""
        habits = habits or self.at(moment)
        local = datetime.fromtimestamp(moment, ZoneInfo(habits.tz))
        abed = local.hour >= habits.bed or local.hour < habits.up
        return not abed and not any(
            away.first <= local.date() <= away.last and moment >= away.announced for away in self.holidays
        )

    def next_awake(self, moment: float) -> float:
        """The first moment from this one on in which they are awake."""
        while not self.awake(moment):
            moment = _next(moment)
        return moment

    def time_up(self, start: float, left: float, rests: Iterable[Span] = ()) -> float:
        """When so many seconds of waking time are used up; nothing is used while the match rests."""
        habits = self.at(start)
        for begin, end in self._used(start, NEVER, habits, tuple(rests)):
            if end - begin >= left:
                return begin + left
            left -= end - begin
        raise AssertionError("time has no end")

    def used(self, start: float, end: float, rests: Iterable[Span] = ()) -> float:
        """How much waking time passed."""
        return sum(b - a for a, b in self._used(start, end, self.at(start), tuple(rests)))

    def _used(self, start: float, end: float, habits: Habits, rests: tuple[Span, ...]) -> Iterator[Span]:
        while start < end:
            stop = min(_next(start), end, *(edge for rest in rests for edge in rest if edge > start))
            if self.awake(start, habits) and not any(a <= start < b for a, b in rests):
                yield start, stop
            start = stop

    def mornings(self, hour: int, begin: float, end: float) -> Iterator[float]:
        """That hour of every day, where they live then."""
        day = datetime.fromtimestamp(begin, UTC).date() - timedelta(days=1)
        while True:
            zone = ZoneInfo(self.at(max(begin, _noon(day))).tz)
            moment = datetime.combine(day, time(hour), zone).timestamp()
            if moment > end:
                return
            if moment >= begin:
                yield moment
            day += timedelta(days=1)


def _noon(day: date) -> float:
    return datetime.combine(day, time(12), UTC).timestamp()


def _next(moment: float) -> float:
    return (moment // STEP + 1) * STEP
