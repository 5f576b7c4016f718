"""Why something is not possible, what an action would do, and whether what happened was honest."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from pydantic import Field
from starlette.responses import Response

from engine.proof.report import Verdict as Judgement
from engine.proof.report import What
from infra.people.quotas import network
from service.api.frame.auth import Anyone, Here, Language, Player
from service.api.frame.body import JsonRoute, Model
from service.api.frame.queries import match_id
from service.api.frame.visit import address_of
from service.api.matches.lobby import Ident
from service.views import inspection, sight
from service.views.access import readable

router = APIRouter(prefix="/api", route_class=JsonRoute, tags=["play"])


DRAWS: dict[str, Any] = {
    "description": "the draws in the order of the log",
    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Draws"}}},
}


OUTLOOK: dict[str, Any] = {
    "description": "the seat's view after the action, null if it is not possible; "
    "`open`: a draw or a hidden thing has a say in the rest",
    "content": {
        "application/json": {
            "schema": {
                "type": "object",
                "required": ["seq", "view", "open"],
                "properties": {
                    "seq": {"type": "integer"},
                    "view": {"type": ["object", "null"]},
                    "open": {"type": "boolean"},
                },
            }
        }
    },
}


class Offer(Model):
    action: dict[str, Any]
    label: str
    after: float | None = Field(description="worth of the position after it; null: the match may end with it")


class Advice(Model):
    bot: str = Field(description="who was asked")
    before: float | None = Field(description="worth of the position now, in a unit of the game's own")
    offers: list[Offer] = Field(description="the best, then the next best; empty: nobody knows")


class HintOut(Model):
    """What a bot would do in your place, and why."""

    asked: int | None = Field(description="the event that asked")
    advice: Advice | None = Field(description="null while the bot thinks")


class Question(Model):
    action: Any


class Verdict(Model):
    legal: bool
    reason: str | None = Field(description="the game's own code")
    detail: str | None = Field(description="a sentence for people")


class CheckOut(Model):
    what: What
    holds: bool
    seq: int | None = Field(description="the event at which it fails")
    detail: str | None


class Signer(Model):
    """Who signed the log: this server, one that its operator trusts, an unknown or revoked key, nobody."""

    by: Literal["here", "trusted", "unknown", "nobody", "revoked", "forged"]
    server: str | None = Field(description="the name of a trusted server")
    key: str | None


class Honest(Model):
    holds: bool
    verdict: Judgement = Field(
        description="`earlier_rules`: its own server has signed it, and the rules have been mended since; "
        "`nothing_played`: the table never began, so there is nothing to verify; "
        "`cannot_be_checked`: it names rules that this server does not have, so nobody here can say"
    )
    revision: int = Field(description="of the rules that the log names; 0: it is older than these names")
    events: int
    draws: int = Field(description="outcomes of chance that were drawn again from the opened seed")
    head: str
    checks: list[CheckOut]
    signature: Signer


@router.post("/matches/{match}/why")
async def why(match: Ident, body: Question, me: Player, deps: Here, lang: Language) -> Verdict:
    """What the rules say to an action. Nothing is done, whatever they say."""
    return Verdict(**await inspection.why(deps, match_id(match), me.who, body.action, lang))


@router.post("/matches/{match}/preview", response_class=Response, responses={200: OUTLOOK})
async def preview(match: Ident, body: Question, me: Player, deps: Here) -> Response:
    """What the caller would see after an action, as far as neither chance nor anything hidden has a say."""
    found = await inspection.preview(deps, match_id(match), me.who, body.action)
    return Response(sight.encode(found), media_type="application/json")


@router.get("/matches/{match}/hint")
async def hint(match: Ident, me: Player, deps: Here, lang: Language) -> HintOut:
    """What a bot would do in your place, if you asked; for you alone."""
    return HintOut(**await inspection.hint(deps, match_id(match), me.who, lang))


@router.get("/matches/{match}/verify")
async def verify(
    match: Ident,
    caller: Anyone,
    request: Request,
    deps: Here,
    invite: Annotated[str, Query(max_length=64)] = "",
) -> Honest:
    """Check a finished match: the chain of hashes, the seal, and every draw and decision again."""
    found = await readable(deps, match_id(match), caller.who, invite)
    where = network(address_of(request.scope))
    return Honest(**await request.app.judged.verified(deps, found, caller, where))


@router.get("/matches/{match}/draws", response_class=Response, responses={200: DRAWS})
async def draws(
    match: Ident,
    caller: Anyone,
    request: Request,
    deps: Here,
    invite: Annotated[str, Query(max_length=64)] = "",
) -> Response:
    """Every draw of a finished match: its number, its odds and what came. Verifies offline with the seed."""
    found = await readable(deps, match_id(match), caller.who, invite)
    body = await request.app.judged.drawn(deps, found, network(address_of(request.scope)))
    return Response(body, media_type="application/json")
