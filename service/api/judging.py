"""Why something is not possible, and whether what happened was honest."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from pydantic import Field
from starlette.responses import Response

from engine.report import Verdict as Judgement
from engine.report import What
from service import judging
from service.api.auth import Anyone, Here, Language, Player
from service.api.body import JsonRoute, Model
from service.api.matches import Ident
from service.api.queries import match_id
from service.reading import readable

router = APIRouter(prefix="/api", route_class=JsonRoute, tags=["play"])


DRAWS: dict[str, Any] = {
    "description": "the draws in the order of the log",
    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Draws"}}},
}


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
    """Who signed the log: this server, one that its operator trusts, an unknown key, nobody."""

    by: Literal["here", "trusted", "unknown", "nobody", "forged"]
    server: str | None = Field(description="the name of a trusted server")
    key: str | None


class Honest(Model):
    holds: bool
    verdict: Judgement = Field(
        description="`earlier_rules`: its own server has signed it, and the rules have been mended since; "
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
    return Verdict(**await judging.why(deps, match_id(match), me.who, body.action, lang))


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
    async with request.app.verifying:  # one at a time: each may take as long as many requests
        checked = await judging.verified(deps, found, caller)
    return Honest(**checked)


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
    async with request.app.verifying:
        body = await judging.drawn(deps, found)
    return Response(body, media_type="application/json")
