"""Tables: open one, find one, sit down, get up, take it away."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request
from pydantic import Field
from starlette.responses import Response

from engine import policy
from engine.identity import of_account
from engine.log import Match
from service.api.frame.auth import BOT, Anyone, Here, Player, Session, Sitter
from service.api.frame.body import JsonRoute, Model
from service.api.frame.queries import match_id, whole
from service.api.frame.render import Item, item, match_response
from service.api.frame.visit import visit_of
from service.basics.errors import Problem
from service.bootstrap import Deps, People
from service.bots import remote
from service.commands import tables
from service.commands.records import Cancel, Leave, OpenMatch, Sit
from service.people import quotas
from service.views.sight import Caller

router = APIRouter(prefix="/api", route_class=JsonRoute, tags=["matches"])

DAY = 24 * 3600
MATCH: dict[str, Any] = {
    "description": "the match as you may know it",
    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Match"}}},
}
Nonce = Annotated[
    str,
    Field(max_length=64, pattern=r"^[^,\x00-\x1f\x7f]*$", description="mixed into the dice, seat by seat"),
]
Ident = Annotated[str, Path(description="id of a match")]
SeatNumber = Annotated[str, Path(description="0, 1, …", pattern=r"^\d{1,3}$")]
Status = Literal["open", "running", "finished", "cancelled"]


class Me(Model):
    kind: Literal["me"]


class Open(Model):
    """Whoever comes."""

    kind: Literal["open"]


class Invite(Model):
    """Whoever has the link."""

    kind: Literal["invite"]


class Bot(Model):
    kind: Literal["bot"]
    bot: str = Field(max_length=40, examples=["greedy"])


class Remote(Model):
    kind: Literal["remote"]
    bot: str = Field(max_length=40, description="the name it is registered under")


SeatIn = Annotated[Me | Open | Invite | Bot | Remote, Field(discriminator="kind")]


Seconds = Annotated[int, Field(ge=1, le=365 * DAY)]
Timeout = Annotated[
    policy.Timeout,
    Field(description="what follows when time is up: a bot plays until the holder returns, or …"),
]


class PerMove(Model):
    """So many seconds of waking time for every turn."""

    kind: Literal["per_move"]
    seconds: Seconds
    timeout: Timeout = "caretaker"


class Bank(Model):
    """A bank of waking time; every turn adds the increment, up to the cap."""

    kind: Literal["bank"]
    seconds: Seconds
    increment: int = Field(0, ge=0, le=365 * DAY)
    cap: Seconds | None = Field(None, description="without one: what the bank began with")
    timeout: Timeout = "caretaker"


Clock = Annotated[PerMove | Bank, Field(discriminator="kind")]


class NewMatch(Model):
    game: str = Field(max_length=40, examples=["tides-of-time"])
    seats: list[SeatIn] = Field(max_length=64)
    options: dict[str, Any] = Field(default_factory=dict)
    clock: Clock | None = None
    listed: bool = Field(True, description="false: only for the table and whoever has the link")
    shuffle: bool = Field(False, description="seats in random order")
    nonce: Nonce = Field(
        "",
        description="does not count yet: the seal is not shown. Send it for your seat once the table is open",
    )


class SitDown(Model):
    invite: Annotated[str, Field(max_length=64)] = ""
    nonce: Nonce = ""


class Page(Model):
    items: list[Item]
    next: str | None = Field(description="for `after`, if there are more")


@router.post("/matches", status_code=201, response_class=Response, responses={201: MATCH})
async def open_match(body: NewMatch, me: Player, request: Request, deps: Here) -> Response:
    """Open a table; it starts at once if everybody is there."""
    command = OpenMatch(
        who=me.who,
        game=body.game,
        seats=tuple(seat.model_dump() for seat in body.seats),
        options=body.options,
        clock=None if body.clock is None else body.clock.model_dump(exclude_none=True),
        listed=body.listed,
        shuffle=body.shuffle,
    )
    async with quotas.new_table(deps, me.account) as opened:
        match = await tables.open_match(deps, command)
        opened.append(match.id)
    return await created(deps, request, me, match)


@router.get("/matches")
async def find(
    caller: Anyone,
    deps: Here,
    status: Status | None = None,
    game: Annotated[str | None, Query(max_length=40)] = None,
    mine: bool = False,
    player: Annotated[str | None, Query(max_length=80, description="only matches of this person")] = None,
    limit: Annotated[int, Query(ge=1, description="at most 200; more is cut to that")] = 50,
    after: Annotated[str | None, Query(max_length=200, description="`next` of the page before")] = None,
) -> Page:
    """Matches, newest first: the public ones, or one's own."""
    if mine and caller.who is None:
        raise Problem("unauthenticated")
    account, listed = (caller.who, None) if mine else (None, True)
    if player is not None and not mine:
        account = await _player(deps, player)
    found, more = await deps.readmodel.list(status, game, account, listed, min(limit, 200), after)
    return Page(items=[await item(deps, summary, caller.lang) for summary in found], next=more)


async def _player(deps: People, name: str) -> str:
    found = await deps.accounts.find(name)
    if found is None:
        raise Problem("not_found")
    return of_account(found.id)


@router.post("/matches/{match}/seats/{seat}", response_class=Response, responses={200: MATCH})
async def sit(
    match: Ident, seat: SeatNumber, me: Sitter, request: Request, deps: Here, body: SitDown | None = None
) -> Response:
    """Sit down, or give a nonce for the seat one has. A remote bot takes its own back from a caretaker."""
    if me.may(BOT):
        return await answer(deps, request, me, await remote.come_back(deps, me.who, match_id(match)))
    given = body or SitDown()
    command = Sit(
        who=me.who, match=match_id(match), seat=whole(seat, "seat"), invite=given.invite, nonce=given.nonce
    )
    return await answer(deps, request, me, await tables.sit(deps, command))


@router.delete("/matches/{match}/seats/{seat}", response_class=Response, responses={200: MATCH})
async def leave(match: Ident, seat: SeatNumber, me: Player, request: Request, deps: Here) -> Response:
    """Get up before the start, or resign after it."""
    command = Leave(who=me.who, match=match_id(match), seat=whole(seat, "seat"))
    return await answer(deps, request, me, await tables.leave(deps, command))


@router.post("/matches/{match}/cancel", response_class=Response, responses={200: MATCH})
async def cancel(match: Ident, me: Player, request: Request, deps: Here) -> Response:
    """Take the table away: its creator may, before the start."""
    command = Cancel(who=me.who, match=match_id(match))
    return await answer(deps, request, me, await tables.cancel(deps, command))


async def created(deps: Deps, request: Request, me: Session, match: Match) -> Response:
    """A match that did not exist before, and its address."""
    response = await answer(deps, request, me, match, 201)
    response.headers["Location"] = f"/api/matches/{match.id}"
    return response


async def answer(deps: Deps, request: Request, me: Session, match: Match, status: int = 200) -> Response:
    visit = visit_of(request.scope)
    visit.match, visit.seq = match.id, match.seq
    return await match_response(deps, match, Caller(me.who, visit.lang), status)
