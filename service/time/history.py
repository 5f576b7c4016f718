"""What clocks and notices need of a log: who was waited for when, since which event, and why."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

import msgspec
from msgspec.structs import replace

from engine.events import Event, Paused, Resumed, TimedOut, Undone
from engine.log import load, steps
from engine.match import Match
from service.time.marks import Mark, note_mark

Step = tuple[Any, Match]  # an event, and the match after it


class TurnSpan(msgspec.Struct, frozen=True):
    """A stretch of time in which a seat was waited for.

    A player who freely takes an action back is in the same turn again: a new stretch with the same root.
    """

    seat: int
    seq: int  # the event that began it
    start: float
    who: str  # the seat's holder
    root: int = 0
    end: float | None = None  # None while it lasts
    until: int | None = None  # the event that ended it
    own: bool = False  # begun by its own holder, who therefore knows
    timed_out: bool = False


class Pause(msgspec.Struct, frozen=True):
    start: float
    end: float | None = None


class History(msgspec.Struct, frozen=True):
    turns: tuple[TurnSpan, ...] = ()
    pauses: tuple[Pause, ...] = ()
    marks: tuple[Mark, ...] = ()

    def current(self, seat: int) -> TurnSpan | None:
        """The turn in which a seat is waited for now."""
        return next((turn for turn in reversed(self.turns) if turn.seat == seat and turn.end is None), None)

    def timed_out(self, seat: int) -> float:
        """When a seat's time ran out last."""
        return max((t.end for t in self.turns if t.seat == seat and t.timed_out and t.end), default=0.0)

    def rooted(self, seat: int, root: int) -> TurnSpan | None:
        """The latest stretch of the turn of a seat that began with event `root`."""
        return next((t for t in reversed(self.turns) if t.seat == seat and t.root == root), None)


def seconds(stamp: str) -> float:
    return datetime.fromisoformat(stamp).timestamp()


def history(lines: Sequence[bytes]) -> History:
    """Of a whole log; folds it once."""
    match = load(lines[:1])
    return extend(History(), match, steps(lines[1:], match))


def extend(past: History, before: Match, news: Iterable[Step]) -> History:
    """A history with what happened since."""
    turns, pauses, marks = list(past.turns), list(past.pauses), list(past.marks)
    for event, match in news:
        _note_turns(turns, before, match, event)
        _note_pause(pauses, event)
        note_mark(marks, before, event)
        before = match
    return History(tuple(turns), tuple(pauses), tuple(marks))


def _note_turns(turns: list[TurnSpan], before: Match, match: Match, event: Event) -> None:
    if isinstance(event, TimedOut):
        _change(turns, event.seat, timed_out=True)
    for seat, since in enumerate(match.since):
        if since == before.since[seat]:
            continue
        if before.since[seat]:
            _change(turns, seat, end=seconds(event.at), until=event.seq)
        if since:
            turns.append(_begun(turns, match, seat, event))


def _begun(turns: Sequence[TurnSpan], match: Match, seat: int, event: Event) -> TurnSpan:
    holder = match.chairs[seat].holder
    who = holder.id if holder is not None else ""
    root = _resumed(turns, seat, event.to) if isinstance(event, Undone) and not event.assisted else None
    return TurnSpan(seat, event.seq, seconds(event.at), who, root or event.seq, own=event.by == who)


def _resumed(turns: Sequence[TurnSpan], seat: int, to: int) -> int | None:
    """The root of the turn that the seat was in after event `to`: if any, its last one begun by then."""
    for index in range(bisect_right(turns, to, key=lambda turn: turn.seq) - 1, -1, -1):
        turn = turns[index]
        if turn.seat == seat:
            return turn.root if turn.until is None or turn.until > to else None
    return None


def _change(turns: list[TurnSpan], seat: int | None, **changes: Any) -> None:
    for index in range(len(turns) - 1, -1, -1):
        if turns[index].seat == seat and turns[index].end is None:
            turns[index] = replace(turns[index], **changes)
            return


def _note_pause(pauses: list[Pause], event: Event) -> None:
    if isinstance(event, Paused):
        pauses.append(Pause(seconds(event.at)))
    elif isinstance(event, Resumed) and pauses:
        pauses[-1] = replace(pauses[-1], end=seconds(event.at))
