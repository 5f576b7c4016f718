"""The log of a match as its reader may know it: a range of events, or the whole as a file."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response

from engine.log import steps
from engine.match import Imported
from service import handlers, sight, signing
from service.api.auth import Doorman
from service.api.queries import flag, number
from service.api.visit import visit_of
from service.bootstrap import Deps
from service.origins import dressed
from service.sight import Caller

NDJSON = "application/x-ndjson"
MOST = 1000  # events of one answer


async def events(deps: Deps, doorman: Doorman, request: Request) -> Response:
    """GET /matches/{match}/events"""
    caller = await doorman.reader(request)
    query = request.query_params
    after, limit = number(query, "after", 0) or 0, number(query, "limit", MOST) or 0
    match = await handlers.readable(deps, request.path_params["match"], caller.who, query.get("invite", ""))
    visit_of(request.scope).seq = match.seq
    # Not beyond what was looked at: what a reader may see is decided by a match at least as new as the line.
    count = min(limit, MOST, match.seq - after)
    lines = await deps.store.read(match.id, after, count) if count > 0 else []
    if flag(query, "text", False):
        names = await deps.names.of(match, caller.lang)
        shown = [sight.event_text(match, line, caller, names) for line in lines]
    else:
        shown = [sight.event_line(match, line, caller) for line in lines]
    return Response(b"".join(line + b"\n" for line in shown), media_type=NDJSON)


async def views(deps: Deps, doorman: Doorman, request: Request) -> Response:
    """GET /matches/{match}/views"""
    caller = await doorman.reader(request)
    query = request.query_params
    after, limit = number(query, "after", 0) or 0, number(query, "limit", MOST) or 0
    match = await handlers.readable(deps, request.path_params["match"], caller.who, query.get("invite", ""))
    visit_of(request.scope).seq = match.seq
    lines = await deps.store.read(match.id, 0, min(match.seq, after + min(limit, MOST)))
    body = await asyncio.to_thread(_positions, lines, after, caller, match.imported)
    return Response(body, media_type=NDJSON)


def _positions(lines: Sequence[bytes], after: int, caller: Caller, origin: Imported | None) -> bytes:
    """Every position that an event led to: folded once, however many they are, and off the loop."""
    if len(lines) <= after:
        return b""
    moments = (dressed(match, origin) for _, match in steps(lines) if match.seq > after)
    return b"".join(line + b"\n" for line in sight.positions(moments, caller))


async def log(deps: Deps, doorman: Doorman, request: Request) -> Response:
    """GET /matches/{match}/log"""
    caller = await doorman.reader(request)
    invite = request.query_params.get("invite", "")
    match = await handlers.readable(deps, request.path_params["match"], caller.who, invite)
    visit_of(request.scope).seq = match.seq
    lines = await deps.store.read(match.id, 0, match.seq)
    headers = {"Content-Disposition": f'attachment; filename="{match.id}.ndjson"'}
    signed = await signing.signed(deps, match, redacted=match.status != "finished")
    return Response(sight.export(match, lines, caller, signed), headers=headers, media_type=NDJSON)
