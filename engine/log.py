"""The match log as a fold of its own: lobby, seats, play, undo, result.

A match is never stored; it is what its lines say. Facts are folded, wishes are not judged again.

An undo brings back the position after an earlier event. All undos of what is folded are looked up first, and
the positions that they name are kept on the way: one pass is enough, however they are nested.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

from msgspec.structs import replace

from engine import codec, registry
from engine.codec import UNREADABLE
from engine.events import VERSION, Acted, Event, Opened, Undone, head, read, reader
from engine.fold import acted, apply, rewound
from engine.game import AnyGame
from engine.match import Chair, Match
from engine.upcast import UnknownEnvelope

__all__ = [
    "FORGED",
    "UNKNOWN_VERSION",
    "BadLog",
    "Chair",
    "Match",
    "Past",
    "Rewound",
    "after",
    "apply",
    "events_of",
    "latest",
    "load",
    "steps",
]


class BadLog(Exception):
    """A log is not valid. `line` counts from 1."""

    def __init__(self, line: int, code: str, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line, self.code, self.reason = line, code, reason


class Rewound(Exception):
    """An undo reaches behind what is in memory: fold the whole log."""


UNKNOWN_VERSION = "unknown_version"  # of rules or envelope: nobody here can say anything about the log
# What folding facts raises that no engine ever decided: a fold does not judge, so it stumbles over them.
FORGED = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)


class Past:
    """Positions of a match by the event that led to them: those that undos come back to."""

    def __init__(self, wanted: Collection[int], known: Mapping[int, Match], match: Match | None) -> None:
        self.wanted, self._known = wanted, known
        self._kept: dict[int, Match] = {}
        self._begin = 0 if match is None else match.seq
        self.note(match)

    def note(self, match: Match | None) -> None:
        """The fold has come to this position."""
        if match is not None and match.seq in self.wanted:
            self._kept[match.seq] = match

    def at(self, seq: int) -> Match:
        """Raises Rewound if it lies before what is folded here, LookupError if it never was."""
        found = self._kept.get(seq) or self._known.get(seq)
        if found is None:
            raise Rewound if 0 < seq < self._begin else LookupError(f"there is no position {seq} yet")
        return found


def load(
    lines: Sequence[bytes], match: Match | None = None, known: Mapping[int, Match] | None = None
) -> Match:
    """Fold lines onto a match (None: from the first line). Raises BadLog, Rewound.

    `known` are earlier positions of the same log, for undos that reach behind `match`.
    """
    if not lines and match is not None:
        return match
    return latest(lines, 1, match, known)[-1]


def latest(
    lines: Sequence[bytes],
    count: int,
    match: Match | None = None,
    known: Mapping[int, Match] | None = None,
) -> list[Match]:
    """The same, with the match after each of the last `count` lines. Raises BadLog, Rewound."""
    if not lines:
        raise BadLog(1, "empty_log", "the log is empty")
    events, broken = events_of(lines, match)
    ends = {event.seq: line for event, line in zip(events[-count:], lines[-count:], strict=False)}
    past = Past(_returns(events) | ends.keys(), known or {}, match)
    _fold(events, match, past)
    if broken is not None:  # what came before it is judged first
        raise broken
    return [replace(past.at(seq), head=codec.digest(line)) for seq, line in ends.items()]


def steps(
    lines: Sequence[bytes], match: Match | None = None, known: Mapping[int, Match] | None = None
) -> Iterator[tuple[Any, Match]]:
    """Each event of a sound log with the match after it (its `head` is left out). Raises BadLog, Rewound."""
    if not lines:
        return
    events = _decoded(_rules(lines[0]) if match is None else match.rules, lines)
    past = Past(_returns(events), known or {}, match)
    for event in events:
        match = after(match, event, past)
        past.note(match)
        yield event, match


def _decoded(rules: AnyGame, lines: Sequence[bytes]) -> list[Event]:
    decode = reader(rules.key, rules.version).decode
    try:
        events: list[Event] = [decode(line) for line in lines]
    except UNREADABLE:
        events = []
    today = len(events) == len(lines) and all(event.v == VERSION for event in events)
    return events if today else [read(rules, line) for line in lines]


def _returns(events: Iterable[Event]) -> set[int]:
    """The positions that undos come back to."""
    return {event.to for event in events if type(event) is Undone}


def events_of(lines: Sequence[bytes], match: Match | None = None) -> tuple[list[Event], BadLog | None]:
    """The events up to the first line that does not fit, and what is wrong with that one."""
    rules, ident, seq, previous = (
        (_rules(lines[0]), None, 0, codec.ZERO)
        if match is None
        else (match.rules, match.id, match.seq, match.head)
    )
    decode, digest = reader(rules.key, rules.version).decode, codec.digest
    events: list[Event] = []
    for line in lines:
        seq += 1
        try:
            event = decode(line)
        except UNREADABLE:
            event = None
        if event is None or event.v != VERSION:
            event = _older(rules, line, seq)
            if type(event) is BadLog:
                return events, event
        fits = event.seq == seq and event.prev == previous and event.match == ident
        if not fits or type(event) is Opened:  # the usual line costs no call
            wrong = _misfit(event, ident, seq, previous)
            if wrong is not None:
                return events, wrong
        events.append(event)
        ident, previous = event.match, digest(line)
    return events, None


def _older(rules: AnyGame, line: bytes, seq: int) -> Any:
    """A line that is not of today's envelope: an event all the same, or what is wrong with it."""
    try:
        return read(rules, line)
    except UnknownEnvelope as problem:
        return BadLog(seq, UNKNOWN_VERSION, str(problem))
    except UNREADABLE as problem:
        return BadLog(seq, "not_an_event", f"not an event: {problem}")


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


def _fold(events: Sequence[Event], match: Match | None, past: Past) -> None:
    """Runs of actions are folded together; if one of them cannot be, one by one, to say which."""
    for run in _runs(events, past.wanted):
        match = _together(match, run) or _one_by_one(match, run, past)
        past.note(match)


def _together(match: Match | None, run: Sequence[Event]) -> Match | None:
    if match is None or type(run[0]) is not Acted:
        return None
    try:
        return acted(match, cast(Sequence[Acted[Any]], run))
    except FORGED:
        return None


def _one_by_one(match: Match | None, run: Sequence[Event], past: Past) -> Match | None:
    for event in run:
        match = after(match, event, past)
    return match


def _runs(events: Iterable[Event], wanted: Collection[int]) -> Iterator[list[Event]]:
    """Actions that may be folded together: no position between them is wanted. The rest alone."""
    run: list[Event] = []
    for event in events:
        if run and type(event) is not Acted:
            yield run
            run = []
        run.append(event)
        if type(event) is not Acted or event.seq in wanted:
            yield run
            run = []
    if run:
        yield run


def after(match: Match | None, event: Event, past: Past) -> Match:
    try:
        if type(event) is not Undone:
            return apply(match, event)
        assert match is not None
        return rewound(match, event, past.at(event.to))
    except FORGED as problem:
        raise BadLog(event.seq, "impossible", f"it cannot have happened: {problem!r}") from None


def _rules(line: bytes) -> AnyGame:
    """Those under which a log says that it was played."""
    try:
        first = head(line)
    except UNREADABLE as problem:
        raise BadLog(1, "not_an_event", f"not an event: {problem}") from None
    key, version = first.game, first.version
    try:
        return registry.game(key, version)
    except registry.UnknownGame:
        why = f"there is no game {key!r}" if key else "the log does not begin"
        raise BadLog(1, "unknown_game", why) from None
    except registry.UnknownVersion:
        why = f"version {version} of the rules of {key!r} is not known here"
        raise BadLog(1, UNKNOWN_VERSION, why) from None
