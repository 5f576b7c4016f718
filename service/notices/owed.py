"""What a notice is, to whom it is owed, and whether it is still true: all of it from the match's log."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from engine.events import Holder
from engine.identity import account_id
from engine.match import Chair, Match
from engine.undo import waited_for
from service.time.history import History
from service.time.marks import latest, standing


class Owed(NamedTuple):
    """One notice.

    `kind`: turn, remind-<per cent>, begun, asked, wish-<what>, stepped, away, relieved, over, rematch; with
    `-owner` behind it, it is for the owner of a seat that somebody else plays.
    """

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

    @property
    def about(self) -> str:
        """What is behind the topic: a share, a wish, `owner`."""
        return self.kind.partition("-")[2]


def recipient(match: Match, past: History, owed: Owed, again: Match | None = None) -> str | None:
    """The account that is owed this notice; None if it is not true any more. `again`: the rematch."""
    if not 0 <= owed.seat < len(match.chairs):
        return None
    holder = _addressed(match.chairs[owed.seat], owed)
    if holder is None or holder.kind != "person" or not _true(match, past, owed, holder.id, again):
        return None
    return account_id(holder.id)


def _addressed(chair: Chair, owed: Owed) -> Holder | None:
    if owed.topic == "away" or owed.about == "owner":
        return chair.owner
    if owed.topic == "relieved":
        return predecessor(chair)
    return chair.owner or chair.holder if owed.topic == "rematch" else chair.holder


def predecessor(chair: Chair) -> Holder | None:
    """Who sat there before the seat changed hands."""
    return chair.parts[-2].holder if len(chair.parts) > 1 else None


def _true(match: Match, past: History, owed: Owed, who: str, again: Match | None) -> bool:
    if owed.topic == "over":
        return match.status == "finished" and match.seq == owed.since
    if owed.topic == "rematch":
        return again is not None and again.status == "open" and again.seat_of(who) is None
    return match.status == "running" and owed.topic in _TRUE and _TRUE[owed.topic](match, past, owed)


def _turn_lasts(match: Match, past: History, owed: Owed) -> bool:
    turn = None if match.paused else past.current(owed.seat)
    return turn is not None and turn.root == owed.since


def _is_asked(match: Match, past: History, owed: Owed) -> bool:
    asked = match.ask is not None and match.ask.seq == owed.since and owed.seat in waited_for(match)
    return asked and latest(past.marks, "asked", owed.since) is not None


def _is_wished(match: Match, past: History, owed: Owed) -> bool:
    wanted = any((mark.kind, mark.seq) == (owed.about, owed.since) for mark in standing(past.marks, match))
    return wanted and owed.seat in match.people and (owed.seat, owed.about) not in match.votes


def _has_begun(match: Match, past: History, owed: Owed) -> bool:
    """Until it is this seat's turn for the first time: that is told in its own words."""
    started = latest(past.marks, "started", owed.since)
    return started is not None and not match.paused and all(turn.seat != owed.seat for turn in past.turns)


def _was_taken(match: Match, _: History, owed: Owed) -> bool:
    parts = match.chairs[owed.seat].parts
    return bool(parts) and parts[-1].seq == owed.since


def _is_substituted(match: Match, past: History, owed: Owed) -> bool:
    """Somebody plays for another since that event, and still does."""
    mark = latest(past.marks, "substitute", owed.since)
    return mark is not None and match.chairs[mark.seat].parts[-1].seq == owed.since


_TRUE: Mapping[str, Callable[[Match, History, Owed], bool]] = {
    "turn": _turn_lasts,
    "remind": _turn_lasts,
    "asked": _is_asked,
    "wish": _is_wished,
    "begun": _has_begun,
    "away": _was_taken,
    "relieved": _was_taken,
    "stepped": _is_substituted,
}
