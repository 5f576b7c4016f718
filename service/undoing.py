"""Taking back, and the things a table agrees on."""

from engine import accord, undo
from engine.accord import What
from engine.match import Match
from engine.table import Pen
from service.appending import on_head, on_table
from service.bootstrap import Deps
from service.errors import Problem
from service.reading import readable


async def take_back(deps: Deps, ident: str, who: str, seq: int, to: int) -> Match:
    """Undo if it is free, else ask the others. What was seen must still be true."""
    match = await readable(deps, ident, who)
    _seat(match, who)
    past = await deps.matches.at(ident, to) if 0 < to <= match.seq else None
    if past is None:
        raise Problem("nothing_to_undo")

    async def write(pen: Pen) -> None:
        if pen.match.seq != seq:
            raise Problem("stale_seq", {"current": pen.match.seq}, current=pen.match.seq)
        undo.undo(pen, _seat(pen.match, who), to, past)

    return await on_head(deps, ident, who, write)


async def answer(deps: Deps, ident: str, who: str, agree: bool) -> Match:
    """Agree to what is asked, or refuse it."""
    await readable(deps, ident, who)

    async def write(pen: Pen) -> None:
        if pen.match.ask is None:
            raise Problem("nothing_asked")
        past = await deps.matches.at(ident, pen.match.ask.to)
        undo.answer(pen, _seat(pen.match, who), agree, past)

    return await on_head(deps, ident, who, write)


async def agree(deps: Deps, ident: str, who: str, what: What, wish: bool) -> Match:
    """Agree to a pause or to giving the match up; done when all people have. No people: who opened it may."""
    match = await readable(deps, ident, who)
    if what == "abandon" and wish and match.seat_of(who) is None:
        return await on_table(deps, ident, who, lambda pen: accord.stop(pen, who))
    return await on_table(deps, ident, who, lambda pen: accord.agree(pen, _seat(pen.match, who), what, wish))


async def resume(deps: Deps, ident: str, who: str) -> Match:
    await readable(deps, ident, who)
    return await on_table(deps, ident, who, lambda pen: accord.resume(pen, _seat(pen.match, who)))


def _seat(match: Match, who: str) -> int:
    """The seat that this person plays: who is away has nothing to say."""
    seat = match.seat_of(who)
    if seat is None:
        raise Problem("not_your_seat")
    if seat not in match.people or match.chairs[seat].holder.id != who:  # type: ignore[union-attr]
        raise Problem("away")
    return seat
