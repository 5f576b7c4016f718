"""Remote bots: register one, look at it, change it, take it away."""

from __future__ import annotations

import asyncio
from statistics import median
from time import monotonic
from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Request
from pydantic import Field
from starlette.responses import Response

from engine.identity import account_id, of_account
from infra.people.bots import FAILING, Bot, Health
from service.api.frame.auth import Anyone, Door, Here, Owner
from service.api.frame.body import JsonRoute, Model
from service.api.frame.render import time
from service.basics.bounded import Bounded
from service.basics.errors import Problem
from service.bootstrap import Deps
from service.bots import registration, remote
from service.commands.seating import find

router = APIRouter(prefix="/api", route_class=JsonRoute, tags=["bots"])
Name = Annotated[str, Path(description="the bot's name")]
Game = Annotated[str, Field(max_length=40)]
Games = Annotated[list[Game], Field(min_length=1, max_length=64, description="what it plays")]
Capacity = Annotated[int, Field(ge=1, le=1000, description="turns that it takes at a time; others wait")]
SILENT_MS = 60_000
MAX_PAGE, KEPT_PAGES = 200, 64
FRESH_S, SELDOM = (
    2.0,
    20,
)  # how old the list of all bots may be; how much longer than it takes to look them up


class Delivery(Model):
    kind: Literal["stream", "poll", "webhook"]
    url: Annotated[str, Field(max_length=2000)] | None = Field(None, description="webhook: where turns go")


class Seating(Model):
    """Who may give it a seat; its owner always may."""

    who: Literal["anybody", "listed", "me"] = "anybody"
    accounts: list[Annotated[str, Field(max_length=40)]] = Field([], max_length=100, description="names")


class NewBot(Model):
    name: str = Field(max_length=40, examples=["deep-thought"])
    games: Games
    delivery: Delivery
    capacity: Capacity = 1
    seating: Seating = Seating(who="anybody", accounts=[])
    sandbox: bool = Field(False, description="only its owner seats it, at tables that are not listed")


class Change(Model):
    """Only what is given changes."""

    games: Games | None = None
    delivery: Delivery | None = None
    capacity: Capacity | None = None
    seating: Seating | None = None
    sandbox: bool | None = None
    enabled: bool | None = Field(None, description="false: no new seats; its matches go on")
    rotate: Literal["token", "secret"] | None = Field(None, description="make a new one, shown only now")


class Failure(Model):
    at: str
    reason: str


class HealthOut(Model):
    last_seen: str | None
    median_answer: float | None = Field(description="seconds from turn to answer, of the latest ones")
    answered: int
    failures: int
    last_failure: Failure | None
    open_turns: int
    state: Literal["fresh", "well", "silent", "failing"]


class BotOut(Model):
    name: str
    owner: str
    games: list[str]
    delivery: Delivery = Field(description="the url is for its owner")
    capacity: int
    seating: Seating = Field(description="the accounts are for its owner")
    sandbox: bool
    enabled: bool
    created: str
    mine: bool
    health: HealthOut


class BotList(Model):
    items: list[BotOut]
    next: int | None = Field(description="for `after`, if there are more")


class Registered(Model):
    bot: BotOut
    token: str = Field(description="for the bot's own requests; shown only now")
    secret: str = Field(description="signs webhooks; shown only now")


class Changed(BotOut):
    token: str | None = Field(None, description="the new one, if it was asked for")
    secret: str | None = Field(None, description="the new one, if it was asked for; the old signs for a day")


@router.post("/bots", status_code=201)
async def register(body: NewBot, me: Owner, deps: Here) -> Registered:
    """Register a remote bot of one's own."""
    fields = body.model_dump(exclude={"name"})
    bot, token, secret = await registration.register(deps, me.account, body.name, fields)
    return Registered(bot=await _out(deps, bot, me.account.id), token=token, secret=secret)


class Catalogue:
    """The bots of everybody, as strangers see them, those that were ever heard of first.

    Each takes a few questions to the store: they are looked up for all who ask, and seldom if it takes long.
    """

    def __init__(self) -> None:
        self._shown: list[BotOut] = []
        self._pages: Bounded[tuple[int, int], bytes] = Bounded(KEPT_PAGES)
        self._until = 0.0
        self._looking = asyncio.Lock()

    async def shown(self, deps: Deps) -> list[BotOut]:
        async with self._looking:
            if monotonic() >= self._until:
                began = monotonic()
                found = [await _out(deps, bot, None) for bot in await deps.bots.all() if not bot.sandbox]
                self._shown = sorted(found, key=lambda bot: bot.health.last_seen is None)
                self._pages.clear()
                self._until = monotonic() + max(FRESH_S, SELDOM * (monotonic() - began))
        return self._shown

    async def page(self, deps: Deps, after: int, upto: int) -> bytes:
        """The same as bytes, for all who have no bots of their own."""
        shown = await self.shown(deps)
        if (after, upto) not in self._pages:
            self._pages.keep((after, upto), _page(shown, after, upto).model_dump_json().encode())
        return self._pages[after, upto]

    def forget(self, name: str) -> None:
        """It is gone, or no longer what it was: not shown until it is looked up again."""
        self._shown = [bot for bot in self._shown if bot.name != name]
        self._pages.clear()


def _page(bots: list[BotOut], after: int, upto: int) -> BotList:
    return BotList(items=bots[after:upto], next=upto if upto < len(bots) else None)


@router.get("/bots", response_model=BotList)
async def list_bots(
    caller: Anyone,
    request: Request,
    deps: Here,
    mine: bool = False,
    limit: Annotated[int, Query(ge=1, description="at most 200; more is cut to that")] = MAX_PAGE,
    after: Annotated[int, Query(ge=0, le=1_000_000, description="`next` of the page before")] = 0,
) -> BotList | Response:
    """All bots, as they were a moment ago, or one's own. One in the sandbox is shown to its owner alone."""
    me, upto = _account(caller.who), after + min(limit, MAX_PAGE)
    if mine and me is None:
        raise Problem("unauthenticated")
    own = [await _out(deps, bot, me) for bot in await deps.bots.of(me)] if me else []
    if mine:
        return _page(own, after, upto)
    catalogue: Catalogue = request.app.bots
    if not own:
        return Response(await catalogue.page(deps, after, upto), media_type="application/json")
    names = {bot.name for bot in own}
    others = [bot for bot in await catalogue.shown(deps) if bot.name not in names]
    return _page([*own, *others], after, upto)


@router.get("/bots/{name}")
async def get_bot(name: Name, caller: Anyone, deps: Here) -> BotOut:
    bot, me = await find(deps, name), _account(caller.who)
    if bot is None or (bot.sandbox and bot.owner != me):
        raise Problem("not_found")
    return await _out(deps, bot, me)


@router.patch("/bots/{name}")
async def change(name: Name, body: Change, me: Owner, request: Request, deps: Here, door: Door) -> Changed:
    """Change a bot, or replace its token or secret."""
    bot = await registration.owned(deps, me.account, name)
    fields = body.model_dump(exclude={"rotate"}, exclude_none=True)
    bot = await registration.change(deps, me.account, bot, fields)
    request.app.bots.forget(bot.name)
    token = secret = None
    if body.rotate == "token":
        token = await registration.rotate_token(deps, bot)
        door.forget(bot.id)
    elif body.rotate == "secret":
        bot, secret = await registration.rotate_secret(deps, bot)
    shown = await _out(deps, bot, me.account.id)
    return Changed(**shown.model_dump(), token=token, secret=secret)


@router.delete("/bots/{name}", status_code=204)
async def remove(name: Name, me: Owner, request: Request, deps: Here, door: Door) -> None:
    """Take a bot away; caretakers play its matches to the end."""
    bot = await registration.owned(deps, me.account, name)
    await registration.remove(deps, bot)
    request.app.bots.forget(bot.name)
    door.forget(bot.id)


def _account(who: str | None) -> str | None:
    return None if who is None else account_id(who)


async def _out(deps: Deps, bot: Bot, me: str | None) -> BotOut:
    mine = bot.owner == me
    owner = await deps.names.one(0, of_account(bot.owner), "en")
    listed = [await deps.names.one(0, of_account(id), "en") for id in bot.seating.accounts] if mine else []
    return BotOut(
        name=bot.name,
        owner=owner,
        games=list(bot.games),
        delivery=Delivery(kind=bot.delivery.kind, url=bot.delivery.url if mine else None),
        capacity=bot.capacity,
        seating=Seating(who=bot.seating.who, accounts=listed),
        sandbox=bot.sandbox,
        enabled=bot.enabled,
        created=time(bot.created),
        mine=mine,
        health=await _health(deps, bot),
    )


async def _health(deps: Deps, bot: Bot) -> HealthOut:
    health = await deps.bots.health(bot.id)
    waiting = len(await remote.waiting(deps, bot))
    failure = None if health.failed_at is None else Failure(at=time(health.failed_at), reason=health.reason)
    return HealthOut(
        last_seen=None if health.last_seen is None else time(health.last_seen),
        median_answer=round(median(health.seconds), 3) if health.seconds else None,
        answered=health.answered,
        failures=health.failures,
        last_failure=failure,
        open_turns=waiting,
        state=_state(bot, health, waiting, deps.now().timestamp() * 1000),
    )


def _state(
    bot: Bot, health: Health, waiting: int, now: float
) -> Literal["fresh", "well", "silent", "failing"]:
    """What its owner should know at a glance. A webhook is only heard of when it is called."""
    if health.streak >= FAILING:
        return "failing"
    if health.last_seen is None:
        return "fresh" if not waiting else "silent"
    called = bot.delivery.kind == "webhook" and not waiting
    return "silent" if now - health.last_seen > SILENT_MS and not called else "well"
