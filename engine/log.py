"""The match log as a fold of its own: lobby, seats, play, undo, result.

A match is never stored; it is what its lines say. Facts are folded, wishes are not judged again.
"""

from collections.abc import Sequence
from itertools import groupby
from typing import Any, cast

import msgspec
from msgspec.structs import replace

from engine import codec, registry
from engine.events import Acted, Event, Opened, Undone, head, reader
from engine.fold import acted, apply, rewound
from engine.match import Chair, Match

__all__ = ["BadLog", "Chair", "Match", "Rewound", "apply", "load"]


class BadLog(Exception):
    """A log does not hold. `line` counts from 1."""

    def __init__(self, line: int, code: str, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line, self.code, self.reason = line, code, reason


class Rewound(Exception):
    """An undo reaches behind what is in memory: fold the whole log."""


UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError)  # the second for a byte that no text has
# What folding facts raises that no engine ever decided: a fold does not judge, so it stumbles over them.
FORGED = (AssertionError, AttributeError, LookupError, TypeError, ValueError)


def load(lines: Sequence[bytes], match: Match | None = None) -> Match:
    """Fold lines onto a match (None: from the first line). Raises BadLog, Rewound."""
    before = 0 if match is None else match.seq
    if not lines:
        if match is None:
            raise BadLog(1, "empty_log", "the log is empty")
        return match
    events, broken = _read(lines, match)
    match = _folded(events, match, lines, before)
    if broken is not None:  # what came before it is judged first
        raise broken
    assert match is not None
    return replace(match, head=codec.digest(lines[-1]))


def _read(lines: Sequence[bytes], match: Match | None) -> tuple[list[Event], BadLog | None]:
    """The events up to the first line that does not fit, and what is wrong with that one."""
    key, ident, seq, previous = (
        (_key(lines[0]), None, 0, codec.ZERO)
        if match is None
        else (match.game, match.id, match.seq, match.head)
    )
    decode, digest = reader(key).decode, codec.digest
    events: list[Event] = []
    for line in lines:
        seq += 1
        try:
            event = decode(line)
        except UNREADABLE as problem:
            return events, BadLog(seq, "not_an_event", f"not an event: {problem}")
        wrong = _misfit(event, ident, seq, previous)
        if wrong is not None:
            return events, wrong
        events.append(event)
        ident, previous = event.match, digest(line)
    return events, None


def _misfit(event: Event, ident: str | None, seq: int, previous: str) -> BadLog | None:
    """Each event says where it belongs; a cut, altered, reordered or foreign line does not fit."""
    if event.seq != seq:
        return BadLog(seq, "out_of_order", f"expected event {seq}, found event {event.seq}")
    if ident is not None and event.match != ident:
        return BadLog(seq, "foreign_event", f"belongs to another match, {event.match}")
    if event.prev != previous:
        return BadLog(seq, "broken_chain", f"the hash of event {seq - 1} does not match")
    if (ident is None) is not (type(event) is Opened):
        return BadLog(seq, "out_of_order", "a log begins with `opened` and opens once")
    return None


def _folded(
    events: Sequence[Event], match: Match | None, lines: Sequence[bytes], before: int
) -> Match | None:
    """Runs of actions are folded together; if one of them cannot be, one by one, to say which."""
    for kind, run in groupby(events, type):
        if match is not None and kind is Acted:
            actions = cast(list[Acted[Any]], list(run))
            try:
                match = acted(match, actions)
                continue
            except FORGED:
                run = iter(actions)
        for event in run:
            match = _after(match, event, lines, before)
    return match


def _after(match: Match | None, event: Event, lines: Sequence[bytes], before: int) -> Match:
    try:
        return _undone(match, event, lines, before) if type(event) is Undone else apply(match, event)
    except FORGED as problem:
        raise BadLog(event.seq, "impossible", f"it cannot have happened: {problem!r}") from None


def _key(line: bytes) -> str:
    try:
        key = head(line).game
    except UNREADABLE as problem:
        raise BadLog(1, "not_an_event", f"not an event: {problem}") from None
    if key not in registry.GAMES:
        raise BadLog(1, "unknown_game", f"there is no game {key!r}" if key else "the log does not begin")
    return key


def _undone(match: Match | None, event: Undone, lines: Sequence[bytes], before: int) -> Match:
    if before:
        raise Rewound
    assert match is not None
    return rewound(match, event, load(lines[: event.to]))
