"""Every refusal leaves as problem JSON (RFC 9457), and leaves from here; people lost get the page."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import orjson
import structlog
from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from engine.game import Lang
from engine.log import UNKNOWN_VERSION, BadLog
from infra.process.errors import (
    ArchiveAway,
    BadCursor,
    BadName,
    BadSetting,
    Busy,
    NameTaken,
    StoreFull,
    StoreUnavailable,
)
from service.api.frame import pages
from service.api.frame.body import MALFORMED
from service.api.frame.visit import visit_of
from service.basics.errors import Problem

MEDIA_TYPE = "application/problem+json"
LONGEST_WORD = 60  # of what was sent and is named in the answer
BY_STATUS = {400: "bad_request", 404: "not_found", 405: "method_not_allowed", 413: "too_large"}

log = structlog.get_logger(__name__)

NAMES: Mapping[str, Mapping[Lang, str]] = {
    "empty": {"en": "it is empty.", "cs": "je prázdné."},
    "too_long": {"en": "it has more than 40 characters.", "cs": "má víc než 40 znaků."},
    "invisible": {"en": "it contains invisible characters.", "cs": "obsahuje neviditelné znaky."},
    "space": {"en": "it begins or ends with a space.", "cs": "začíná nebo končí mezerou."},
}
SHAPES: Mapping[str, Mapping[Lang, str]] = {
    "not_json": {"en": "the body is not JSON.", "cs": "tělo není JSON."},
    "no_object": {"en": "the body must be a JSON object.", "cs": "tělo musí být objekt JSON."},
    "missing": {"en": "“{where}” is missing.", "cs": "chybí „{where}“."},
    "extra_forbidden": {"en": "“{where}” is not known here.", "cs": "„{where}“ tu není známo."},
    "": {"en": "“{where}”: {what}.", "cs": "„{where}“: {what}."},
}


def respond(problem: Problem, lang: Lang) -> Response:
    """A refusal as an answer."""
    headers = dict(problem.headers)
    if problem.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return Response(_encode(problem.body(lang)), problem.status, headers, MEDIA_TYPE)


def install(app: FastAPI) -> None:
    """Whatever is raised on purpose becomes a problem; the rest is left to the gate."""

    async def handle(request: Request, error: Exception) -> Response:
        problem = as_problem(error)
        page = pages.nothing_here(request) if problem.status == 404 else None
        return page or respond(problem, visit_of(request.scope).lang)

    kinds: tuple[type[Exception], ...] = (RequestValidationError, *EXPECTED)
    for kind in kinds:
        app.add_exception_handler(kind, handle)


def as_problem(error: Exception) -> Problem:
    """The entry of the error table for an exception; unknown ones are bugs."""
    match error:
        case Problem():
            return error
        case RequestValidationError():
            return Problem("bad_request", detail=_shape(error.errors()))
        case HTTPException():
            return _from_status(error)
    return next(
        (make(error) for kind, make in REFUSALS.items() if isinstance(error, kind)), Problem("internal")
    )


def _from_status(error: HTTPException) -> Problem:
    code = BY_STATUS.get(error.status_code, "bad_request")
    problem = Problem(code, detail=error.detail, limit=error.detail)
    problem.headers.update(error.headers or {})
    return problem


def _unavailable(error: Any) -> Problem:
    log.warning("store unavailable", error=str(error))
    return Problem("unavailable")


def _full(error: Any) -> Problem:
    log.warning("store full", error=str(error))
    problem = Problem("no_room")
    problem.headers["Retry-After"] = "30"
    return problem


def _damaged(error: Any) -> Problem:
    """Invalid input is refused where it is read; whatever gets here was stored."""
    if error.code == UNKNOWN_VERSION:  # a newer server wrote it
        log.error("a stored log is of an unknown version", reason=error.reason)
        return Problem("unknown_version", {"line": error.line}, line=error.line, detail=error.reason)
    log.error("a stored log is damaged", seq=error.line, code=error.code, reason=error.reason)
    return Problem("damaged_log", line=error.line)


def _archive(error: Any) -> Problem:
    log.error("the archive cannot be read", error=str(error))
    problem = Problem("archive_away")
    problem.headers["Retry-After"] = "30"
    return problem


def _busy(_: Any) -> Problem:
    problem = Problem("busy")
    problem.headers["Retry-After"] = "3"
    return problem


REFUSALS: Mapping[type[Exception], Callable[[Any], Problem]] = {
    StoreFull: _full,  # before what it is a kind of
    StoreUnavailable: _unavailable,
    BadLog: _damaged,
    ArchiveAway: _archive,
    Busy: _busy,
    BadName: lambda error: Problem("bad_name", detail=NAMES[error.reason]),
    NameTaken: lambda _: Problem("name_taken"),
    BadSetting: lambda error: Problem("bad_setting", detail=str(error)),
    BadCursor: lambda _: Problem(
        "bad_request", detail={"en": "there is no such page.", "cs": "neznámá stránka."}
    ),
}


EXPECTED: tuple[type[Exception], ...] = (Problem, HTTPException, *REFUSALS)


def _shape(errors: Sequence[Any]) -> Mapping[Lang, str]:
    """The first thing that is wrong with a request's shape, as the end of a sentence."""
    first = errors[0]
    where = ".".join(str(part) for part in first["loc"][1:])[:LONGEST_WORD]
    texts = SHAPES.get(first["type"], SHAPES[""])
    if first.get("input") is MALFORMED:
        texts = SHAPES["not_json"]
    elif not where:
        texts = SHAPES["no_object"]
    what = first["msg"].rstrip(".").replace("Input should", "should")
    return {lang: text.format(where=where, what=what) for lang, text in texts.items()}


def _encode(body: dict[str, Any]) -> bytes:
    try:
        return orjson.dumps(body)
    except orjson.JSONEncodeError:  # half a surrogate pair that somebody sent: escaped it may go back
        return json.dumps(body).encode()
