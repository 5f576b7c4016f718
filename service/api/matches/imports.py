"""Logs from elsewhere: verified from their bytes alone before anything is stored."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from engine.match import Chair, Match
from engine.proof import verify
from service.api.frame.auth import Here, Player
from service.api.frame.render import match_response
from service.api.frame.visit import address_of, visit_of
from service.api.matches.lobby import MATCH
from service.basics.errors import Problem
from service.commands import importing, seating
from service.commands.importing import Importer
from service.people import quotas
from service.views import signatures
from service.views.sight import Caller

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
    await quotas.new_import(deps, me.account.id, address_of(request.scope))
    data = await request.body()
    signed = signatures.of_file(await signatures.known(deps), data).counts
    match, lines = await request.app.checkers.check(me.who, data, signed)
    _check(match)
    if match.status == "running":  # it goes on here, and its bots with it
        await seating.check_company(deps, [_kind(chair) for chair in match.chairs], me.who)
    stored, new = await importing.import_log(deps, match, lines, verify.ending(data), Importer(me.who))
    visit = visit_of(request.scope)
    visit.match, visit.seq = stored.id, stored.seq
    return await match_response(deps, stored, Caller(me.who, visit.lang), 201 if new else 200)


def _kind(chair: Chair) -> str:
    """Who will play there: a caretaker keeps a seat for somebody, which anybody may take here."""
    is_bot = chair.holder is not None and chair.holder.kind == "bot" and chair.owner is None
    return "bot" if is_bot else "open"


def _check(match: Match) -> None:
    """A log can be valid and still be no match for this server."""
    if match.status == "open":
        # It would start under a seed that whoever sends it knows; a running one gets a new seal.
        raise Problem("incomplete_log", {"line": match.seq}, detail=NOT_STARTED)
