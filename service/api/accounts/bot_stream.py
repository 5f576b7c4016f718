"""A remote bot's turns, as a stream of lines or by long poll.

Both look at the read model when news of the bot arrive, and at every beat; nothing is queued for anybody.
What one connection remembers is only what it has sent, so that a turn is not repeated at every look.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from time import monotonic
from typing import Any, NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from engine.identity import of_account
from infra.people.bots import Bot
from infra.process.errors import StoreUnavailable
from infra.store.watch import Subscription
from service.api.frame.auth import BOT, Authenticator
from service.api.frame.queries import number
from service.api.frame.render import JSON
from service.api.frame.visit import Visit, visit_of
from service.basics.damage import passed_by
from service.basics.errors import Problem
from service.bootstrap import Deps
from service.bots import remote
from service.bots.remote import Open
from service.views import sight

STREAM, TURNS = "/api/bot/stream", "/api/bot/turns"
BEAT_S = 7.0
LONGEST_WAIT_S = 60
AWAY_S = 60.0  # until a bot is told again that a caretaker plays for it
MAX_AWAY = 100  # of those that it is told at a time
AGAIN_S = (15.0, 30.0, 60.0, 120.0, 300.0)  # until an unanswered turn is sent again on the same connection
HEADERS = [
    (b"content-type", b"application/x-ndjson"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),  # a proxy that collects would break the point
]


class Sent(NamedTuple):
    """A turn that went over this connection: under which number, how often, and when it is due again."""

    seq: int
    times: int = 0
    again: float = 0.0


class BotStreams:
    """All bots that listen to this process, so that they can be sent away before it ends."""

    def __init__(self, deps: Deps, authenticator: Authenticator, beat_s: float = BEAT_S) -> None:
        self._deps, self._authenticator, self._beat_s = deps, authenticator, beat_s
        self._open: set[Subscription] = set()
        self._stopping = False

    def routes(self) -> list[Route]:
        return [
            Route(STREAM, _Asgi(self.stream), methods=["GET"]),
            Route(TURNS, _Asgi(self.turns), methods=["GET"]),
        ]

    def stop(self) -> None:
        """End all streams and polls; bots come back, to whoever serves then."""
        self._stopping = True
        for notices in self._open:
            notices.tell(0)

    async def turns(self, scope: Scope, receive: Receive, send: Send) -> None:
        """GET /bot/turns: open turns as soon as there is one, or none after `wait` seconds."""
        request, visit = Request(scope, receive), visit_of(scope)
        visit.route = TURNS
        wait = min(number(request.query_params, "wait") or 0, LONGEST_WAIT_S)
        bot = await self._bot(visit)
        await self._seen(bot)
        async with self._deps.watch.listen(of_account(bot.id)) as notices:
            self._open.add(notices)
            gone = asyncio.ensure_future(until_gone(receive))
            gone.add_done_callback(lambda _: notices.tell(0))
            try:
                items = await self._wait_for_turns(visit, notices, gone, wait)
            finally:
                self._open.discard(notices)
                gone.cancel()
        away = (await self._deps.bots.away(bot.id))[:MAX_AWAY]
        body = {"items": items, "away": await self._away(bot, away)}
        await Response(sight.encode(body), media_type=JSON)(scope, receive, send)

    async def _wait_for_turns(
        self, visit: Visit, notices: Subscription, gone: asyncio.Future[None], wait: int
    ) -> list[dict[str, Any]]:
        deadline = monotonic() + wait
        while not (items := await self._messages(await self._bot(visit))):
            left = deadline - monotonic()
            if left <= 0 or self._stopping or gone.done():
                break
            await news(notices, min(left, self._beat_s))
        return items

    async def stream(self, scope: Scope, receive: Receive, send: Send) -> None:
        """GET /bot/stream: a line a turn, without end."""
        visit = visit_of(scope)
        visit.route = STREAM
        bot = await self._bot(visit)
        # Before the headers: a seat that is given as soon as they are there is news.
        active = await self._deps.readmodel.active(of_account(bot.id))
        await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
        async with self._deps.watch.listen(of_account(bot.id)) as notices:
            self._open.add(notices)
            gone = asyncio.ensure_future(until_gone(receive))
            gone.add_done_callback(lambda _: notices.tell(0))
            try:
                # A store that is away, or a token that was replaced, ends the stream; the bot comes back.
                with suppress(StoreUnavailable, Problem):
                    await self._deliver(visit, active, notices, gone, send)
            finally:
                self._open.discard(notices)
                gone.cancel()
        if not gone.done() or gone.cancelled():
            await send({"type": "http.response.body", "body": b""})

    async def _deliver(
        self,
        visit: Visit,
        active: set[str],
        notices: Subscription,
        gone: asyncio.Future[None],
        send: Send,
    ) -> None:
        sent: dict[Open, Sent] = {}
        told: dict[str, float] = {}
        seen_at = 0.0
        await write(send, b"\n")  # headers and proxies are through before the first turn
        while not (self._stopping or gone.done()):
            bot = await self._bot(visit)  # it may have been changed, or its token replaced
            if monotonic() - seen_at >= self._beat_s:
                seen_at = monotonic()
                await self._seen(bot)
            active = await self._tell(bot, active, send)
            told = await self._tell_away(bot, told, send)
            sent = await self._offer(bot, sent, send)
            if not await news(notices, self._beat_s):
                await write(send, b"\n")

    async def _tell(self, bot: Bot, before: set[str], send: Send) -> set[str]:
        """Seats that the bot was given and matches that have ended since the last look."""
        active = await self._deps.readmodel.active(of_account(bot.id))
        for kind, matches in (("seated", active - before), ("over", before - active)):
            for match in sorted(matches):
                with passed_by(match):
                    message = remote.told(bot, await self._deps.matches.now(match), kind)
                    if message is not None:
                        await write(send, sight.encode(message) + b"\n")
        return active

    async def _tell_away(self, bot: Bot, told: dict[str, float], send: Send) -> dict[str, float]:
        """Matches in which a caretaker plays for the bot: said at once, and again while it stays away."""
        now, kept = monotonic(), {}
        for match in (await self._deps.bots.away(bot.id))[:MAX_AWAY]:
            kept[match] = told.get(match, 0.0)
            if kept[match] <= now:
                kept[match] = now + AWAY_S
                await self._write_all(await self._away(bot, [match]), send)
        return kept

    async def _write_all(self, messages: list[dict[str, Any]], send: Send) -> None:
        for message in messages:
            await write(send, sight.encode(message) + b"\n")

    async def _away(self, bot: Bot, matches: list[str]) -> list[dict[str, Any]]:
        """Where a caretaker plays for the bot, if that is still true."""
        found = []
        for match in matches:
            with passed_by(match):
                found.append(remote.told(bot, await self._deps.matches.now(match), "away"))
        return [message for message in found if message is not None]

    async def _offer(self, bot: Bot, sent: dict[Open, Sent], send: Send) -> dict[Open, Sent]:
        """Send turns that are new or due again; returns what is in flight now."""
        flying: dict[Open, Sent] = {}
        for turn in await remote.offered(self._deps, bot, sent):
            with passed_by(turn.match):
                now = await self._offer_one(bot, turn, sent.get(turn), send)
                if now is not None:
                    flying[turn] = now
        return flying

    async def _offer_one(self, bot: Bot, turn: Open, known: Sent | None, send: Send) -> Sent | None:
        seq = await remote.number(self._deps, bot, turn)
        if seq is None:
            return None
        if known is None or known.seq != seq:
            known = Sent(seq)  # something happened: it is another question now
        return await self._send(bot, turn, known, send) if known.again <= monotonic() else known

    async def _send(self, bot: Bot, turn: Open, known: Sent, send: Send) -> Sent:
        match = await self._deps.matches.now(turn.match)
        message = await remote.turn_message(self._deps, bot, match, turn)
        if message is not None:
            await write(send, sight.encode(message) + b"\n")
        pause = AGAIN_S[min(known.times, len(AGAIN_S) - 1)]
        return Sent(known.seq, known.times + 1, monotonic() + pause)

    async def _messages(self, bot: Bot) -> list[dict[str, Any]]:
        """The turns in flight."""
        found: list[dict[str, Any]] = []
        for turn in await remote.offered(self._deps, bot):
            with passed_by(turn.match):
                match = await self._deps.matches.now(turn.match)
                message = await remote.turn_message(self._deps, bot, match, turn)
                if message is not None:
                    found.append(message)
        return found

    async def _bot(self, visit: Visit) -> Bot:
        session = await self._authenticator.recognise(visit)
        if session is None:
            raise Problem("unauthenticated")
        bot = await self._deps.bots.get(session.account.id) if session.may(BOT) else None
        if bot is None:
            raise Problem("forbidden")
        return bot

    async def _seen(self, bot: Bot) -> None:
        await self._deps.bots.seen(bot.id, int(self._deps.now().timestamp() * 1000))


class _Asgi:
    """Starlette takes a function for a handler of requests, and an object for an application."""

    def __init__(self, serve: Any) -> None:
        self._serve = serve

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._serve(scope, receive, send)


async def news(notices: Subscription, seconds: float) -> bool:
    """Whether somebody woke us within so many seconds."""
    try:
        async with asyncio.timeout(seconds):
            await notices
    except TimeoutError:
        return False
    return True


async def until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def write(send: Send, body: bytes) -> None:
    await send({"type": "http.response.body", "body": body, "more_body": True})
