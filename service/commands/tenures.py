"""Who plays a seat: its owner, a caretaker bot, or a substitute who was invited."""

from engine import tenure
from engine.events import Holder
from engine.match import Match
from engine.table import LogWriter
from service.basics.errors import Problem
from service.bootstrap import Deps, Tables
from service.commands import blocks
from service.commands.append import on_table
from service.commands.records import HandOver, Sit
from service.commands.restraint import check_hands
from service.views.access import readable, substitute_code, substitute_for


async def take(deps: Deps, match: Match, command: Sit) -> Match:
    """Sit down where somebody else plays: the owner returns, an invited substitute steps in."""
    who, seat = command.who, command.seat
    owner = match.chairs[seat].owner
    if owner is not None and owner.id == who:
        return await on_table(deps, match.id, who, lambda writer: _return(writer, seat, who))
    if owner is None or not command.invite:
        raise Problem("not_open")
    if not substitute_for(deps, match, seat, command.invite):
        raise Problem("wrong_invite")
    await blocks.check(deps, match, who)
    holder = Holder("person", who)

    def write(writer: LogWriter) -> None:
        check_hands(writer.match, seat)
        tenure.substitute(writer, seat, holder)

    return await on_table(deps, match.id, who, write)


def _return(writer: LogWriter, seat: int, who: str) -> None:
    check_hands(writer.match, seat, returns=True)
    tenure.return_to(writer, seat, who)


async def hand_over(deps: Tables, command: HandOver) -> Match:
    """Leave the seat to the caretaker; its owner may return."""
    ident, seat, who = command.match, command.seat, command.who
    await readable(deps, ident, who)

    def write(writer: LogWriter) -> None:
        check_hands(writer.match, seat)
        tenure.hand_over(writer, seat, who)

    return await on_table(deps, ident, who, write)


async def invitation(deps: Tables, ident: str, seat: int, who: str) -> tuple[Match, str]:
    """The code with which a substitute may take a seat.

    Whose seat it is may always ask somebody to play on. Who opened the table may once a caretaker plays there
    because its player left or ran out of time: nobody gives away a seat whose player is at the table.
    """
    match = await readable(deps, ident, who)
    if not 0 <= seat < len(match.chairs):
        raise Problem("no_such_seat", seat=seat)
    mine = match.seat_of(who) == seat
    if not mine and not (who == match.creator and _is_deserted(match, seat)):
        raise Problem("forbidden")
    if match.chairs[seat].owner is None or match.status != "running":
        raise Problem("not_open")  # whoever sits there steps out first
    return match, substitute_code(deps, match, seat)


def _is_deserted(match: Match, seat: int) -> bool:
    chair = match.chairs[seat]
    plays = chair.holder is not None and chair.holder.kind == "bot"
    return plays and bool(chair.parts) and chair.parts[-1].why in ("left", "timed_out")
