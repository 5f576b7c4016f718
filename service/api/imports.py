"""Logs from elsewhere: verified from their bytes alone before anything is stored."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from engine import codec, verify
from engine.log import BadLog, Match
from service import handlers, quotas, signing
from service.api.auth import Here, Player
from service.api.matches import MATCH
from service.api.queries import MATCH_ID
from service.api.render import match_response
from service.api.visit import visit_of
from service.errors import Problem
from service.importing import Importer
from service.sight import Caller
from service.signing import Keyring

router = APIRouter(prefix="/api", tags=["matches"])
NOT_STARTED = {"en": "the match has not started.", "cs": "partie ještě nezačala."}
NDJSON_BODY = {
    "requestBody": {
        "required": True,
        "content": {"application/x-ndjson": {"schema": {"type": "string", "description": "an exported log"}}},
    }
}


@router.post(
    "/import",
    status_code=201,
    response_class=Response,
    responses={201: MATCH, 200: {**MATCH, "description": "it was here already"}},
    openapi_extra=NDJSON_BODY,
)
async def import_log(me: Player, request: Request, deps: Here) -> Response:
    """Store a match that was exported here or elsewhere; one that was running goes on under a new seal.

    Unless this server signed it, its people have no accounts here, and it is yours: not rated, told to
    nobody, and, unless the operator trusts the server that signed it, not listed.
    """
    await quotas.often(deps, "imports", me.account.id)
    data = await request.body()
    # In a thread and one after the other: to verify is to play the whole match again.
    keys = await signing.known(deps)
    async with request.app.importing:
        match, lines = await asyncio.to_thread(check, data, keys)
    stored, new = await handlers.import_log(deps, match, lines, verify.ending(data), Importer(me.who))
    visit = visit_of(request.scope)
    visit.match, visit.seq = stored.id, stored.seq
    return await match_response(deps, stored, Caller(me.who, visit.lang), 201 if new else 200)


def check(data: bytes, keys: Keyring) -> tuple[Match, Sequence[bytes]]:
    """A log that holds, or the first line that does not. A signature counts where rules have changed."""
    try:
        match, lines = _verified(data, keys)
    except BadLog as bad:
        code = "incomplete_log" if bad.code == "incomplete_log" else "bad_log"
        extra = {"line": bad.line, "reason": bad.code}
        raise Problem(code, extra, line=bad.line, detail=bad.reason) from None
    if match.status == "open":
        # It would start under a seed that whoever sends it knows; a running one gets a new seal.
        raise Problem("incomplete_log", {"line": len(lines)}, detail=NOT_STARTED)
    return match, lines


def _verified(data: bytes, keys: Keyring) -> tuple[Match, Sequence[bytes]]:
    try:
        match, lines = verify.read(data)
    except BadLog:
        raise
    except Exception:  # noqa: BLE001 - facts are folded unjudged, so forged ones may break the fold itself
        raise _where(data) from None
    if not MATCH_ID.fullmatch(match.id):
        raise BadLog(1, "bad_id", "this cannot be the id of a match")
    verify.verify(lines, signing.of_file(keys, data).counts)
    return match, lines


def _where(data: bytes) -> BadLog:
    """The first line that is not even JSON, or else cannot be folded."""
    lines = data.split(b"\n")[:-1]
    for number, line in enumerate(lines, 1):
        if not _holds(codec.decode, line):
            return BadLog(number, "not_canonical", "not the canonical spelling of a JSON value")
    return _breaking(verify.split(data))


def _breaking(lines: Sequence[bytes]) -> BadLog:
    """Found by halving: `low` lines can be followed, `high` cannot."""
    low, high = 0, len(lines)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _holds(verify.verify, lines[:middle]) else (low, middle)
    return BadLog(high, "not_an_event", "this event cannot have happened")


def _holds(check: Callable[[Any], object], part: Any) -> bool:
    try:
        check(part)
    except Exception:  # noqa: BLE001 - whatever it is, it is this part's fault
        return False
    return True
