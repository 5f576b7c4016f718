"""The API's own pages, which ask nobody else for anything: the OpenAPI document, and what errors mean."""

from __future__ import annotations

from functools import cache
from html import escape
from pathlib import Path

import orjson
from fastapi import APIRouter, FastAPI, Request
from starlette.responses import Response

from service.api.frame.render import JSON
from service.api.frame.visit import visit_of
from service.api.operations import openapi
from service.basics.errors import TABLE

router = APIRouter(include_in_schema=False)
PAGE = """<!doctype html>
<html lang="{lang}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>{title} · Turnlog</title>
<link rel="icon" href="/static/icon.svg"><script src="/static/theme.js"></script>
<link rel="stylesheet" href="/static/style.css"></head>
<body><main class="page"><h1>{title}</h1>
<section class="card"><dl>{rows}</dl></section></main></body></html>
"""
KINDS = {"docs.html": "text/html", "docs.js": "text/javascript", "docs.css": "text/css"}


@router.get("/api/openapi.json")
async def document(request: Request) -> Response:
    return Response(_encoded(request.app), headers={"Cache-Control": "no-cache"}, media_type=JSON)


@router.get("/api/docs")
async def page() -> Response:
    return _file("docs.html")


@router.get("/api/docs/page.js")
async def script() -> Response:
    return _file("docs.js")


@router.get("/api/docs/page.css")
async def style() -> Response:
    return _file("docs.css")


@router.get("/docs/errors")
async def errors(request: Request) -> Response:
    """Where the `type` of every refusal points to."""
    lang = visit_of(request.scope).lang
    rows = "".join(
        f'<dt id="{code}"><code>{code}</code> · {text.status}</dt>'
        f"<dd>{escape(text.cs if lang == 'cs' else text.en)}</dd>"
        for code, text in sorted(TABLE.items())
    )
    page = PAGE.format(lang=lang, title="Chyby" if lang == "cs" else "Errors", rows=rows)
    return Response(page, media_type="text/html")


def _encoded(app: FastAPI) -> bytes:
    return orjson.dumps(openapi.document(app))


@cache
def _read(name: str) -> bytes:
    return Path(__file__).with_name(name).read_bytes()


def _file(name: str) -> Response:
    return Response(_read(name), headers={"Cache-Control": "no-cache"}, media_type=KINDS[name])
