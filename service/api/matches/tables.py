"""What happens at a table besides play: joining, stepping out and in, taking back, agreeing, again."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Request
from pydantic import Field
from starlette.responses import Response

from engine.accord import What
from engine.codec import SAFE
from service.api.frame.auth import Here, Player, Session
from service.api.frame.body import JsonRoute, Model
from service.api.frame.queries import match_id, whole
from service.api.frame.render import seat_link
from service.api.matches.lobby import MATCH, Clock, Ident, SeatIn, SeatNumber, SitDown, answer, created
from service.bootstrap import Deps
from service.commands import agreements, forks, records, rematches, tables, tenures
from service.people import quotas

router = APIRouter(prefix="/api", route_class=JsonRoute, tags=["matches"])
ASKED = {**MATCH, "description": "the others are asked; the match as it is"}
Seq = Annotated[int, Field(ge=0, le=SAFE)]


class TakeBack(Model):
    seq: Seq = Field(description="of the match you looked at")
    to: Seq = Field(description="the last event that stays")


class Agree(Model):
    agree: bool


class Wish(Model):
    agree: bool = Field(default=True, description="false takes an agreement back")


class Substitute(Model):
    invite: str = Field(description="a link for one person, until the seat changes hands")
    code: str


@router.post("/matches/{match}/seats", response_class=Response, responses={200: MATCH})
async def join(
    match: Ident, me: Player, request: Request, deps: Here, body: SitDown | None = None
) -> Response:
    """Take the first free seat: what the link of an invitation does."""
    given = body or SitDown()
    command = records.Join(who=me.who, match=match_id(match), invite=given.invite, nonce=given.nonce)
    return await answer(deps, request, me, await tables.join(deps, command))


@router.post("/matches/{match}/seats/{seat}/leave", response_class=Response, responses={200: MATCH})
async def step_out(match: Ident, seat: SeatNumber, me: Player, request: Request, deps: Here) -> Response:
    """Let a caretaker bot play for you. Sitting down again takes the seat back."""
    done = await tenures.hand_over(
        deps, records.HandOver(who=me.who, match=match_id(match), seat=whole(seat, "seat"))
    )
    return await answer(deps, request, me, done)


@router.post("/matches/{match}/seats/{seat}/invite")
async def invite_substitute(match: Ident, seat: SeatNumber, me: Player, deps: Here) -> Substitute:
    """A link with which somebody takes a seat over from the caretaker."""
    number = whole(seat, "seat")
    found, code = await tenures.invitation(deps, match_id(match), number, me.who)
    return Substitute(invite=seat_link(deps, found.id, number, code), code=code)


@router.post("/matches/{match}/undo", response_class=Response, responses={200: MATCH, 202: ASKED})
async def take_back(match: Ident, body: TakeBack, me: Player, request: Request, deps: Here) -> Response:
    """Go back to the position after event `to`: at once if that is free, else the others are asked."""
    command = records.TakeBack(who=me.who, match=match_id(match), seq=body.seq, to=body.to)
    done = await agreements.take_back(deps, command)
    return await answer(deps, request, me, done, 202 if done.ask else 200)


@router.post("/matches/{match}/undo/answer", response_class=Response, responses={200: MATCH})
async def answer_undo(match: Ident, body: Agree, me: Player, request: Request, deps: Here) -> Response:
    """Let the other take back, or not."""
    command = records.AnswerUndo(who=me.who, match=match_id(match), agree=body.agree)
    return await answer(deps, request, me, await agreements.answer_undo(deps, command))


@router.post("/matches/{match}/pause", response_class=Response, responses={200: MATCH, 202: ASKED})
async def pause(match: Ident, me: Player, request: Request, deps: Here, body: Wish | None = None) -> Response:
    """Agree to a pause: clocks rest once every person has."""
    return await _agree(deps, request, me, match, "pause", body)


@router.post("/matches/{match}/resume", response_class=Response, responses={200: MATCH})
async def resume(match: Ident, me: Player, request: Request, deps: Here) -> Response:
    """End a pause. One person is enough."""
    command = records.Resume(who=me.who, match=match_id(match))
    return await answer(deps, request, me, await agreements.resume(deps, command))


@router.post("/matches/{match}/hint", response_class=Response, responses={200: MATCH})
async def ask_hint(match: Ident, me: Player, request: Request, deps: Here) -> Response:
    """Ask what a bot would do in your place, in a match against bots. From then on it is not rated."""
    command = records.AskHint(who=me.who, match=match_id(match))
    return await answer(deps, request, me, await agreements.ask_hint(deps, command))


@router.post("/matches/{match}/abandon", response_class=Response, responses={200: MATCH, 202: ASKED})
async def abandon(
    match: Ident, me: Player, request: Request, deps: Here, body: Wish | None = None
) -> Response:
    """Agree to give the match up without a winner: done once every person has.

    Where no person sits, who opened the table ends it.
    """
    return await _agree(deps, request, me, match, "abandon", body)


@router.post("/matches/{match}/rematch", response_class=Response, responses={200: MATCH})
async def rematch(match: Ident, me: Player, request: Request, deps: Here) -> Response:
    """The same table again, seats rotated. Who asks first opens it, the others join with the same call."""
    async with quotas.new_table(deps, me.account) as opened:
        again = await rematches.rematch(deps, records.Rematch(who=me.who, match=match_id(match)))
        opened += [again.id] if again.creator == me.who else []
    return await answer(deps, request, me, again)


class NewFork(Model):
    at: Seq = Field(description="the last event that the new match begins with")
    seats: list[SeatIn] = Field(max_length=64, description="as many as there were")
    clock: Clock | None = None
    listed: bool = Field(False, description="true: in the public lobby")


@router.post("/matches/{match}/fork", status_code=201, response_class=Response, responses={201: MATCH})
async def fork(match: Ident, body: NewFork, me: Player, request: Request, deps: Here) -> Response:
    """A new match from a moment of this one. What you may not know of it yet is imagined."""
    command = records.Fork(
        who=me.who,
        match=match_id(match),
        at=body.at,
        seats=tuple(seat.model_dump() for seat in body.seats),
        clock=None if body.clock is None else body.clock.model_dump(exclude_none=True),
        listed=body.listed,
    )
    async with quotas.new_table(deps, me.account) as opened:
        forked = await forks.fork(deps, command)
        opened.append(forked.id)
    return await created(deps, request, me, forked)


async def _agree(
    deps: Deps, request: Request, me: Session, match: str, what: What, body: Wish | None
) -> Response:
    wish = body is None or body.agree
    command = records.Agree(who=me.who, match=match_id(match), what=what, agree=wish)
    done = await agreements.agree(deps, command)
    waiting = wish and bool(done.votes)
    return await answer(deps, request, me, done, 202 if waiting else 200)
