"""Derives a log again, deed by deed, and says of each check where the log first says something else."""

import re
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from engine import codec, registry, table, upcast
from engine.events import Acted, Event, Finished, Forked, Opened, Seated, Started, TimedOut, UndoAsked, Undone
from engine.game import Illegal
from engine.identity import ACCOUNT, SYSTEM
from engine.log import FORGED, BadLog, Past, after, events_of
from engine.match import Match
from engine.policy import InvalidClock, read_policy
from engine.proof.deeds import DEEDS, Scene
from engine.proof.redecide import same_result, undecided
from engine.proof.report import CHECKS, Report, What
from engine.table import LogWriter, NewTable, Refused

# Which check a field that differs fails; every other one is a matter of order. The chain was checked before.
FIELDS: dict[str, tuple[What, str]] = {
    "salt": ("salts", "wrong_salt"),
    "seal": ("seal", "broken_seal"),
    "seed": ("seal", "wrong_seed"),
    "by": ("holders", "not_theirs"),
    "holder": ("holders", "not_theirs"),
    "result": ("result", "differs"),
}
CHAINED = ("match", "seq", "prev")
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
SEED = re.compile(r"([0-9a-f]{2})+")
OPENER = re.compile(rf"{ACCOUNT}.+|{SYSTEM}")  # the system opens simulations
TAKEN = ("person", "bot", "remote")  # places that have their holder from the opening on


class Sealed(Exception):
    """Without the seed nothing else can be looked at."""


def examine(lines: Sequence[bytes]) -> Report:
    """Everything that can be checked about a log's events. Never raises, whatever they say."""
    try:
        events, broken = events_of(lines)
    except (BadLog, IndexError) as problem:
        broken = problem if isinstance(problem, BadLog) else BadLog(1, "empty_log", "the log is empty")
        return Report("", 0, 0, {"chain": broken})
    broken = broken or next((bad for bad in map(_misspelt, events, lines) if bad is not None), None)
    opened = events[0] if events else None
    if broken is not None or not isinstance(opened, Opened):
        return Report("", 0, 0, {"chain": broken})
    return _derived(opened, events, lines)


def _derived(opened: Opened, events: Sequence[Event], lines: Sequence[bytes]) -> Report:
    derived, game = Derivation(events, lines), registry.game(opened.game, opened.version)
    checks: Sequence[What] = CHECKS if derived.run() else ("chain", *derived.found)
    found = {what: derived.found.get(what) for what in checks}
    played = any(isinstance(event, (Started, Forked)) for event in events)
    return Report(game.key, opened.revision, game.revision, found, game.version, played)


def _misspelt(event: Event, line: bytes) -> BadLog | None:
    """Nothing may be said in an event that is no part of it: a reader would not see it.

    A line of an older server may say less: what has a default by now was not written then.
    """
    told = codec.encode(event)
    if told == line or _is_within(upcast.lifted(codec.decode(line)), codec.decode(told)):
        return None
    return BadLog(event.seq, "not_canonical", "the line says more, or says it otherwise, than its event")


def _is_within(part: Any, whole: Any) -> bool:
    """Whether everything that the part says is said by the whole."""
    if isinstance(part, dict) and isinstance(whole, dict):
        return all(name in whole and _is_within(value, whole[name]) for name, value in part.items())
    if isinstance(part, list) and isinstance(whole, list):
        return len(part) == len(whole) and all(map(_is_within, part, whole))
    return part == whole and type(part) is type(whole)


class Derivation:
    """One pass over a log: what is due, and the first problem of each check."""

    def __init__(self, events: Sequence[Any], lines: Sequence[bytes]) -> None:
        self.events, self.lines = events, lines
        self.found: dict[What, BadLog] = {}
        self._past = Past({e.to for e in events if isinstance(e, (UndoAsked, Undone))}, {}, None)
        self._opening: tuple[int, ...] = ()
        self._late: frozenset[tuple[int, int]] = frozenset()
        self._at: Event = events[0]

    def run(self) -> bool:
        """Whether it came to the end: facts that nobody ever decided may break the fold itself."""
        try:
            match = self._opened(self.events[0])
            while match.seq < len(self.lines):
                match = self._deed(match, self.events[match.seq])
        except Sealed:
            return False
        except BadLog as problem:
            self.found.setdefault("order", problem)
            return False
        except FORGED as problem:
            self._wrong("order", self._at, "impossible", f"it cannot have happened: {problem!r}")
            return False
        self._all_seated(self.events[-1])
        return True

    def _wrong(self, what: What, event: Event, code: str, reason: str) -> None:
        self.found.setdefault(what, BadLog(event.seq, code, reason))

    def _opened(self, event: Opened) -> Match:
        """The terms of the table: seats and options that the game has, and a seal that the seed opens."""
        self._sealed(event)
        self._timed(event)
        rules = registry.game(event.game, event.version)
        writer = LogWriter(None, event.at, event.by)
        options = msgspec.json.decode(event.options, type=rules.Options)
        self._try(event, lambda: table.check_table(rules, len(event.places), options))
        self._try(event, lambda: _check_clock(event.clock))
        if event.revision < 0:
            self._wrong("order", event, "bad_revision", "no rules have such a number")
        seed, nobody = bytes.fromhex(event.seed), [None] * len(event.places)
        new = NewTable(event.match, event.places, nobody, seed, event.listed, event.clock)
        table.write_opened(writer, rules, options, new, event.revision)
        if not OPENER.fullmatch(event.by):
            self._wrong("holders", event, "not_theirs", f"{event.by!r} opens no table")
        self._opening = tuple(n for n, place in enumerate(event.places) if place.kind in TAKEN)
        self._compare(None, event, writer.steps[0][0])
        return self._fold(None, event)

    def _sealed(self, event: Opened | Forked) -> None:
        if not event.seed:
            self._wrong("seal", event, "incomplete_log", "the seed is missing")
            raise Sealed
        if not SEED.fullmatch(event.seed):
            self._wrong("seal", event, "broken_seal", "the seed cannot be read")
            raise Sealed

    def _timed(self, event: Event) -> None:
        self._at = event
        if not TIME.fullmatch(event.at):
            self._wrong("order", event, "bad_time", f"{event.at!r} is no time")

    def _all_seated(self, event: Event) -> None:
        if self._opening:
            self._wrong("order", event, "seat_missing", "not everybody sat down who had a seat")
        self._opening = ()

    def _deed(self, match: Match, event: Any) -> Match:
        """Do one deed again; returns the match after it and after all that followed from it at once."""
        self._timed(event)
        deed = DEEDS.get(type(event))
        if deed is None:
            what: What = "result" if isinstance(event, Finished) else "order"
            self._wrong(what, event, "no_cause", "nothing that came before has led to it")
            return self._fold(match, event)
        if isinstance(event, Forked):
            self._sealed(event)
        elif not isinstance(event, Seated):
            self._all_seated(event)
        scene = Scene(match, self._past, self._opening, self._late)
        writer = LogWriter(match, event.at, event.by, event.cmd if isinstance(event, Acted) else None)
        self._try(event, lambda: self._theirs(event, deed.may(match, event)))
        self._try(event, lambda: deed.again(writer, scene, event))
        self._note(match, event)
        return self._follow(match, event, writer)

    def _theirs(self, event: Event, may: bool) -> None:
        if not may:
            self._wrong("holders", event, "not_theirs", f"{event.by!r} may not do that there and then")

    def _try(self, event: Event, do: Callable[[], None]) -> None:
        try:
            do()
        except Refused as refusal:
            self._wrong("order", event, "refused", f"the table refuses it: {refusal.code}")
        except Illegal as refusal:
            self._wrong("decisions", event, "illegal", f"the action is refused: {refusal.code}")

    def _note(self, match: Match, event: Event) -> None:
        if isinstance(event, Seated):
            self._opening = self._opening[1:]
        if isinstance(event, TimedOut) and event.seat is not None:
            self._late |= {(event.seat, match.since[event.seat])}

    def _follow(self, match: Match, event: Event, writer: LogWriter) -> Match:
        """Compare what is written now with what was written then, and fold what was."""
        if not writer.lines:
            if not self.found:
                self._wrong("order", event, "no_effect", "it changes nothing: nobody would have written it")
            return self._fold(match, event)
        for line, (due, then) in zip(writer.lines, writer.steps, strict=True):
            stored = self.events[match.seq] if match.seq < len(self.lines) else None
            if type(stored) is not type(due):
                return self._missing(match, due, stored)
            if self.lines[match.seq] == line:
                match = then
                self._past.note(match)
            else:
                self._compare(match, stored, due)
                if isinstance(stored, Started) and stored.prev != due.prev:
                    self._undrawn(match, stored)  # the dice hang on what was said before, as it stands here
                match = self._fold(match, stored)
        return match

    def _missing(self, match: Match, due: Event, stored: Event | None) -> Match:
        """Another event stands where one had to follow, or was the only one possible."""
        what: What = "result" if isinstance(due, Finished) else "order"
        kind = type(due).__name__
        self._wrong(what, stored or self.events[-1], "not_due", f"here comes {kind}, and nothing else")
        return match if stored is None or match.seq != self._at.seq - 1 else self._fold(match, stored)

    def _fold(self, match: Match | None, event: Event) -> Match:
        folded = replace(after(match, event, self._past), head=codec.digest(self.lines[event.seq - 1]))
        self._past.note(folded)
        return folded

    def _compare(self, match: Match | None, stored: Any, due: Any) -> None:
        """Say of each field that differs which check it fails."""
        for field in stored.__struct_fields__:
            if field in CHAINED or _same(match, field, getattr(stored, field), getattr(due, field)):
                continue
            if match is not None and field == "facts":
                self._undrawn(match, stored)
                continue
            what, code = FIELDS.get(field, ("order", "differs"))
            self._wrong(what, stored, code, f"`{field}` is not what follows")

    def _undrawn(self, match: Match, stored: Started[Any] | Acted[Any]) -> None:
        """Chance fell otherwise, or the rules make other facts of how it fell, or both."""
        fell: list[bool] = []
        problem = undecided(match, stored, fell)
        if not all(fell):
            self._wrong("draws", stored, "other_dice", "chance did not fall like that")
        if problem is not None:
            what: What = "draws" if problem.code == "impossible_draw" else "decisions"
            self._wrong(what, stored, problem.code, problem.reason)


def _check_clock(raw: Any) -> None:
    try:
        read_policy(raw)
    except InvalidClock:
        raise Refused("bad_clock") from None


def _same(match: Match | None, field: str, stored: Any, due: Any) -> bool:
    if stored == due:
        return True
    return match is not None and field == "result" and same_result(due, stored, match.revision)
