"""Which notices a match owes, and when: derived from its log, never remembered as a duty.

A notice belongs to a turn or another event of a match (match, seat, seq). It is due after a settling delay,
never in the recipient's quiet hours, and no longer owed once it is not true any more.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

import msgspec

from engine.identity import account_id
from engine.match import Match
from engine.undo import waited_for
from infra.people.profiles import Times
from service.memory.origins import is_as_it_came
from service.notices.owed import Owed, predecessor, recipient
from service.time.history import History, TurnSpan, seconds
from service.time.marks import Mark, latest, standing
from service.time.waking_hours import after, between, in_force, next_awake

SETTLE_S = 60.0  # somebody who looks at the page needs no letter
CAN_WAIT = ("begun", "stepped")  # news that ask for nothing: who reads once a day gets them then
LAST_CALL = (25,)  # for readers of a daily letter who have no reminders: of a deadline before the next letter


class Wishes(msgspec.Struct, frozen=True):
    """How an account wants to be told: of each turn, once a day, or not at all."""

    mode: str = "each"
    digest_at: str = "08:00"
    reminders: tuple[int, ...] = (25,)  # per cent of a turn's time that are left


class Reader(NamedTuple):
    """Somebody who may be told of a match."""

    wishes: Wishes
    times: Times


Readers = Mapping[str, Reader]  # by account; whoever is not in it wants silence
Due = tuple[Owed, float]


def wishes(raw: Any) -> Wishes:
    return Wishes() if raw is None else msgspec.convert(raw, Wishes)


def planned(
    match: Match,
    past: History,
    last_by: str,
    deadlines: Mapping[int, float],
    readers: Readers,
    again: Match | None = None,
) -> Iterator[Due]:
    """Every notice that this match owes now, with the moment when it is due. `again`: its rematch."""
    over = match.status == "finished"
    for owed, moment in (
        _of_the_end(match, last_by, again) if over else _on_the_way(match, past, deadlines, readers)
    ):
        who = recipient(match, past, owed, again)
        if who is not None and who in readers:
            yield owed, _suits(readers[who], owed, moment)


def _suits(reader: Reader, owed: Owed, moment: float) -> float:
    """When a notice that could be told at this moment suits its reader."""
    profile = in_force(reader.times, moment)
    if reader.wishes.mode == "digest" and owed.topic in CAN_WAIT:
        _, moment = next_digest(moment, reader.wishes.digest_at, profile.hours.tz)
    return next_awake(moment, profile)


def _on_the_way(
    match: Match, past: History, deadlines: Mapping[int, float], readers: Readers
) -> Iterator[Due]:
    for seat in match.to_act:
        turn = past.current(seat)
        reader = readers.get(account_id(turn.who)) if turn is not None else None
        if turn is not None and reader is not None:
            yield from _of_turn(match, turn, deadlines.get(seat), reader)
    for seat, chair in enumerate(match.chairs):
        if chair.owner is not None and chair.parts and chair.parts[-1].why == "timed_out":
            yield Owed("away", match.id, seat, chair.parts[-1].seq), past.timed_out(seat) + SETTLE_S
    for kind, seat, mark in _marked(match, past):
        yield Owed(kind, match.id, seat, mark.seq), seconds(mark.at) + SETTLE_S


def _of_turn(match: Match, turn: TurnSpan, deadline: float | None, reader: Reader) -> Iterator[Due]:
    wish, times = reader
    if wish.mode == "each" and not turn.own and turn.root == turn.seq:
        yield Owed("turn", match.id, turn.seat, turn.root), turn.start + SETTLE_S
    if deadline is None or (wish.mode == "digest" and _told_daily(turn, reader, deadline)):
        return
    profile = in_force(times, turn.start)
    whole = between(turn.start, deadline, profile)
    for share in wish.reminders or (LAST_CALL if wish.mode == "digest" else ()):
        moment = after(turn.start, whole * (100 - share) / 100, profile)
        yield Owed(f"remind-{share}", match.id, turn.seat, turn.root), max(moment, turn.start + SETTLE_S)


def _told_daily(turn: TurnSpan, reader: Reader, deadline: float) -> bool:
    """Whether a daily letter names the turn before its time is up."""
    daily = digest_of(turn, reader)
    return daily is not None and next_awake(daily[1], in_force(reader.times, daily[1])) < deadline


def digests(match: Match, past: History, readers: Readers) -> Iterator[tuple[str, float]]:
    """The daily letters that name the turns of now, as the agenda calls them, each with its moment."""
    for seat in match.to_act:
        turn = past.current(seat)
        who = account_id(turn.who) if turn else ""
        daily = digest_of(turn, readers[who]) if turn is not None and who in readers else None
        if daily is not None:
            yield digest_member(who, daily[0]), daily[1]


def digest_member(who: str, day: str) -> str:
    return f"digest {who} 0 {day}"


def digest_of(turn: TurnSpan, reader: Reader) -> tuple[str, float] | None:
    """The day and moment of the first daily letter with this turn; of their own doing, people know."""
    if turn.own or reader.wishes.mode != "digest":
        return None
    tz = in_force(reader.times, turn.start).hours.tz
    return next_digest(turn.start + SETTLE_S, reader.wishes.digest_at, tz)


def _marked(match: Match, past: History) -> Iterator[tuple[str, int, Mark]]:
    """Who should hear of what happened besides turns: kind, the reader's seat, and what it was."""
    started = past.marks[0] if past.marks and past.marks[0].kind == "started" else None
    asked = latest(past.marks, "asked", match.ask.seq) if match.ask is not None else None
    for seat, chair in enumerate(match.chairs):
        if started is not None and chair.holder is not None and chair.holder.id != started.by:
            yield "begun", seat, started
        yield from _of_hands(match, past, seat)
    for seat in waited_for(match) if asked is not None else ():
        assert asked is not None
        yield "asked", seat, asked
    for wish in standing(past.marks, match):
        yield from ((f"wish-{wish.kind}", seat, wish) for seat in match.people)


def _of_hands(match: Match, past: History, seat: int) -> Iterator[tuple[str, int, Mark]]:
    """A seat has changed hands: a substitute came, went, or had to go."""
    chair = match.chairs[seat]
    mark = latest(past.marks, "", chair.parts[-1].seq) if len(chair.parts) > 1 else None
    if mark is None:
        return
    if mark.kind == "substitute":
        yield "stepped-owner", seat, mark
        yield from (("stepped", other, mark) for other in match.people if other != seat)
    elif mark.kind == "relieved":
        yield "relieved", seat, mark
    elif mark.kind == "gone" and predecessor(chair) != chair.owner:
        yield "away", seat, mark


def _of_the_end(match: Match, last_by: str, again: Match | None) -> Iterator[Due]:
    """Whose doing it was knows; all others are told, also who left the seat to somebody else."""
    now = seconds(match.updated) + SETTLE_S
    for seat, chair in enumerate(match.chairs):
        for kind, holder in (("over", chair.holder), ("over-owner", chair.owner)):
            if holder is not None and holder.id != last_by:
                yield Owed(kind, match.id, seat, match.seq), now
        if again is not None:
            yield Owed("rematch", match.id, seat, match.seq), seconds(again.opened) + SETTLE_S


def next_digest(moment: float, digest_at: str, tz: str) -> tuple[str, float]:
    """The day and the moment of the first daily letter at or after a moment."""
    zone = ZoneInfo(tz)
    hour, minute = map(int, digest_at.split(":"))
    day = datetime.fromtimestamp(moment, zone).date()
    for ahead in range(3):
        that = day + timedelta(days=ahead)
        at = datetime(that.year, that.month, that.day, hour, minute, tzinfo=zone).timestamp()
        if at >= moment:
            return that.isoformat(), at
    raise AssertionError("a day has a morning")


def accounts(match: Match) -> Sequence[str]:
    """Everybody who may be told of this match, also who had to leave a seat last.

    Of one that came as it is from a file, nobody.
    """
    if is_as_it_came(match):
        return []
    chairs = match.chairs
    holders = [holder for chair in chairs for holder in (chair.holder, chair.owner, predecessor(chair))]
    return sorted({account_id(h.id) for h in holders if h is not None and h.kind == "person"})
