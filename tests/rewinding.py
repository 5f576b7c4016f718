"""Logs full of undos, nested and repeated, and the plain meaning of such a log, however long it takes."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from engine.events import Undone, reader
from engine.fold import apply, rewound
from engine.log import load
from engine.match import Match
from engine.table import LogWriter
from engine.tenure import hand_over, return_to
from tests.tables import seated, step

KINDS = ("act", "act", "act", "undo", "undo", "again", "chair")


def rewinding(key: str, rng: Random, length: int = 16) -> list[bytes]:
    """A log of which about a third are undos: to anywhere, behind other undos, to the same place again."""
    writer = seated(key)
    first = writer.match.seq
    returns: list[int] = []
    while len(writer.lines) < length and writer.match.status == "running":
        kind = rng.choice(KINDS)
        if kind == "act":
            step(writer, rng)
        elif kind == "chair":
            _change_hands(writer, rng)
        elif writer.match.seq > first:
            to = (
                rng.choice(returns) if kind == "again" and returns else rng.randrange(first, writer.match.seq)
            )
            returns.append(to)
            seat = rng.randrange(len(writer.match.chairs))
            writer.write(
                Undone, seat=seat, to=to, assisted=rng.random() < 0.3, past=plainly(writer.lines[:to])
            )
    return writer.lines


def _change_hands(writer: LogWriter, rng: Random) -> None:
    """Undos leave seats as they are: something of a match that they must not bring back."""
    seat = rng.randrange(len(writer.match.chairs))
    account = f"account:{'abcdefgh'[seat]}"
    if writer.match.chairs[seat].owner is None:
        hand_over(writer, seat, account)
    else:
        return_to(writer, seat, account)


def plain_steps(lines: Sequence[bytes]) -> Iterator[tuple[Any, Match]]:
    """What a log means, word by word: an undo brings back what the log meant when it was shorter.

    Takes exponential time. That is the point: nothing is remembered, so nothing can be remembered wrongly.
    """
    match = load(lines[:1])
    yield reader(match.game).decode(lines[0]), match
    for line in lines[1:]:
        event = reader(match.game).decode(line)
        if isinstance(event, Undone):
            match = rewound(match, event, plainly(lines[: event.to]))
        else:
            match = apply(match, event)
        yield event, match


def plainly(lines: Sequence[bytes]) -> Match:
    """The match at the end of a log, by its plain meaning."""
    *_, (_, match) = plain_steps(lines)
    return match
