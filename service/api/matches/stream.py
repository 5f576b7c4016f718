"""Server-sent events: a watcher is told what its feed has, at its own pace, as long as it may be told.

Nothing is queued for anybody. Who does not take what is sent is cut off, and comes back with Last-Event-ID.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from time import monotonic

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from engine.log import BadLog, Match
from infra.process.errors import StoreUnavailable
from infra.process.metrics import WATCHERS
from infra.store.watch import Subscription
from service.api.frame.auth import Authenticator
from service.api.frame.queries import match_id, number, whole
from service.api.frame.visit import visit_of
from service.basics.errors import Problem
from service.bootstrap import Deps
from service.views import access
from service.views.feeds import Feed, Feeds
from service.views.sight import Caller

PATH = "/api/matches/{match}/stream"
BEAT_S = 10.0  # with the moment for which a token is known: nobody hears more 15 s after theirs has ended
STALLED_S = 30.0  # a reader who takes nothing for so long is cut off
HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),  # a proxy that collects would break the point
]
OVER = ("finished", "cancelled")


class Visitor:
    """Somebody who watches: who they are, and how far they have heard."""

    def __init__(
        self, request: Request, caller: Caller, after: int, send: Send, notices: Subscription
    ) -> None:
        self.request, self.caller, self.notices = request, caller, notices
        self.invite = request.query_params.get("invite", "")
        self.after, self.said = after, 0
        self.gone = False
        self._send = send

    async def write(self, body: bytes) -> None:
        async with asyncio.timeout(STALLED_S):
            await self._send({"type": "http.response.body", "body": body, "more_body": True})

    async def until_gone(self) -> None:
        while (await self.request.receive())["type"] != "http.disconnect":
            pass
        self.gone = True
        self.notices.tell(0)


class Streams:
    """All open streams of this process, so that they can be ended before it does."""

    def __init__(self, deps: Deps, authenticator: Authenticator, beat_s: float = BEAT_S) -> None:
        self._deps, self._authenticator = deps, authenticator
        self._beat_s = beat_s
        self._feeds = Feeds(deps)
        self._open: set[Subscription] = set()
        self._stopping = False

    def route(self) -> Route:
        return Route(PATH, self, methods=["GET"])

    def stop(self) -> None:
        """End all streams; clients come back with Last-Event-ID, to whoever serves then."""
        self._stopping = True
        for notices in self._open:
            notices.tell(0)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """GET /matches/{match}/stream"""
        request = Request(scope, receive)
        visit = visit_of(scope)
        visit.route, visit.match = PATH, match_id(request.path_params["match"])
        caller = await self._authenticator.reader(request)
        after = _after(request)
        invite = request.query_params.get("invite", "")
        match = await access.readable(self._deps, visit.match, caller.who, invite)
        visit.seq = match.seq
        if match.status in OVER and after >= match.seq:
            await Response(status_code=204)(scope, receive, send)  # tells an EventSource not to come back
        elif scope["method"] == "HEAD":
            await Response(headers={"Content-Type": "text/event-stream"})(scope, receive, send)
        else:
            await self._serve(match, request, caller, after, send)

    async def _serve(self, match: Match, request: Request, caller: Caller, after: int, send: Send) -> None:
        async with self._feeds.watch(match) as (feed, notices):
            await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
            visitor = Visitor(request, caller, after, send, notices)
            gone = asyncio.ensure_future(visitor.until_gone())
            try:
                # What cannot be followed any more ends the stream; the client comes back and hears why.
                with self._counted(notices), suppress(StoreUnavailable, Problem, BadLog):
                    await self._deliver(feed, visitor)
                if not visitor.gone:
                    await send({"type": "http.response.body", "body": b""})
            except TimeoutError:
                _cut_off(request.scope)
            finally:
                gone.cancel()

    @contextmanager
    def _counted(self, notices: Subscription) -> Iterator[None]:
        self._open.add(notices)
        WATCHERS.inc()
        try:
            yield
        finally:
            self._open.discard(notices)
            WATCHERS.dec()

    async def _deliver(self, feed: Feed, visitor: Visitor) -> None:
        visitor.said = feed.said
        await visitor.write(b": hello\n\n")  # headers and proxies are through before the first event
        beat = monotonic() + self._beat_s
        timer = _wake_later(visitor, self._beat_s)
        try:
            while await self._tell(feed, visitor):
                await visitor.notices
                if monotonic() >= beat:
                    if not await self._still_known(visitor):
                        return
                    await visitor.write(b": still here\n\n")
                    beat, timer = monotonic() + self._beat_s, _wake_later(visitor, self._beat_s)
        finally:
            timer.cancel()

    async def _tell(self, feed: Feed, visitor: Visitor) -> bool:
        """Everything that is new to a visitor; returns whether there can be more."""
        while self._may_hear(feed, visitor):
            match = feed.match
            # A log may have become shorter: what follows is new all the same.
            before = visitor.after = min(visitor.after, match.seq)
            words, visitor.said = feed.words(visitor.said, visitor.caller.lang), feed.said
            news = b""
            if before < match.seq:
                news, visitor.after = await feed.news(match, before, match.seat_of(visitor.caller.who))
            if news or words:
                await visitor.write(news + words)
            if visitor.after >= match.seq:
                return match.status not in OVER and not feed.ended
            if visitor.after == before:
                return False  # the log is shorter than it was: whoever comes back hears why
        return False

    def _may_hear(self, feed: Feed, visitor: Visitor) -> bool:
        if self._stopping or visitor.gone:
            return False
        return access.may_read(self._deps, feed.match, visitor.caller.who, visitor.invite)

    async def _still_known(self, visitor: Visitor) -> bool:
        """Whether the visitor is still who they were: a token may have ended, an account may be gone."""
        try:
            now = await self._authenticator.reader(visitor.request)
        except StoreUnavailable:
            return True  # nobody can be told anything now; the next beat asks again
        return now.who == visitor.caller.who


def _wake_later(visitor: Visitor, seconds: float) -> asyncio.TimerHandle:
    return asyncio.get_running_loop().call_later(seconds, visitor.notices.tell, 0)


def _cut_off(scope: Scope) -> None:
    """At once: a connection that is closed in order would wait for its reader."""
    abort = scope.get("state", {}).get("abort")
    if abort is not None:
        abort()


def _after(request: Request) -> int:
    """Where to go on: the browser's own mark counts before the address it was opened with."""
    last = request.headers.get("last-event-id", "")
    if last:
        return whole(last, "Last-Event-ID")
    return number(request.query_params, "after") or 0
