"""What is said at a table."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import AfterValidator, Field

from engine.codec import SAFE
from service.api.frame.auth import Anyone, Here, Language, Player
from service.api.frame.body import JsonRoute, Model
from service.api.frame.queries import match_id
from service.api.matches.lobby import Ident
from service.people import quotas
from service.views import chat
from service.views.access import readable

router = APIRouter(prefix="/api", route_class=JsonRoute, tags=["matches"])
LONGEST = 500


def _something(text: str) -> str:
    """Not only blanks."""
    if not (stripped := text.strip()):
        raise ValueError("must say something")
    return stripped


class Say(Model):
    text: Annotated[
        str,
        Field(
            min_length=1,
            max_length=LONGEST,
            pattern=r"^[^\x00-\x09\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]*$",
        ),
        AfterValidator(_something),
    ]


class Said(Model):
    id: int
    at: str
    seat: int
    name: str
    text: str


class Saids(Model):
    items: list[Said]
    next: int = Field(description="for `after`: the newest message of this answer")


@router.get("/matches/{match}/chat")
async def read_chat(
    match: Ident,
    caller: Anyone,
    deps: Here,
    after: Annotated[int, Query(ge=0, le=SAFE, description="only messages with a greater id")] = 0,
    invite: Annotated[str, Query(max_length=64)] = "",
) -> Saids:
    """The latest messages, the oldest first. New ones come over the stream as `event: chat`."""
    found = await readable(deps, match_id(match), caller.who, invite)
    items = [Said(**said) for said in await chat.since(deps, found.id, after, caller.lang)]
    return Saids(items=items, next=items[-1].id if items else after)


@router.post("/matches/{match}/chat", status_code=201)
async def say(match: Ident, body: Say, me: Player, deps: Here, lang: Language) -> Said:
    """Say something at a table where you sit."""
    await quotas.often(deps, "words", me.account.id)
    return Said(**await chat.say(deps, match_id(match), me.who, body.text, lang))
