"""Taking actions back. Nothing is deleted: an event says to which position the match returns.

Free while the seat's own latest actions revealed nothing and nobody else has acted; beyond that every other
person at the table must agree (bots do), and the match is marked assisted.
"""

from engine.events import UndoAnswered, UndoAsked, Undone
from engine.match import Match
from engine.table import Pen, Refused
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


def undo(pen: Pen, seat: int, to: int, past: Match) -> bool:
    """Take back everything after event `to`, or ask the others; says whether it is done. `past`: then."""
    match = pen.match
    check_running(match, seat)
    # By events, not by states: whether a hidden choice is the same as before is nobody else's business.
    if past.state is None or not to < match.position:
        raise Refused("nothing_to_undo")
    if is_free(match, seat, to):
        pen.write(Undone, seat=seat, to=to, past=past)
        return True
    if match.ask is not None:
        raise Refused("already_asked")
    pen.write(UndoAsked, seat=seat, to=to)
    return _when_all_agree(pen, past)


def answer(pen: Pen, seat: int, agree: bool, past: Match) -> None:
    """One person's answer; the last one to agree brings the position back, one refusal ends the question."""
    if seat not in waited_for(pen.match):
        raise Refused("nothing_asked")
    pen.write(UndoAnswered, seat=seat, agree=agree)
    if agree:
        _when_all_agree(pen, past)


def expire(pen: Pen) -> None:
    """Nobody answers for ever: the question is closed as if refused. Written by the system, for no seat."""
    if pen.match.ask is not None:
        pen.write(UndoAnswered, agree=False)


def _when_all_agree(pen: Pen, past: Match) -> bool:
    ask = pen.match.ask
    if ask is None or waited_for(pen.match):
        return False
    pen.write(Undone, seat=ask.seat, to=ask.to, assisted=True, past=past)
    return True
