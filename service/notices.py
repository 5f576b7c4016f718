"""Which notices a match owes to whom, and when: derived from its log, never remembered as a duty.

A notice belongs to a turn (match, seat, seq of the turn's start). It is due after a settling delay, never in
the recipient's quiet hours, and no longer owed once somebody has moved.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

import msgspec

from engine.match import Match
from engine.undo import waited_for
from infra.profiles import Times
from service.history import History, Turn, seconds
from service.origins import is_as_it_came
from service.waking import after, between, in_force, next_awake

SETTLE_S = 60.0  # somebody who looks at the page needs no letter
PERSON = "account:"


class Wishes(msgspec.Struct, frozen=True):
    """How an account wants to be told: of each turn, once a day, or not at all."""

    mode: str = "each"
    digest_at: str = "08:00"
    reminders: tuple[int, ...] = (25,)  # per cent of a turn's time that are left


class Owed(NamedTuple):
    """One notice. `kind`: turn, remind-<per cent>, asked, away, over."""

    kind: str
    match: str
    seat: int
    since: int

    @property
    def member(self) -> str:
        return f"{self.kind} {self.match} {self.seat} {self.since}"

    @classmethod
    def read(cls, member: str) -> "Owed":
        kind, match, seat, since = member.split(" ")
        return cls(kind, match, int(seat), int(since))

    @property
    def topic(self) -> str:
        return self.kind.partition("-")[0]


def wishes(raw: Any) -> Wishes:
    return Wishes() if raw is None else msgspec.convert(raw, Wishes)


def recipient(match: Match, past: History, owed: Owed) -> str | None:
    """The account that is owed this notice; None if it is not true any more."""
    if not 0 <= owed.seat < len(match.chairs):
        return None
    chair = match.chairs[owed.seat]
    holder = chair.owner if owed.topic == "away" else chair.holder
    if holder is None or holder.kind != "person" or not _true(match, past, owed):
        return None
    return holder.id.removeprefix(PERSON)


def _true(match: Match, past: History, owed: Owed) -> bool:
    chair = match.chairs[owed.seat]
    match owed.topic:
        case "turn" | "remind":
            turn = past.current(owed.seat) if match.status == "running" and not match.paused else None
            return turn is not None and turn.root == owed.since
        case "asked":
            return match.ask is not None and match.ask.seq == owed.since and owed.seat in waited_for(match)
        case "away":
            return match.status == "running" and bool(chair.parts) and chair.parts[-1].seq == owed.since
        case "over":
            return match.status == "finished" and match.seq == owed.since
    return False


def planned(
    match: Match,
    past: History,
    last_by: str,
    deadlines: Mapping[int, float],
    times: Mapping[str, Times],
    asked: Mapping[str, Wishes],
) -> Iterator[tuple[Owed, float]]:
    """Every notice that this match owes now, with the moment when it is due. `times`, `asked` by account."""
    for owed, moment in _moments(match, past, last_by, deadlines, times, asked):
        who = recipient(match, past, owed)
        if who is not None and who in times:
            yield owed, next_awake(moment, in_force(times[who], moment))


def _moments(
    match: Match,
    past: History,
    last_by: str,
    deadlines: Mapping[int, float],
    times: Mapping[str, Times],
    asked: Mapping[str, Wishes],
) -> Iterator[tuple[Owed, float]]:
    now = seconds(match.updated) + SETTLE_S
    for seat in match.to_act:
        turn = past.current(seat)
        if turn is not None:
            who = turn.who.removeprefix(PERSON)
            yield from _of_turn(match, turn, deadlines.get(seat), times.get(who), asked.get(who, Wishes()))
    for seat, chair in enumerate(match.chairs):
        if chair.owner is not None and chair.parts and chair.parts[-1].why == "timed_out":
            yield Owed("away", match.id, seat, chair.parts[-1].seq), past.timed_out(seat) + SETTLE_S
        if match.status == "finished" and chair.holder is not None and chair.holder.id != last_by:
            yield Owed("over", match.id, seat, match.seq), now
    for seat in waited_for(match):
        assert match.ask is not None
        yield Owed("asked", match.id, seat, match.ask.seq), seconds(match.ask.at) + SETTLE_S


def _of_turn(
    match: Match, turn: Turn, deadline: float | None, times: Times | None, asked: Wishes
) -> Iterator[tuple[Owed, float]]:
    if asked.mode != "each" or times is None:
        return
    if not turn.own and turn.root == turn.seq:
        yield Owed("turn", match.id, turn.seat, turn.root), turn.start + SETTLE_S
    if deadline is None:
        return
    profile = in_force(times, turn.start)
    whole = between(turn.start, deadline, profile)
    for share in asked.reminders:
        moment = after(turn.start, whole * (100 - share) / 100, profile)
        yield Owed(f"remind-{share}", match.id, turn.seat, turn.root), max(moment, turn.start + SETTLE_S)


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
    """Everybody who may be told of this match; of one that came as it is from a file, nobody."""
    if is_as_it_came(match):
        return []
    holders = [holder for chair in match.chairs for holder in (chair.holder, chair.owner)]
    return sorted({h.id.removeprefix(PERSON) for h in holders if h is not None and h.kind == "person"})
