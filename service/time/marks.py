"""Moments of a log that somebody should hear of although no turn begins with them.

A few of each kind for a seat and day: who proposes a thousand times on purpose sends no thousand letters.
"""

from typing import Any

import msgspec

from engine.events import Agreed, HandedOver, Returned, Started, UndoAsked
from engine.match import Match

MAX_A_DAY = 3  # of a kind, for each seat and day; more of them are only at the table


class Mark(msgspec.Struct, frozen=True):
    """`kind`: started, asked, pause, abandon, substitute, gone, relieved; of which seat."""

    kind: str
    seat: int
    seq: int
    at: str
    by: str


def note_mark(marks: list[Mark], before: Match, event: Any) -> None:
    """Add what an event is worth telling, unless there is enough of it today."""
    kind = _kind(before, event)
    if not kind:
        return
    mark = Mark(kind, -1 if event.seat is None else event.seat, event.seq, event.at, event.by)
    if _today(marks, mark) < MAX_A_DAY:
        marks.append(mark)


def _kind(before: Match, event: Any) -> str:
    match event:
        case Started():
            return "started"
        case UndoAsked():
            return "asked"
        case Agreed(agree=True) if event.what not in (what for _, what in before.votes):
            return str(event.what)
        case HandedOver(why="substitute"):
            return "substitute"
        case HandedOver() | Returned() if substitute := _substitute(before, event.seat):
            return "gone" if substitute == event.by else "relieved"
    return ""


def _substitute(match: Match, seat: int | None) -> str:
    """Who plays for the owner of a seat; nobody if that is a bot."""
    assert seat is not None
    chair = match.chairs[seat]
    stands_in = chair.owner is not None and chair.holder is not None and chair.holder.kind == "person"
    return chair.holder.id if stands_in and chair.holder is not None else ""


def _today(marks: list[Mark], mark: Mark) -> int:
    """How many of this kind there are since midnight, UTC: a few days at most are looked at."""
    count = 0
    for old in reversed(marks):
        if old.at[:10] != mark.at[:10]:
            break
        count += (old.kind, old.seat) == (mark.kind, mark.seat)
    return count


def standing(marks: tuple[Mark, ...], match: Match) -> list[Mark]:
    """The wishes that wait for everybody's word: who began with each."""
    wanted = {what for _, what in match.votes}
    return list({mark.kind: mark for mark in marks if mark.kind in wanted}.values()) if wanted else []


def latest(marks: tuple[Mark, ...], kind: str, seq: int) -> Mark | None:
    """The mark at an event, if it is of this kind; "" is any."""
    for mark in reversed(marks):
        if mark.seq <= seq:
            return mark if mark.seq == seq and kind in ("", mark.kind) else None
    return None
