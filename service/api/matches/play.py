"""The hot path, on bytes: look at a match, act in it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import lru_cache
from typing import Annotated, Any

import msgspec
from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from engine.codec import SAFE
from engine.identity import STOOD_IN
from engine.log import Match
from infra.people.quotas import network
from service.api.frame.auth import BOT, Authenticator, Session
from service.api.frame.queries import flag, match_id, number
from service.api.frame.render import JSON, match_bytes, next_match
from service.api.frame.visit import address_of, visit_of
from service.basics.errors import Problem
from service.bootstrap import Deps, Tables
from service.bots import remote
from service.commands import actions
from service.commands.records import Act
from service.views import access
from service.views.sight import NOW, Caller, Shown

ACTIONS = "/api/matches/{match}/actions"
LONGEST_KEY = 200
FOR_EVER = "private, max-age=31536000, immutable"
VARY = "Authorization, Cookie, Accept-Language"

Handle = Callable[[Deps, Authenticator, Request], Awaitable[ASGIApp]]


class Endpoint:
    """A route without the framework's ceremony: ASGI in, a response out."""

    def __init__(self, path: str, handle: Handle, deps: Deps, authenticator: Authenticator) -> None:
        self._path, self._handle = path, handle
        self._deps, self._authenticator = deps, authenticator

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        visit = visit_of(scope)
        visit.route = self._path
        visit.match = match_id(scope["path_params"]["match"])
        response = await self._handle(self._deps, self._authenticator, Request(scope, receive))
        await response(scope, receive, send)


def route(path: str, handle: Handle, deps: Deps, authenticator: Authenticator, method: str = "GET") -> Route:
    return Route(path, Endpoint(path, handle, deps, authenticator), methods=[method])


class Shortcut:
    """Actions go from the gate straight to their endpoint: the framework's way there costs a fifth of one."""

    def __init__(self, app: ASGIApp, endpoint: Endpoint) -> None:
        self._app, self._endpoint = app, endpoint
        self._before, _, self._after = ACTIONS.partition("{match}")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        if scope.get("method") == "POST" and path.startswith(self._before) and path.endswith(self._after):
            match = path[len(self._before) : -len(self._after)]
            if match and "/" not in match:
                scope["path_params"] = {"match": match}
                await self._endpoint(scope, receive, send)
                return
        await self._app(scope, receive, send)


class ActBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    seq: Annotated[int, msgspec.Meta(ge=0, le=SAFE)]
    action: Any


_decode = msgspec.json.Decoder(ActBody).decode


async def act(deps: Deps, authenticator: Authenticator, request: Request) -> Response:
    """POST /matches/{match}/actions"""
    visit = visit_of(request.scope)
    me = await authenticator.require(request, "play", BOT)
    body = read_body(await request.body())
    visit.seq = body.seq
    command = Act(
        who=me.who,
        match=request.path_params["match"],
        seq=body.seq,
        action=body.action,
        key=_key(request),
    )
    shown = _asked(request.scope["query_string"])
    done = await (_bot_acts(deps, command, me) if me.may(BOT) else actions.act_once(deps, command))
    visit.seq = done.match.seq
    caller = Caller(command.who, visit.lang)
    waits = await _next(deps, command, done)
    return Response(
        await match_bytes(deps, done.match, caller, shown, done=True, next=waits), media_type=JSON
    )


async def _next(deps: Tables, command: Act, done: actions.Done) -> dict[str, Any] | None:
    """Where the caller is waited for next; a repeated command is told what it was told first."""
    match = done.match
    if done.repeated:
        told: dict[str, Any] | None = await deps.waiting.told(command.who, match.id, match.seq)
        return told
    found = await next_match(deps, match.id, command.who)
    if found is not None and command.key:
        await deps.waiting.tell(command.who, match.id, match.seq, found)
    return found


async def _bot_acts(deps: Deps, command: Act, me: Session) -> actions.Done:
    """The same, and its owner sees how the bot is doing."""
    try:
        done = await actions.act_once(deps, command)
    except Problem as refusal:
        if refusal.code == "illegal_action" and refusal.extra.get("reason") != "game_over":
            await remote.note_failure(deps, me.account.id, f"illegal action: {refusal.extra.get('reason')}")
        if refusal.code == "away":
            await remote.heard_late(deps, me.who, command.match)
        raise
    await remote.note_answer(deps, me.account.id, done.match, done.match.seat_of(me.who))
    return done


def read_body(body: bytes) -> ActBody:
    try:
        return _decode(body)
    except (msgspec.DecodeError, RecursionError) as problem:
        raise Problem("bad_request", detail=_why(problem)) from None


def _why(problem: Exception) -> str | dict[str, str]:
    if isinstance(problem, msgspec.ValidationError):
        return f"{problem}."
    return {"en": "the body is not JSON.", "cs": "tělo není JSON."}


def _key(request: Request) -> str:
    """The caller's own id of this command; it goes into the log."""
    key = request.headers.get("idempotency-key", "")
    if len(key) > LONGEST_KEY or not (key.isascii() and key.isprintable()):
        detail = {
            "en": f"an Idempotency-Key has at most {LONGEST_KEY} visible ASCII characters.",
            "cs": f"Idempotency-Key má nejvýše {LONGEST_KEY} viditelných znaků ASCII.",
        }
        raise Problem("bad_request", detail=detail)
    if key.startswith(STOOD_IN):  # in a log it says that the house has played for somebody's program
        reserved = {
            "en": f"an Idempotency-Key may not begin with “{STOOD_IN}”.",
            "cs": f"Idempotency-Key nesmí začínat „{STOOD_IN}“.",
        }
        raise Problem("bad_request", detail=reserved)
    return key


@lru_cache(maxsize=256)
def _asked(query_string: bytes) -> Shown:
    """Clients ask for the same again and again."""
    return _shown(QueryParams(query_string)) if query_string else NOW


def _shown(query: QueryParams) -> Shown:
    return Shown(
        legal=flag(query, "legal", True), labels=flag(query, "labels", True), open=flag(query, "open", False)
    )


async def look(deps: Deps, authenticator: Authenticator, request: Request) -> Response:
    """GET /matches/{match}"""
    visit = visit_of(request.scope)
    caller = await authenticator.reader(request)
    query = request.query_params
    shown, at = _shown(query), number(query, "at")
    match = await access.readable(deps, request.path_params["match"], caller.who, query.get("invite", ""))
    visit.seq = match.seq
    if at is None:
        return Response(await match_bytes(deps, match, caller, shown), media_type=JSON)
    then = await deps.matches.at(match.id, at, network(address_of(request.scope)))
    return await _look_back(deps, match, caller, then, shown._replace(past=True))


async def _look_back(deps: Deps, match: Match, caller: Caller, then: Match, shown: Shown) -> Response:
    """A past moment never changes, unless it is to open when the match ends."""
    response = Response(await match_bytes(deps, then, caller, shown, match), media_type=JSON)
    if match.status == "finished" or not shown.open:
        response.headers["Cache-Control"] = FOR_EVER
        response.headers["Vary"] = VARY
    return response
