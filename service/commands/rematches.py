"""The same table again, seats rotated. Its id follows from the old match, so that all find the same one."""

import base64
import hmac

from engine import table
from engine.events import Holder, Place
from engine.identity import account_id
from engine.match import Chair, Match
from engine.table import LogWriter, NewTable
from infra.store.eventstore import Conflict
from service.basics.errors import Problem
from service.bootstrap import Deps, People, Process, Tables
from service.commands import blocks, seating
from service.commands.append import append, on_table, refusals
from service.commands.records import Rematch
from service.notices.owed import Owed
from service.notices.plan import SETTLE_S
from service.views.access import readable


def ident(deps: Process, match: str) -> str:
    """Nine bytes as text; others if they begin with a dash, which a command line takes for an option."""
    text, count = "-", 0
    while text.startswith("-"):
        again = f":{count}" if count else ""
        digest = hmac.digest(deps.secret, f"rematch:{match}{again}".encode(), "sha256")
        text, count = base64.urlsafe_b64encode(digest[:9]).decode(), count + 1
    return text


async def existing(deps: Tables, match: Match) -> str | None:
    """The rematch, if somebody has asked for it."""
    found = ident(deps, match.id)
    return found if await deps.store.length(found) else None


async def standing(deps: Tables, match: Match) -> Match | None:
    """The table of the rematch, while it waits for the others."""
    found = await existing(deps, match) if match.status == "finished" else None
    again = await deps.matches.now(found) if found is not None else None
    return again if again is not None and again.status == "open" else None


async def rematch(deps: Deps, command: Rematch) -> Match:
    """Whoever asks first opens the table; the others take their own seats. It starts when all are there."""
    who = command.who
    match = await readable(deps, command.match, who)
    seat = match.seat_of(who)
    if seat is None:
        raise Problem("not_your_seat")
    if match.status != "finished":
        raise Problem("not_over")
    new = ident(deps, match.id)
    if not await deps.store.length(new):
        await deps.notices.note(_invitations(deps, match, who))  # first: if we die now, it is not true
        try:
            return await _open(deps, match, new, who)
        except Conflict:
            pass  # somebody was faster: sit down at their table
    holder = Holder("person", who)
    await blocks.check(deps, await deps.matches.now(new), who)
    return await on_table(deps, new, who, lambda writer: table.sit(writer, _rotated(match, seat), holder))


def _invitations(deps: Process, match: Match, who: str) -> list[tuple[str, float]]:
    """The notices to the others, as owed as soon as the table is there."""
    due = deps.now().timestamp() + SETTLE_S
    others = [seat for seat, chair in enumerate(match.chairs) if _belongs(chair) not in (None, who)]
    return [(Owed("rematch", match.id, seat, match.seq).member, due) for seat in others]


def _belongs(chair: Chair) -> str | None:
    """The person whose seat it is."""
    holder = chair.owner or chair.holder
    return holder.id if holder is not None and holder.kind == "person" else None


def _rotated(match: Match, seat: int) -> int:
    return (seat + 1) % len(match.chairs)


async def _check_remote(deps: People, match: Match, holder: Holder, who: str) -> None:
    """A remote bot comes along only if it still may."""
    if holder.kind != "remote":
        return
    bot = await deps.bots.get(account_id(holder.id))
    if bot is None:
        raise Problem("unknown_bot", bot=await deps.names.one(0, holder.id, "en"))
    seating.check(bot, who, match.game, match.listed)


async def _open(deps: Deps, match: Match, new: str, who: str) -> Match:
    chairs: list[tuple[Place, Holder | None]] = [(Place("invite"), None)] * len(match.chairs)
    for seat, chair in enumerate(match.chairs):
        holder = chair.owner or chair.holder
        if holder is not None and holder.kind != "person":
            await _check_remote(deps, match, holder, who)
            chairs[_rotated(match, seat)] = Place(holder.kind), holder
        elif holder is not None and holder.id == who:
            chairs[_rotated(match, seat)] = Place("person"), holder
    writer = LogWriter(None, deps.at(), who)
    with refusals():
        places, holders = [place for place, _ in chairs], [holder for _, holder in chairs]
        again = NewTable(new, places, holders, deps.new_seed(), match.listed, match.clock)
        table.open_match(writer, match.game, match.options, again)
    await append(deps, None, writer)
    return writer.match
