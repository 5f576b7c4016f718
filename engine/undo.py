"""Taking actions back. Nothing is deleted: an event says to which position the match returns.

Free while the seat's own latest actions revealed nothing and nobody else has acted; beyond that every other
person at the table must agree (bots do), and the match is marked assisted.
"""

from collections.abc import Iterable

from engine import codec
from engine.events import UndoAnswered, UndoAsked, Undone, head
from engine.match import Match
from engine.table import LogWriter, Refused
from engine.tenure import check_running


def free_to(match: Match, seat: int | None) -> tuple[int, int] | None:
    """(one action back, as far back as is free) for a seat: the last events that would stay."""
    if seat is None or match.status != "running" or match.runner != seat or not match.run:
        return None
    return match.run[-1] - 1, match.run[0] - 1


def is_free(match: Match, seat: int, to: int) -> bool:
    free = free_to(match, seat)
    return free is not None and free[1] <= to <= free[0]


def waited_for(match: Match) -> list[int]:
    """The seats whose answer to a question is missing."""
    ask = match.ask
    return [] if ask is None else [s for s in match.people if s != ask.seat and s not in ask.agreed]


def undo(writer: LogWriter, seat: int, to: int, past: Match) -> bool:
    """Take back everything after event `to`, or ask the others; says whether it is done. `past`: then."""
    match = writer.match
    check_running(match, seat)
    # By events, not by states: whether a hidden choice is the same as before is nobody else's business.
    if past.state is None or not to < match.position:
        raise Refused("nothing_to_undo")
    if is_free(match, seat, to):
        writer.write(Undone, seat=seat, to=to, past=past)
        return True
    if match.ask is not None:
        raise Refused("already_asked")
    writer.write(UndoAsked, seat=seat, to=to)
    return _when_all_agree(writer, past)


def answer(writer: LogWriter, seat: int, agree: bool, past: Match) -> None:
    """One person's answer; the last one to agree brings the position back, one refusal ends the question."""
    if seat not in waited_for(writer.match):
        raise Refused("nothing_asked")
    writer.write(UndoAnswered, seat=seat, agree=agree)
    if agree:
        _when_all_agree(writer, past)


def expire(writer: LogWriter) -> None:
    """Nobody answers for ever: the question is closed as if refused. Written by the system, for no seat."""
    if writer.match.ask is not None:
        writer.write(UndoAnswered, agree=False)


def _when_all_agree(writer: LogWriter, past: Match) -> bool:
    ask = writer.match.ask
    if ask is None or waited_for(writer.match):
        return False
    writer.write(Undone, seat=ask.seat, to=ask.to, assisted=True, past=past)
    return True


def taken_back(lines: Iterable[bytes]) -> set[int]:
    """The actions that were taken back for good, in one pass: an undo may also bring a branch back."""
    last: list[int] = [0]  # by event: the latest action that counts after it
    before: dict[int, int] = {}  # by action: the one that counts before it
    for number, line in enumerate(lines, 1):
        kind = head(line).kind
        if kind == "acted":
            before[number] = last[-1]
        then = number if kind == "acted" else last[-1]
        last.append(last[int(codec.decode(line)["to"])] if kind == "undone" else then)
    counts, action = set(), last[-1]
    while action:
        counts.add(action)
        action = before[action]
    return before.keys() - counts
