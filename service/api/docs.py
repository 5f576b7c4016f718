"""The API's own page: it renders the OpenAPI document and asks nobody else for anything."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import orjson
from fastapi import APIRouter, FastAPI, Request
from starlette.responses import Response

from service.api import openapi
from service.api.render import JSON

router = APIRouter(prefix="/api", include_in_schema=False)
KINDS = {"docs.html": "text/html", "docs.js": "text/javascript", "docs.css": "text/css"}


@router.get("/openapi.json")
async def document(request: Request) -> Response:
    return Response(_encoded(request.app), headers={"Cache-Control": "no-cache"}, media_type=JSON)


@router.get("/docs")
async def page() -> Response:
    return _file("docs.html")


@router.get("/docs/page.js")
async def script() -> Response:
    return _file("docs.js")


@router.get("/docs/page.css")
async def style() -> Response:
    return _file("docs.css")


def _encoded(app: FastAPI) -> bytes:
    return orjson.dumps(openapi.document(app))


@cache
def _read(name: str) -> bytes:
    return Path(__file__).with_name(name).read_bytes()


def _file(name: str) -> Response:
    return Response(_read(name), headers={"Cache-Control": "no-cache"}, media_type=KINDS[name])
