"""The match log as a fold of its own: lobby, seats, play, undo, result.

A match is never stored; it is what its lines say. Facts are folded, wishes are not judged again.
"""

from collections.abc import Callable, Sequence

import msgspec
from msgspec.structs import replace

from engine import codec, registry
from engine.events import Event, Opened, Undone, head, reader
from engine.fold import apply, rewound
from engine.match import Chair, Match

__all__ = ["BadLog", "Chair", "Match", "Rewound", "apply", "load"]


class BadLog(Exception):
    """A log does not hold. `line` counts from 1."""

    def __init__(self, line: int, code: str, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line, self.code, self.reason = line, code, reason


class Rewound(Exception):
    """An undo reaches behind what is in memory: fold the whole log."""


# What folding facts raises that no engine ever decided: a fold does not judge, so it stumbles over them.
FORGED = (AssertionError, AttributeError, LookupError, TypeError, ValueError)


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
        try:
            match = _undone(match, event, lines, before) if type(event) is Undone else apply(match, event)
        except FORGED as problem:
            raise BadLog(before + number, "impossible", f"it cannot have happened: {problem!r}") from None
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


def _undone(match: Match | None, event: Undone, lines: Sequence[bytes], before: int) -> Match:
    if before:
        raise Rewound
    assert match is not None
    return rewound(match, event, load(lines[: event.to]))
