"""The one gate in front of all routes, as plain ASGI: what every request needs, and nothing twice.

Request id, rate limit, body limit, security headers, compression, figures, and one line in the log.
"""

from __future__ import annotations

import asyncio
import gzip
from functools import lru_cache
from time import perf_counter
from typing import Any

import structlog
from prometheus_client import Counter, Histogram
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from infra.process.metrics import HTTP_REQUESTS, HTTP_SECONDS
from infra.process.telemetry import context
from service.api.frame import errors
from service.api.frame.auth import Authenticator
from service.api.frame.ratelimit import RateLimit
from service.api.frame.visit import Visit, address_of, loggable
from service.basics.errors import Problem
from service.bootstrap import Deps

IMPORT = "/api/import"
UNLIMITED = ("/health", "/ready", "/metrics")
WORTH_PACKING = 1024  # bytes
GONE = 499  # for the log: whoever asked hung up before the request was complete
LONG_WORK = 128 * 1024  # bytes to pack that would hold everybody else up
PIECE = 256 * 1024  # of a body
PACKED = ("json", "text", "javascript", "svg")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
SECURITY = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),  # addresses may carry an invitation
    (b"cross-origin-opener-policy", b"same-origin"),
]
# A board for other people's pages: it shows and does nothing, and their pages bring no cookies of ours along.
EMBEDDED = "/embed/"
SHOWN_ELSEWHERE = [
    (name, value.replace(b"frame-ancestors 'none'", b"frame-ancestors *"))
    for name, value in SECURITY
    if name != b"x-frame-options"
]
TRANSPORT = (b"strict-transport-security", b"max-age=31536000")


class Gate:
    """Wraps the application."""

    def __init__(self, app: ASGIApp, deps: Deps, authenticator: Authenticator, rate: RateLimit) -> None:
        self._app = app
        self._settings = deps.settings
        self._authenticator = authenticator
        self._rate = rate
        # Bound once: a logger that is looked up for every line costs more than writing it.
        self._log = structlog.get_logger("service.api").bind()
        https = (deps.settings.public_url or "").startswith("https://")
        self._headers = [*SECURITY, TRANSPORT] if https else SECURITY
        self._elsewhere = [*SHOWN_ELSEWHERE, TRANSPORT] if https else SHOWN_ELSEWHERE

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = perf_counter()
        visit = scope["visit"] = Visit(scope)
        way = Outgoing(visit, send, self._headers_for(scope))
        with context(request=visit.id):
            try:
                await self._through(scope, receive, visit, way)
            except ClientDisconnect:
                way.status = GONE
            except errors.EXPECTED as refusal:
                problem = errors.as_problem(refusal)
                await errors.respond(problem, visit.lang)(scope, receive, way.send)
            except Exception:  # noqa: BLE001 - a bug must not leave without an answer and a trace
                self._log.exception(
                    "request failed", path=loggable(scope["path"]), match=visit.match, seq=visit.seq
                )
                await way.fail(scope, receive)
            finally:
                self._account(scope, visit, way.status, perf_counter() - began)

    def _headers_for(self, scope: Scope) -> list[tuple[bytes, bytes]]:
        headers = self._elsewhere if scope["path"].startswith(EMBEDDED) else self._headers
        # Whoever keeps connections to a process that is about to end lets go of them in time.
        return [*headers, (b"connection", b"close")] if scope["app"].draining else headers

    async def _through(self, scope: Scope, receive: Receive, visit: Visit, way: Outgoing) -> None:
        path = scope["path"]
        if path not in UNLIMITED:
            self._rate.check(self._authenticator.known(visit) or address_of(scope))
        limit = self._settings.import_limit if path == IMPORT else self._settings.body_limit
        if visit.length is not None:
            if not visit.length.isdigit() or len(visit.length) > 18 or int(visit.length) > limit:
                raise Problem("too_large", limit=limit)
        elif scope["method"] not in ("GET", "HEAD"):
            receive = _counted(receive, limit)
        await self._app(scope, receive, way.send)

    def _account(self, scope: Scope, visit: Visit, status: int, seconds: float) -> None:
        route = visit.route or getattr(scope.get("route"), "path", "") or "none"
        answered, took = _figures(scope["method"], route, status)
        answered.inc()
        took.observe(seconds)
        self._log.info(
            "request",
            method=scope["method"],
            path=loggable(scope["path"]),
            status=status,
            ms=round(seconds * 1000, 2),
            match=visit.match,
            seq=visit.seq,
        )


class Outgoing:
    """An answer on its way: headers are added, and a body that comes whole is packed."""

    __slots__ = ("_headers", "_held", "_send", "_visit", "status")

    def __init__(self, visit: Visit, send: Send, headers: list[tuple[bytes, bytes]]) -> None:
        self._visit, self._send, self._headers = visit, send, headers
        self._held: Message | None = None
        self.status = 0  # until it is on its way

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._held = message  # until it is known whether the body comes whole
            return
        if self._held is not None:
            start, self._held = self._held, None
            if not message.get("more_body", False):
                await _pack(self._visit, start, message)
            start["headers"] = _complete(self._visit, start["headers"], self._headers)
            self.status = start["status"]
            await self._send(start)
        await self._send_body(message)

    async def _send_body(self, message: Message) -> None:
        """Piece by piece, each when the reader has taken the one before: nothing is piled up."""
        body = message.get("body", b"")
        if len(body) <= PIECE:
            await self._send(message)
            return
        for begin in range(0, len(body), PIECE):
            more = message.get("more_body", False) or begin + PIECE < len(body)
            await self._send({**message, "body": body[begin : begin + PIECE], "more_body": more})
            await asyncio.sleep(0)  # now the transport knows, and says whether it is full

    async def fail(self, scope: Scope, receive: Receive) -> None:
        """Answer that something broke, unless an answer has begun."""
        if not self.status:
            await errors.respond(Problem("internal"), self._visit.lang)(scope, receive, self.send)


def _complete(visit: Visit, given: Any, ours: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    headers = [*given, *ours, (b"x-request-id", visit.id.encode())]
    if not any(name == b"cache-control" for name, _ in headers):
        headers.append((b"cache-control", b"no-store"))
    return headers


async def _pack(visit: Visit, start: Message, message: Message) -> None:
    """Compress a whole body if the reader can unpack it and it is worth it."""
    body = message.get("body", b"")
    if not visit.gzip or len(body) < WORTH_PACKING:
        return
    headers = dict(start["headers"])
    kind = headers.get(b"content-type", b"").decode("latin-1")
    if b"content-encoding" in headers or not any(word in kind for word in PACKED):
        return
    if len(body) > LONG_WORK:
        packed = await asyncio.to_thread(gzip.compress, body, 5, mtime=0)
    else:
        packed = gzip.compress(body, 3, mtime=0)
    kept = [pair for pair in start["headers"] if pair[0] not in (b"content-length", b"vary")]
    vary = b", ".join(filter(None, (headers.get(b"vary"), b"Accept-Encoding")))
    more = [(b"content-encoding", b"gzip"), (b"content-length", b"%d" % len(packed)), (b"vary", vary)]
    start["headers"] = kept + more
    message["body"] = packed


def _counted(receive: Receive, limit: int) -> Receive:
    """A body without a stated length is cut off as soon as it is too long."""
    size = 0

    async def counting() -> Message:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        if size > limit:
            # The framework passes its own exception through body parsing, and no other.
            raise HTTPException(413, str(limit))
        return message

    return counting


@lru_cache(maxsize=1024)
def _figures(method: str, route: str, status: int) -> tuple[Counter, Histogram]:
    return HTTP_REQUESTS.labels(method, route, status), HTTP_SECONDS.labels(route)
