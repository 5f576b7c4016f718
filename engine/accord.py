"""What a table does only together: rest for a while, or give the match up. Bots always agree."""

from typing import Literal

from engine.events import Abandoned, Agreed, Finished, Paused, Resumed
from engine.game import Result
from engine.match import Match
from engine.table import LogWriter, Refused
from engine.tenure import check_running

What = Literal["pause", "abandon"]


def agree(writer: LogWriter, seat: int, what: What, wish: bool = True) -> None:
    """A seat agrees, or takes that back; when all people agree, it is done."""
    match = writer.match
    check_running(match, seat)
    if what == "pause" and match.paused:
        raise Refused("already_paused")
    if ((seat, what) in match.votes) == wish:
        return
    writer.write(Agreed, seat=seat, what=what, agree=wish)
    if wish and not missing(writer.match, what):
        _do(writer, what)


def stop(writer: LogWriter, account: str) -> None:
    """Whoever opened a table at which no person sits may end it: nobody else could."""
    if writer.match.status != "running":
        raise Refused("not_running")
    if not may_stop(writer.match, account):
        raise Refused("not_your_seat")
    _do(writer, "abandon")


def may_stop(match: Match, account: str | None) -> bool:
    """Also nobody who left a seat to a caretaker must find the match gone."""
    if match.status != "running" or account != match.creator:
        return False
    return not any(
        holder is not None and holder.kind == "person"
        for chair in match.chairs
        for holder in (chair.holder, chair.owner)
    )


def missing(match: Match, what: What) -> list[int]:
    """The people who have not agreed."""
    return [seat for seat in match.people if (seat, what) not in match.votes]


def resume(writer: LogWriter, seat: int) -> None:
    """A pause lasts only as long as everybody wants it."""
    check_running(writer.match, seat)
    if not writer.match.paused:
        raise Refused("not_paused")
    writer.write(Resumed, seat=seat)


def _do(writer: LogWriter, what: What) -> None:
    match = writer.match
    if what == "pause":
        writer.write(Paused)
        return
    seats = len(match.chairs)
    writer.write(Abandoned)
    result = Result((0,) * seats, (1,) * seats, (), ((),) * seats, "abandoned")
    writer.write(Finished, result=result, seed=match.seed)
