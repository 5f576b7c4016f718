"""What everybody deserves to be told of a match, and when: read off its log by the rules of docs/time.md.

Who was waited for is the log's own word (`service.time.history`); moments are reckoned by `tests.reckoning`.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from itertools import groupby
from typing import Any, NamedTuple

from engine import codec
from engine.log import load
from service.time.history import TurnSpan, history
from tests.reckoning import NEVER, SETTLE, Span
from tests.week import Person

EDGE = 0.01  # two things in the same moment: either may be seen first
A_MINUTE = 60.0
REMIND = 0.25  # of the time that is left
MAX_A_DAY = 3  # questions of one seat that are told
ENDS_A_QUESTION = ("acted", "undo_answered", "undone", "handed_over", "returned", "finished")
ENDS_A_WISH = ("acted", "undone", "paused", "finished")
MAY_END_A_WISH = ("handed_over", "returned")


class Due(NamedTuple):
    """A notice that somebody is owed, between two moments; unless `must`, it may also be missing."""

    kind: str
    match: str
    person: Person
    first: float
    last: float
    must: bool


class Wait(NamedTuple):
    """A turn of a person, with all the stretches into which taking back has cut it."""

    person: Person
    parts: tuple[TurnSpan, ...]
    end: float
    limit: float  # when its time is up
    rested: bool  # whether the match was paused meanwhile

    @property
    def start(self) -> float:
        return self.parts[0].start

    @property
    def own(self) -> bool:
        return self.parts[0].own


class Story:
    """A log, and what follows from it for people."""

    def __init__(self, lines: list[bytes], people: Mapping[str, Person], last: float) -> None:
        self.events: list[dict[str, Any]] = [codec.decode(line) for line in lines]
        self.match, self.people, self.last = load(lines), people, last
        past = history(lines)
        self.rests = [(pause.start, pause.end or NEVER) for pause in past.pauses]
        turns = sorted(past.turns, key=lambda turn: (turn.seat, turn.root, turn.seq))
        groups = groupby(turns, key=lambda turn: (turn.seat, turn.root))
        self.waits = [self._wait(tuple(parts)) for _, parts in groups if turns]
        self.waits = [wait for wait in self.waits if wait is not None]
        self.all_turns = past.turns
        assert self.match.clock is not None
        self.clock = float(self.match.clock["seconds"])

    def _wait(self, parts: tuple[TurnSpan, ...]) -> Any:
        person = self.people.get(parts[0].who)
        if person is None:
            return None
        assert self.match.clock is not None
        left, limit = float(self.match.clock["seconds"]), 0.0
        for part in parts:
            limit = person.life.time_up(part.start, left, self.rests)
            left -= person.life.used(part.start, part.end, self.rests) if part.end is not None else 0.0
        end = NEVER if parts[-1].end is None else parts[-1].end
        rested = any(a < end and parts[0].start < b for a, b in self.rests)
        return Wait(person, parts, end, limit, rested)

    def deserved(self) -> Iterator[Due]:
        yield from self._turns()
        yield from self._reminders()
        yield from self._caretakers()
        yield from self._start()
        yield from self._questions()
        yield from self._wishes()
        yield from self._end()

    def _due(self, kind: str, person: Person, due: float, until: float) -> Iterator[Due]:
        """Told in the minute after it is due, if it is still true then."""
        if due > until + EDGE or due > self.last + EDGE:
            return
        must = due < until - EDGE and due < self.last - 1
        yield Due(kind, self.match.id, person, due, due + A_MINUTE, must)

    def _when_playing(self, person: Person, moment: float) -> float:
        """Not while the match rests."""
        due = person.life.next_awake(moment)
        for begin, end in self.rests:
            if begin <= due < end:
                due = person.life.next_awake(end)
        return due

    def _turns(self) -> Iterator[Due]:
        for wait in self.waits:
            if not wait.own and wait.person.daily is None:
                due = self._when_playing(wait.person, wait.start + SETTLE)
                yield from self._due("turn", wait.person, due, wait.end)

    def _reminders(self) -> Iterator[Due]:
        for wait in self.waits:
            life, needed = wait.person.life, self._needs_reminder(wait)
            if needed is False:
                continue
            if needed is None or len(wait.parts) > 1 or wait.rested:
                yield Due("remind", self.match.id, wait.person, wait.start, min(wait.end, self.last), False)
                continue
            moment = life.time_up(wait.start, self.clock * (1 - REMIND))
            yield from self._due("remind", wait.person, life.next_awake(moment), wait.end)

    def _needs_reminder(self, wait: Wait) -> bool | None:
        """Whoever reads once a day is reminded only of what no daily letter tells in time; None: either."""
        if wait.person.daily is None or wait.own:
            return True
        morning = next(wait.person.life.mornings(wait.person.daily, wait.start + SETTLE, NEVER))
        told = wait.person.life.next_awake(morning)
        return None if abs(told - wait.limit) < EDGE else told > wait.limit

    def _caretakers(self) -> Iterator[Due]:
        for wait in self.waits:
            if wait.parts[-1].timed_out:
                seat = wait.parts[0].seat
                back = self._next(wait.end, lambda e, s=seat: e["kind"] == "returned" and e["seat"] == s)
                until = min(back, self._next(wait.end, lambda e: e["kind"] == "finished"))
                yield from self._due(
                    "away", wait.person, wait.person.life.next_awake(wait.end + SETTLE), until
                )

    def _start(self) -> Iterator[Due]:
        started = next(event for event in self.events if event["kind"] == "started")
        for seat, holder in self._sat_down():
            person = self.people[holder]
            if holder == started["by"]:
                continue
            turns = [turn.start for turn in self.all_turns if turn.seat == seat]
            until = min([*turns, self._next(_at(started), lambda e: e["kind"] == "finished")])
            moment = _at(started) + SETTLE
            if person.daily is not None:
                moment = next(person.life.mornings(person.daily, moment, NEVER))
            yield from self._due("begun", person, self._when_playing(person, moment), until)

    def _sat_down(self) -> list[tuple[int, str]]:
        return [(e["seat"], e["holder"]["id"]) for e in self.events if e["kind"] == "seated"]

    def _questions(self) -> Iterator[Due]:
        asked: dict[tuple[int, str], int] = {}
        for number, event in enumerate(self.events):
            if event["kind"] != "undo_asked":
                continue
            day = event["seat"], event["at"][:10]
            asked[day] = asked.get(day, 0) + 1
            if asked[day] > MAX_A_DAY:
                continue
            until = next((_at(e) for e in self.events[number + 1 :] if e["kind"] in ENDS_A_QUESTION), NEVER)
            for person in self._at_the_table(number):
                if person.who != event["by"]:
                    due = person.life.next_awake(_at(event) + SETTLE)
                    yield from self._due("asked", person, due, until)

    def _wishes(self) -> Iterator[Due]:
        standing = False
        for number, event in enumerate(self.events):
            if event["kind"] in ENDS_A_WISH:
                standing = False
            if event["kind"] != "agreed" or standing:
                continue
            standing = True
            yield from self._wish(number, event)

    def _wish(self, number: int, event: dict[str, Any]) -> Iterator[Due]:
        for person in self._at_the_table(number):
            if person.who == event["by"]:
                continue
            ends = [e for e in self.events[number + 1 :] if e["kind"] in ENDS_A_WISH or e["by"] == person.who]
            maybe = [e for e in self.events[number + 1 :] if e["kind"] in MAY_END_A_WISH]
            until, unsure = (_at(found[0]) if found else NEVER for found in (ends, maybe))
            due = person.life.next_awake(_at(event) + SETTLE)
            for wanted in self._due("wish", person, due, until):
                yield wanted._replace(must=wanted.must and due < unsure - EDGE)

    def _at_the_table(self, number: int) -> list[Person]:
        """The people who play at an event."""
        holders: dict[int, str] = {}
        for event in self.events[: number + 1]:
            if event["kind"] in ("seated", "handed_over", "returned"):
                holders[event["seat"]] = event["holder"]["id"]
        return [self.people[holder] for holder in holders.values() if holder in self.people]

    def _end(self) -> Iterator[Due]:
        finished = self.events[-1]
        if finished["kind"] != "finished":
            return
        for _, holder in self._sat_down():
            if holder != finished["by"]:
                person = self.people[holder]
                due = person.life.next_awake(_at(finished) + SETTLE)
                yield from self._due("over", person, due, NEVER)

    def _next(self, moment: float, wanted: Any) -> float:
        """When something happened after a moment."""
        return next((_at(e) for e in self.events if _at(e) >= moment and wanted(e)), NEVER)


def daily(stories: Iterable[Story], person: Person, span: Span) -> Iterator[Due]:
    """One letter on every day on which something waits at that hour."""
    assert person.daily is not None
    waits = [(story, wait) for story in stories for wait in story.waits if wait.person is person]
    for morning in person.life.mornings(person.daily, span[0], span[1]):
        due = person.life.next_awake(morning)
        there = [(s, w) for s, w in waits if w.start + SETTLE <= morning and w.end >= due - EDGE]
        sure = [w for s, w in there if not w.own and not w.rested and w.end > due + EDGE]
        if there:
            must = bool(sure) and due < span[1] - 1
            yield Due("digest", "", person, due, due + A_MINUTE, must)


def _at(event: dict[str, Any]) -> float:
    return datetime.fromisoformat(event["at"]).timestamp()
