"""Logs from elsewhere: verified from their bytes alone before anything is stored."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from engine import verify
from engine.log import Match
from service import handlers, quotas, signing
from service.api.auth import Here, Player
from service.api.matches import MATCH
from service.api.render import match_response
from service.api.visit import visit_of
from service.errors import Problem
from service.importing import Importer
from service.sight import Caller

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
    signed = signing.of_file(await signing.known(deps), data).counts
    match, lines = await request.app.checkers.check(me.who, data, signed)
    _check(match)
    stored, new = await handlers.import_log(deps, match, lines, verify.ending(data), Importer(me.who))
    visit = visit_of(request.scope)
    visit.match, visit.seq = stored.id, stored.seq
    return await match_response(deps, stored, Caller(me.who, visit.lang), 201 if new else 200)


def _check(match: Match) -> None:
    """What is true of a log that holds, and is no match for this house all the same."""
    if match.status == "open":
        # It would start under a seed that whoever sends it knows; a running one gets a new seal.
        raise Problem("incomplete_log", {"line": match.seq}, detail=NOT_STARTED)
