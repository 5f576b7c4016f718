"""Checks a log from its bytes alone: `read` the chain, `verify` everything that can be derived again.

`verify` rolls the sealed dice again; `audit` feeds the stored outcomes to today's rules instead, so that it
reports a change of the rules and not a change of the dice.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from engine import codec
from engine.log import BadLog, Match, load
from engine.proof.redecide import Audit, audit
from engine.proof.rederive import examine
from engine.proof.report import CHECKS, Report, Unchecked, Verdict

__all__ = [
    "CHECKS",
    "Audit",
    "Report",
    "Unchecked",
    "Verdict",
    "audit",
    "chained",
    "closing",
    "ending",
    "examine",
    "read",
    "report",
    "split",
    "verify",
]


class Closing(msgspec.Struct, forbid_unknown_fields=True):
    end: int
    head: str
    redacted: bool = False
    key: str = ""  # whose signature it is; what it is worth is not for the engine to say
    signature: str = ""


def closing(match: Match, signed: tuple[str, str] | None = None, redacted: bool = False) -> bytes:
    """The last line of an export; `signed` is the id of a key and its signature."""
    line: dict[str, Any] = {"end": match.seq, "head": match.head}
    if redacted:
        line["redacted"] = True
    if signed is not None:
        line["key"], line["signature"] = signed
    return codec.encode(line)


def ending(data: bytes) -> Closing:
    """The closing line of an export. Raises BadLog."""
    return _closing(data.removesuffix(b"\n").split(b"\n"))


def split(data: bytes) -> list[bytes]:
    """The event lines of an export: canonical, whole, and closed by the right closing line."""
    if not data:
        raise BadLog(1, "empty_log", "the file is empty")
    lines = data.split(b"\n")
    if lines.pop() != b"":
        raise BadLog(len(lines) + 1, "cut_log", "the last line is cut: it does not end with a newline")
    for number, line in enumerate(lines, 1):
        if not codec.is_canonical(line):
            raise BadLog(number, "not_canonical", "not the canonical spelling of a JSON value")
    end = _closing(lines)
    events = lines[:-1]
    if end.redacted:
        raise BadLog(
            len(lines), "incomplete_log", "a redacted export of a running match: secrets are missing"
        )
    if end.end != len(events) or not events:
        raise BadLog(
            len(lines), "cut_log", f"the closing line counts {end.end} events, there are {len(events)}"
        )
    return events


def _closing(lines: Sequence[bytes]) -> Closing:
    try:
        return codec.decoder(Closing).decode(lines[-1])  # type: ignore[no-any-return]
    except codec.UNREADABLE:
        raise BadLog(len(lines), "incomplete_log", "the closing line is missing") from None


def chained(data: bytes) -> list[bytes]:
    """The event lines of an export whose closing line names the last one's hash. Raises BadLog."""
    lines = split(data)
    if _closing([*lines, data.split(b"\n")[-2]]).head != codec.digest(lines[-1]):
        raise BadLog(len(lines) + 1, "broken_chain", "the closing hash is not that of the last event")
    return lines


def read(data: bytes) -> tuple[Match, list[bytes]]:
    """A complete log from an export's bytes, folded: chain and closing hash hold. Raises BadLog."""
    lines = split(data)
    match = load(lines)
    return match, chained(data)


def verify(lines: Sequence[bytes], signed: bool = False) -> Report:
    """Everything that can be checked about a loaded log's events. Raises BadLog, Unchecked.

    `signed`: whether a trusted server has signed this log. It counts where the rules have changed since.
    """
    return examine(lines).demand(signed)


def report(data: bytes) -> Report:
    """The same check by check, from an export's bytes; without its chain nothing else is looked at."""
    try:
        return examine(chained(data))
    except BadLog as problem:
        return Report("", 0, 0, {"chain": problem})
