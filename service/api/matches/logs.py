"""The log of a match as its reader may know it: a range of events, or the whole as a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from starlette.requests import Request
from starlette.responses import Response

from engine.match import Match
from service.api.frame.auth import Authenticator
from service.api.frame.queries import flag, number
from service.api.frame.visit import visit_of
from service.bootstrap import Deps, Tables
from service.memory.matches import LONG
from service.views import access, sight, signatures
from service.views.sight import Caller

NDJSON = "application/x-ndjson"
MAX_EVENTS = 1000  # events of one answer


async def events(deps: Deps, authenticator: Authenticator, request: Request) -> Response:
    """GET /matches/{match}/events"""
    caller = await authenticator.reader(request)
    query = request.query_params
    after, limit = number(query, "after", 0) or 0, number(query, "limit", MAX_EVENTS) or 0
    match = await access.readable(deps, request.path_params["match"], caller.who, query.get("invite", ""))
    visit_of(request.scope).seq = match.seq
    # Not beyond what was looked at: what a reader may see is decided by a match at least as new as the line.
    count = min(limit, MAX_EVENTS, match.seq - after)
    lines = await deps.store.read(match.id, after, count) if count > 0 else []
    tell: Callable[[bytes], bytes] = partial(_line, match, caller)
    if flag(query, "text", False):
        tell = partial(_text, match, caller, await deps.names.of(match, caller.lang))
    if len(lines) < LONG:
        return Response(_told(tell, lines), media_type=NDJSON)
    return Response(await deps.matches.turns.run(match.id, _told, tell, lines), media_type=NDJSON)


def _line(match: Match, caller: Caller, line: bytes) -> bytes:
    return sight.event_line(match, line, caller)


def _text(match: Match, caller: Caller, names: Sequence[str], line: bytes) -> bytes:
    return sight.event_text(match, line, caller, names)


def _told(tell: Callable[[bytes], bytes], lines: Sequence[bytes]) -> bytes:
    return b"".join(tell(line) + b"\n" for line in lines)


async def views(deps: Tables, authenticator: Authenticator, request: Request) -> Response:
    """GET /matches/{match}/views"""
    caller = await authenticator.reader(request)
    query = request.query_params
    after, limit = number(query, "after", 0) or 0, number(query, "limit", MAX_EVENTS) or 0
    invite, ident = query.get("invite", ""), request.path_params["match"]
    upto = after + min(limit, MAX_EVENTS)
    match, lines = await access.readable_log(deps, ident, caller.who, invite, upto)
    visit_of(request.scope).seq = match.seq
    body = await deps.matches.turns.run(match.id, sight.positions, match, lines, after, caller)
    return Response(b"".join(line + b"\n" for line in body), media_type=NDJSON)


async def log(deps: Tables, authenticator: Authenticator, request: Request) -> Response:
    """GET /matches/{match}/log"""
    caller = await authenticator.reader(request)
    invite = request.query_params.get("invite", "")
    match, lines = await access.readable_log(deps, request.path_params["match"], caller.who, invite)
    visit_of(request.scope).seq = match.seq
    headers = {"Content-Disposition": f'attachment; filename="{match.id}.ndjson"'}
    signed = await signatures.signed(deps, match, redacted=match.status != "finished")
    return Response(sight.export(match, lines, caller, signed), headers=headers, media_type=NDJSON)
