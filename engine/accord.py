"""What a table does only together: rest for a while, or give the match up. Bots always agree."""

from typing import Literal

from engine.events import Abandoned, Agreed, Finished, Paused, Resumed
from engine.game import Result
from engine.match import Match
from engine.table import Pen, Refused
from engine.tenure import check_running

What = Literal["pause", "abandon"]


def agree(pen: Pen, seat: int, what: What, wish: bool = True) -> None:
    """A seat agrees, or takes that back; when all people agree, it is done."""
    match = pen.match
    check_running(match, seat)
    if what == "pause" and match.paused:
        raise Refused("already_paused")
    if ((seat, what) in match.votes) == wish:
        return
    pen.write(Agreed, seat=seat, what=what, agree=wish)
    if wish and not missing(pen.match, what):
        _do(pen, what)


def stop(pen: Pen, account: str) -> None:
    """Who opened a table at which no person sits may end it: nobody else could."""
    if pen.match.status != "running":
        raise Refused("not_running")
    if not may_stop(pen.match, account):
        raise Refused("not_your_seat")
    _do(pen, "abandon")


def may_stop(match: Match, account: str | None) -> bool:
    """Also nobody who left a seat to a caretaker must find the match gone."""
    holders = [holder for chair in match.chairs for holder in (chair.holder, chair.owner) if holder]
    nobody = all(holder.kind != "person" for holder in holders)
    return match.status == "running" and nobody and account == match.creator


def missing(match: Match, what: What) -> list[int]:
    """The people who have not agreed."""
    return [seat for seat in match.people if (seat, what) not in match.votes]


def resume(pen: Pen, seat: int) -> None:
    """A pause lasts only as long as everybody wants it."""
    check_running(pen.match, seat)
    if not pen.match.paused:
        raise Refused("not_paused")
    pen.write(Resumed, seat=seat)


def _do(pen: Pen, what: What) -> None:
    match = pen.match
    if what == "pause":
        pen.write(Paused)
        return
    seats = len(match.chairs)
    pen.write(Abandoned)
    result = Result((0,) * seats, (1,) * seats, (), ((),) * seats, "abandoned")
    pen.write(Finished, result=result, seed=match.seed)
