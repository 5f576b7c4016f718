"""Server-sent events: every watcher reads the log itself, at its own pace, and is only woken by news.

Nothing is queued for anybody, so a slow reader costs no memory, and a lost notice costs only time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from engine.log import Match
from infra.errors import StoreUnavailable
from infra.metrics import WATCHERS
from infra.watch import Notices
from service import chats, handlers, sight
from service.api.auth import Doorman
from service.api.queries import match_id, number, whole
from service.api.visit import visit_of
from service.bootstrap import Deps
from service.sight import Caller

PATH = "/api/matches/{match}/stream"
BEAT_S = 15.0
PAGE = 200  # events read at once
HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),  # a proxy that collects would break the point
]
OVER = ("finished", "cancelled")


class Streams:
    """All open streams of this process, so that they can be ended before it does."""

    def __init__(self, deps: Deps, doorman: Doorman, beat_s: float = BEAT_S) -> None:
        self._deps, self._doorman = deps, doorman
        self._beat_s = beat_s
        self._open: set[Notices] = set()
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
        caller = await self._doorman.reader(request)
        invite = request.query_params.get("invite", "")
        after = _after(request)
        match = await handlers.readable(self._deps, visit.match, caller.who, invite)
        visit.seq = match.seq
        if match.status in OVER and after >= match.seq:
            await Response(status_code=204)(scope, receive, send)  # tells an EventSource not to come back
        elif scope["method"] == "HEAD":
            await Response(headers={"Content-Type": "text/event-stream"})(scope, receive, send)
        else:
            await self._serve(match.id, caller, after, receive, send)

    async def _serve(self, match: str, caller: Caller, after: int, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
        async with self._deps.watch.listen(match) as notices:
            gone = asyncio.ensure_future(_until_gone(receive))
            gone.add_done_callback(lambda _: notices.tell(0))
            try:
                # A store that is away ends the stream; the client comes back and misses nothing.
                with self._counted(notices), suppress(StoreUnavailable):
                    await self._deliver(match, caller, after, notices, gone, send)
            finally:
                gone.cancel()
        if not gone.done() or gone.cancelled():
            await send({"type": "http.response.body", "body": b""})

    @contextmanager
    def _counted(self, notices: Notices) -> Iterator[None]:
        self._open.add(notices)
        WATCHERS.inc()
        try:
            yield
        finally:
            self._open.discard(notices)
            WATCHERS.dec()

    async def _deliver(
        self,
        ident: str,
        caller: Caller,
        after: int,
        notices: Notices,
        gone: asyncio.Future[None],
        send: Send,
    ) -> None:
        said = await self._deps.chat.last(ident)
        await _write(send, b": hello\n\n")  # headers and proxies are through before the first event
        while not (self._stopping or gone.done()):
            match = await self._deps.matches.now(ident)
            after = await self._catch_up(match, caller, after, gone, send)
            if notices.look:
                notices.look = False
                said = await self._talk(match, caller, said, send)
            if match.status in OVER and after >= match.seq:
                return
            while not await self._news(notices):
                await _write(send, b": still here\n\n")

    async def _news(self, notices: Notices) -> bool:
        try:
            async with asyncio.timeout(self._beat_s):
                await notices
        except TimeoutError:
            return False
        return True

    async def _catch_up(
        self, match: Match, caller: Caller, after: int, gone: asyncio.Future[None], send: Send
    ) -> int:
        """Send what is new up to the match that was looked at: it decides what the caller may read."""
        after = min(after, match.seq)  # a log may have become shorter: what follows is new all the same
        while after < match.seq and not (self._stopping or gone.done()):
            lines = await self._deps.store.read(match.id, after, min(PAGE, match.seq - after))
            body = b"".join(_event(match, line, after + n, caller) for n, line in enumerate(lines, 1))
            await _write(send, body)
            after += len(lines)
        return after

    async def _talk(self, match: Match, caller: Caller, said: int, send: Send) -> int:
        """What was said since: without an id, so that `Last-Event-ID` stays a place in the log."""
        for message in await chats.since(self._deps, match.id, said, caller.lang):
            await _write(send, b"event: chat\ndata: %b\n\n" % sight.encode(message))
            said = message["id"]
        return said


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _write(send: Send, body: bytes) -> None:
    await send({"type": "http.response.body", "body": body, "more_body": True})


def _event(match: Match, line: bytes, seq: int, caller: Caller) -> bytes:
    return b"id: %d\ndata: %b\n\n" % (seq, sight.event_line(match, line, caller))


def _after(request: Request) -> int:
    """Where to go on: the browser's own mark counts before the address it was opened with."""
    last = request.headers.get("last-event-id", "")
    if last:
        return whole(last, "Last-Event-ID")
    return number(request.query_params, "after") or 0
