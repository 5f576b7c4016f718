"""The match log as a fold of its own: lobby, seats, play, undo, result.

A match is never stored; it is what its lines say. Facts are folded, wishes are not judged again.
"""

from collections.abc import Callable, Sequence
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from engine import chance, codec, registry
from engine.events import (
    Abandoned,
    Acted,
    Cancelled,
    Event,
    Finished,
    Forked,
    HandedOver,
    Holder,
    Left,
    Nonce,
    Opened,
    Place,
    Resigned,
    Returned,
    Seated,
    Started,
    Undone,
    head,
    reader,
)
from engine.game import AnyGame, Pick, Result, fold

Status = Literal["open", "running", "finished", "cancelled"]


class BadLog(Exception):
    """A log does not hold. `line` counts from 1."""

    def __init__(self, line: int, code: str, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line, self.code, self.reason = line, code, reason


class Rewound(Exception):
    """An undo reaches behind what is in memory: fold the whole log."""


class Chair(msgspec.Struct, frozen=True, gc=False):
    """A seat with whoever holds it."""

    place: Place
    holder: Holder | None = None
    owner: Holder | None = None  # the person for whom a caretaker sits
    nonce: str = ""
    resigned: bool = False


class Match(msgspec.Struct, frozen=True, gc=False):
    id: str
    game: str
    version: int
    options: Any
    listed: bool
    clock: dict[str, Any] | None
    creator: str
    opened: str  # times are data: nothing here compares them
    updated: str
    status: Status
    seq: int
    head: str
    seal: str
    seed: str
    chairs: tuple[Chair, ...]
    since: tuple[int, ...]  # by seat: seq of the event that put it into to_act; 0 = not waited for
    state: Any = None
    result: Result | None = None
    assisted: bool = False

    @property
    def rules(self) -> AnyGame:
        return registry.game(self.game)

    @property
    def dice(self) -> Pick:
        return chance.dice(bytes.fromhex(self.seed), [chair.nonce for chair in self.chairs])

    @property
    def to_act(self) -> list[int]:
        return [seat for seat, seq in enumerate(self.since) if seq] if self.status == "running" else []

    def seat_of(self, account: str | None) -> int | None:
        """The seat that a person holds, or owns while a caretaker sits there."""
        for seat, chair in enumerate(self.chairs):
            holder = chair.owner or chair.holder
            if account and holder is not None and holder.kind != "bot" and holder.id == account:
                return seat
        return None


def load(lines: Sequence[bytes], match: Match | None = None) -> Match:
    """Fold lines onto a match (None: from the first line). Raises BadLog, Rewound."""
    before = 0 if match is None else match.seq
    if not lines:
        if match is None:
            raise BadLog(1, "empty_log", "the log is empty")
        return match
    key = _key(lines[0]) if match is None else match.game
    decode = reader(key).decode
    previous = codec.ZERO if match is None else match.head
    for number, line in enumerate(lines, 1):
        event = _decode(decode, line, before + number)
        _expect(event, match, before + number, previous)
        match = _undone(match, event, lines, before) if type(event) is Undone else apply(match, event)
        previous = codec.digest(line)
    assert match is not None
    return replace(match, head=previous)


def _key(line: bytes) -> str:
    try:
        key = head(line).game
    except msgspec.DecodeError as problem:
        raise BadLog(1, "not_an_event", f"not an event: {problem}") from None
    if key not in registry.GAMES:
        raise BadLog(1, "unknown_game", f"there is no game {key!r}" if key else "the log does not begin")
    return key


def _decode(decode: Callable[[bytes], Event], line: bytes, number: int) -> Event:
    try:
        return decode(line)
    except msgspec.DecodeError as problem:
        raise BadLog(number, "not_an_event", f"not an event: {problem}") from None


def _expect(event: Event, match: Match | None, seq: int, previous: str) -> None:
    """Each event says where it belongs; a cut, altered, reordered or foreign line does not fit."""
    if event.seq != seq:
        raise BadLog(seq, "out_of_order", f"expected event {seq}, found event {event.seq}")
    if match is not None and event.match != match.id:
        raise BadLog(seq, "foreign_event", f"belongs to another match, {event.match}")
    if event.prev != previous:
        raise BadLog(seq, "broken_chain", f"the hash of event {seq - 1} does not match")
    if (match is None) is not isinstance(event, Opened):
        raise BadLog(seq, "out_of_order", "a log begins with `opened` and opens once")


def apply(match: Match | None, event: Any) -> Match:
    """The match after one event. `head` is left to whoever has the event's bytes."""
    after = _APPLY.get(type(event), _noted)(match, event)
    return replace(after, seq=event.seq, updated=event.at)


def _opened(_: None, event: Opened) -> Match:
    game = registry.game(event.game)
    return Match(
        id=event.match,
        game=event.game,
        version=event.version,
        options=msgspec.json.decode(event.options, type=game.Options),
        listed=event.listed,
        clock=event.clock,
        creator=event.by,
        opened=event.at,
        updated=event.at,
        status="open",
        seq=0,
        head="",
        seal=event.seal,
        seed=event.seed,
        chairs=tuple(Chair(place) for place in event.places),
        since=(0,) * len(event.places),
    )


def _chair(match: Match, seat: int | None, **changes: Any) -> Match:
    assert seat is not None
    chairs = list(match.chairs)
    chairs[seat] = replace(chairs[seat], **changes)
    return replace(match, chairs=tuple(chairs))


def _seated(match: Match, event: Seated) -> Match:
    return _chair(match, event.seat, holder=event.holder, nonce=event.nonce)


def _left(match: Match, event: Left) -> Match:
    return _chair(match, event.seat, holder=None, nonce="")


def _nonce(match: Match, event: Nonce) -> Match:
    return _chair(match, event.seat, nonce=event.nonce)


def _started(match: Match, event: Started[Any]) -> Match:
    state = fold(match.rules, event.facts)
    return _moved(replace(match, status="running"), state, event.seq, None)


def _acted(match: Match, event: Acted[Any]) -> Match:
    state = fold(match.rules, event.facts, match.state)
    return _moved(match, state, event.seq, event.seat)


def _moved(match: Match, state: Any, seq: int, actor: int | None) -> Match:
    """Who is waited for since when: whoever acted and must act again starts a new turn."""
    waiting = match.rules.to_act(state)
    since = tuple(
        0 if seat not in waiting else seq if seat == actor or not old else old
        for seat, old in enumerate(match.since)
    )
    return replace(match, state=state, since=since)


def _undone(match: Match | None, event: Undone, lines: Sequence[bytes], before: int) -> Match:
    """The position after event `to` comes back; seats and holders stay as they are now."""
    if before:
        raise Rewound
    assert match is not None
    past = load(lines[: event.to])
    since = tuple(event.seq if seq else 0 for seq in past.since)
    assisted = match.assisted or event.assisted
    return replace(match, state=past.state, since=since, assisted=assisted, seq=event.seq, updated=event.at)


def _handed_over(match: Match, event: HandedOver) -> Match:
    assert event.seat is not None
    chair = match.chairs[event.seat]
    return _chair(match, event.seat, holder=event.holder, owner=chair.owner or chair.holder)


def _returned(match: Match, event: Returned) -> Match:
    return _chair(match, event.seat, holder=event.holder, owner=None)


def _resigned(match: Match, event: Resigned) -> Match:
    return _chair(match, event.seat, resigned=True)


def _finished(match: Match, event: Finished) -> Match:
    return replace(match, status="finished", result=event.result, since=(0,) * len(match.since))


def _ended(match: Match, event: Abandoned | Cancelled) -> Match:
    status: Status = "cancelled" if isinstance(event, Cancelled) else "finished"
    return replace(match, status=status, since=(0,) * len(match.since))


def _forked(match: Match, event: Forked) -> Match:
    state = codec.unpack(codec.decode(bytes(event.state)), match.rules.State)
    chairs = tuple(_vacated(chair) for chair in match.chairs)
    forked = replace(match, seal=event.seal, seed=event.seed, status="running", chairs=chairs, assisted=True)
    return _moved(replace(forked, since=(0,) * len(chairs)), state, event.seq, None)


def _vacated(chair: Chair) -> Chair:
    """People of another server are not known here; built-in bots are at home everywhere."""
    if chair.holder is not None and chair.holder.kind == "bot" and chair.owner is None:
        return chair
    return replace(chair, place=Place("open"), holder=None, owner=None)


def _noted(match: Match, _: Event) -> Match:
    """Events that matter to clocks and readers, not to the fold."""
    return match


_APPLY: dict[type, Callable[[Any, Any], Match]] = {
    Opened: _opened,
    Seated: _seated,
    Left: _left,
    Nonce: _nonce,
    Started: _started,
    Acted: _acted,
    HandedOver: _handed_over,
    Returned: _returned,
    Resigned: _resigned,
    Finished: _finished,
    Abandoned: _ended,
    Cancelled: _ended,
    Forked: _forked,
}
