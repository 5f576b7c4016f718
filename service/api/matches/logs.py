"""The log of a match as its reader may know it: a range of events, or the whole as a file."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from engine.match import Match
from infra.people.quotas import network
from service.api.frame.auth import Authenticator
from service.api.frame.queries import flag, number
from service.api.frame.visit import address_of, visit_of
from service.bootstrap import Deps, Tables
from service.memory.matches import LONG, Matches
from service.views import access, sight, signatures
from service.views.sight import Caller

NDJSON = "application/x-ndjson"
MAX_EVENTS = 1000  # events of one answer
Work = Callable[[], Awaitable[bytes]]


class Aside:
    """A long answer: worked out in turn, and in its caller's hand until it is sent."""

    def __init__(self, matches: Matches, work: Work, headers: dict[str, str] | None = None) -> None:
        self._matches, self._work, self._headers = matches, work, headers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        who = network(address_of(scope))
        with self._matches.hands.one(who):
            body = await self._matches.turns.run(who, self._work)
            await Response(body, headers=self._headers, media_type=NDJSON)(scope, receive, send)


async def events(deps: Deps, authenticator: Authenticator, request: Request) -> ASGIApp:
    """GET /matches/{match}/events"""
    caller = await authenticator.reader(request)
    query = request.query_params
    after, limit = number(query, "after", 0) or 0, number(query, "limit", MAX_EVENTS) or 0
    match = await access.readable(deps, request.path_params["match"], caller.who, query.get("invite", ""))
    visit_of(request.scope).seq = match.seq
    # Not beyond what was looked at: what a reader may see is decided by a match at least as new as the line.
    count = min(limit, MAX_EVENTS, match.seq - after)
    tell: Callable[[bytes], bytes] = partial(_line, match, caller)
    if flag(query, "text", False):
        tell = partial(_text, match, caller, await deps.names.of(match, caller.lang))
    if count >= LONG:
        return Aside(deps.matches, partial(_many, deps, match, after, count, partial(_told, tell)))
    lines = await deps.store.read(match.id, after, count) if count > 0 else []
    return Response(_told(tell, lines), media_type=NDJSON)


async def _many(
    deps: Tables, match: Match, after: int, count: int, tell: Callable[[Sequence[bytes]], bytes]
) -> bytes:
    """So many lines, as somebody is told them, in a thread."""
    return await asyncio.to_thread(tell, await deps.store.read(match.id, after, count))


def _line(match: Match, caller: Caller, line: bytes) -> bytes:
    return sight.event_line(match, line, caller)


def _text(match: Match, caller: Caller, names: Sequence[str], line: bytes) -> bytes:
    return sight.event_text(match, line, caller, names)


def _told(tell: Callable[[bytes], bytes], lines: Sequence[bytes]) -> bytes:
    return b"".join(tell(line) + b"\n" for line in lines)


async def views(deps: Tables, authenticator: Authenticator, request: Request) -> ASGIApp:
    """GET /matches/{match}/views"""
    caller = await authenticator.reader(request)
    query = request.query_params
    after, limit = number(query, "after", 0) or 0, number(query, "limit", MAX_EVENTS) or 0
    match = await access.readable(deps, request.path_params["match"], caller.who, query.get("invite", ""))
    visit_of(request.scope).seq = match.seq
    upto = min(match.seq, after + min(limit, MAX_EVENTS))
    tell = partial(_positions, match, after, caller)
    return Aside(deps.matches, partial(_many, deps, match, 0, upto, tell))


def _positions(match: Match, after: int, caller: Caller, lines: Sequence[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in sight.positions(match, lines, after, caller))


async def log(deps: Tables, authenticator: Authenticator, request: Request) -> ASGIApp:
    """GET /matches/{match}/log"""
    caller = await authenticator.reader(request)
    invite = request.query_params.get("invite", "")
    match = await access.readable(deps, request.path_params["match"], caller.who, invite)
    visit_of(request.scope).seq = match.seq
    headers = {"Content-Disposition": f'attachment; filename="{match.id}.ndjson"'}
    signed = await signatures.signed(deps, match, redacted=match.status != "finished")
    tell = partial(_exported, match, caller, signed)
    if match.seq >= LONG:
        return Aside(deps.matches, partial(_many, deps, match, 0, match.seq, tell), headers)
    lines = await deps.store.read(match.id, 0, match.seq)
    return Response(tell(lines), headers=headers, media_type=NDJSON)


def _exported(match: Match, caller: Caller, signed: tuple[str, str] | None, lines: Sequence[bytes]) -> bytes:
    return sight.export(match, lines, caller, signed)
