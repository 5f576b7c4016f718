"""Taking back, asking for advice, and the things a table agrees on."""

from engine import accord, advice, undo
from engine.match import Match
from engine.table import LogWriter
from service.basics.errors import Problem
from service.bootstrap import Tables
from service.commands.append import on_head, on_table
from service.commands.records import Agree, AnswerUndo, AskHint, Resume, TakeBack
from service.commands.restraint import check_changes
from service.views.access import readable


async def take_back(deps: Tables, command: TakeBack) -> Match:
    """Undo if it is free, else ask the others. What was seen must still be true."""
    ident, who, to = command.match, command.who, command.to
    match = await readable(deps, ident, who)
    _seat(match, who)
    past = await deps.matches.at(ident, to) if 0 < to <= match.seq else None
    if past is None:
        raise Problem("nothing_to_undo")

    async def write(writer: LogWriter) -> None:
        if writer.match.seq != command.seq:
            raise Problem("stale_seq", {"current": writer.match.seq}, current=writer.match.seq)
        seat = _seat(writer.match, who)
        check_changes(writer.match, who)
        undo.undo(writer, seat, to, past)

    return await on_head(deps, ident, who, write)


async def answer_undo(deps: Tables, command: AnswerUndo) -> Match:
    """Agree to what is asked, or refuse it."""
    ident, who = command.match, command.who
    await readable(deps, ident, who)

    async def write(writer: LogWriter) -> None:
        if writer.match.ask is None:
            raise Problem("nothing_asked")
        past = await deps.matches.at(ident, writer.match.ask.to)
        undo.answer(writer, _seat(writer.match, who), command.agree, past)

    return await on_head(deps, ident, who, write)


async def agree(deps: Tables, command: Agree) -> Match:
    """Agree to a pause or to giving up; done when all people have. Without people, whoever opened it may."""
    ident, who, what, wish = command.match, command.who, command.what, command.agree
    match = await readable(deps, ident, who)
    if what == "abandon" and wish and match.seat_of(who) is None:
        return await on_table(deps, ident, who, lambda writer: accord.stop(writer, who))

    def write(writer: LogWriter) -> None:
        seat = _seat(writer.match, who)
        if what != "abandon" or not wish:  # to end it is always possible
            check_changes(writer.match, who)
        accord.agree(writer, seat, what, wish)

    return await on_table(deps, ident, who, write)


async def resume(deps: Tables, command: Resume) -> Match:
    """End a pause: one person is enough."""
    ident, who = command.match, command.who
    await readable(deps, ident, who)
    return await on_table(deps, ident, who, lambda writer: accord.resume(writer, _seat(writer.match, who)))


async def ask_hint(deps: Tables, command: AskHint) -> Match:
    """Let a bot think of the caller's turn: it answers by and by, and the match is assisted."""
    ident, who = command.match, command.who
    await readable(deps, ident, who)

    def write(writer: LogWriter) -> None:
        seat = _seat(writer.match, who)
        check_changes(writer.match, who)
        advice.ask(writer, seat)

    return await on_table(deps, ident, who, write)


def _seat(match: Match, who: str) -> int:
    """The seat that this person plays: whoever is away has no say."""
    seat = match.seat_of(who)
    if seat is None:
        raise Problem("not_your_seat")
    if seat not in match.people or match.chairs[seat].holder.id != who:  # type: ignore[union-attr]
        raise Problem("away")
    return seat
