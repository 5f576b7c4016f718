"""The same table again, seats rotated. Its id follows from the old match, so that all find the same one."""

import base64
import hmac

from engine import table
from engine.events import Holder, Place
from engine.match import Chair, Match
from engine.table import Pen
from infra import agenda
from infra.eventstore import Conflict
from service import blocks, seating
from service.appending import append, on_table, refusals
from service.bootstrap import Deps
from service.errors import Problem
from service.notices import SETTLE_S
from service.owed import Owed
from service.reading import readable


def ident(deps: Deps, match: str) -> str:
    """Nine bytes as text; others if they begin with a dash, which a command line takes for an option."""
    text, count = "-", 0
    while text.startswith("-"):
        again = f":{count}" if count else ""
        digest = hmac.digest(deps.secret, f"rematch:{match}{again}".encode(), "sha256")
        text, count = base64.urlsafe_b64encode(digest[:9]).decode(), count + 1
    return text


async def existing(deps: Deps, match: Match) -> str | None:
    """The rematch, if somebody has asked for it."""
    found = ident(deps, match.id)
    return found if await deps.store.length(found) else None


async def standing(deps: Deps, match: Match) -> Match | None:
    """The table of the rematch, while it waits for the others."""
    found = await existing(deps, match) if match.status == "finished" else None
    again = await deps.matches.now(found) if found is not None else None
    return again if again is not None and again.status == "open" else None


async def rematch(deps: Deps, old: str, who: str) -> Match:
    """Who asks first opens the table; the others take their own seats at it. It starts when all are there."""
    match = await readable(deps, old, who)
    seat = match.seat_of(who)
    if seat is None:
        raise Problem("not_your_seat")
    if match.status != "finished":
        raise Problem("not_over")
    new = ident(deps, match.id)
    if not await deps.store.length(new):
        await agenda.note(deps.client, _invitations(deps, match, who))  # first: if we die now, it is not true
        try:
            return await _open(deps, match, new, who)
        except Conflict:
            pass  # somebody was faster: sit down at their table
    holder = Holder("person", who)
    await blocks.check(deps, await deps.matches.now(new), who)
    return await on_table(deps, new, who, lambda pen: table.sit(pen, _rotated(match, seat), holder))


def _invitations(deps: Deps, match: Match, who: str) -> list[tuple[str, float]]:
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


async def _check_remote(deps: Deps, match: Match, holder: Holder, who: str) -> None:
    """A remote bot comes along only if it still may."""
    if holder.kind != "remote":
        return
    bot = await deps.bots.get(holder.id.removeprefix("account:"))
    if bot is None:
        raise Problem("unknown_bot", bot=await deps.names.one(0, holder.id, "en"))
    seating.check(bot, who, match.game, match.listed)


async def _open(deps: Deps, match: Match, new: str, who: str) -> Match:
    seats = len(match.chairs)
    places, holders = [Place("invite")] * seats, [None] * seats
    chairs: list[tuple[Place, Holder | None]] = list(zip(places, holders, strict=True))
    for seat, chair in enumerate(match.chairs):
        holder = chair.owner or chair.holder
        if holder is not None and holder.kind != "person":
            await _check_remote(deps, match, holder, who)
            chairs[_rotated(match, seat)] = Place(holder.kind), holder
        elif holder is not None and holder.id == who:
            chairs[_rotated(match, seat)] = Place("person"), holder
    pen = Pen(None, deps.at(), who)
    with refusals():
        table.open_match(
            pen,
            new,
            match.game,
            match.options,
            [place for place, _ in chairs],
            [holder for _, holder in chairs],
            deps.new_seed(),
            match.listed,
            match.clock,
        )
    await append(deps, None, pen)
    return pen.match
