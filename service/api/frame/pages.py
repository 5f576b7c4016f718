"""The web page: one shell for every address of it, and the files it is made of (`assets`).

Only what is listed there can be asked for: an address never becomes a path on the disk.
"""

from __future__ import annotations

import asyncio
import hashlib

from fastapi import APIRouter, Request
from starlette.responses import Response

from engine.log import BadLog
from infra.people.quotas import network
from infra.process.errors import StoreUnavailable
from service.api.frame import shell
from service.api.frame.assets import KINDS, Asset, shelf
from service.api.frame.auth import Authenticator, Door, Here
from service.api.frame.bundles import STATIC
from service.api.frame.queries import match_id
from service.api.frame.visit import Visit, address_of, visit_of
from service.basics.errors import Problem
from service.bootstrap import Deps
from service.views import access
from service.views.picture import picture
from service.views.sight import Preview, preview, standings

router = APIRouter(include_in_schema=False)

SHELL = {
    "/": "home",
    "/new": "new",
    "/sign-in": "sign",
    "/recovery/{name}": "recovery",
    "/settings": "settings",
    "/leaderboard": "leaderboard",
    "/archive": "archive",
    "/players/{name}": "player",
    "/rules": "rules",
    "/rules/{name}": "rules",
    "/guide/{name}": "guide",
    "/matches/{name}": "table",
    "/embed/matches/{name}": "embed",
    "/matches/{name}/replay": "replay",
    "/matches/{name}/seats/{seat}": "substitute",
}
CHECKED = "no-cache"  # asked about each time, sent only if it changed
FOR_EVER = "public, max-age=31536000, immutable"


async def match_page(name: str, request: Request, deps: Here, door: Door) -> Response:
    """The page of a match: who may know of it is told the game and gets its board with the page."""
    visit, invite = visit_of(request.scope), request.query_params.get("invite", "")
    found = await _preview(deps, door, visit, name, invite)
    drawn = f"pages/{SHELL[request.scope['route'].path]}.js"
    if found is None:
        return _html(request, shell.Address(drawn, visit.lang))
    public = (deps.settings.public_url or str(request.base_url)).rstrip("/")
    return _html(request, shell.of_match(drawn, visit.lang, found, public, request.url.path))


async def _preview(deps: Deps, door: Authenticator, visit: Visit, ident: str, invite: str) -> Preview | None:
    """What may be told of a match before it is asked for; what is wrong with it, the page will say."""
    try:
        session = await door.recognise(visit)
        match = await access.readable(deps, match_id(ident), session.who if session else None, invite)
        return preview(match, await deps.names.of(match, visit.lang))
    except (Problem, BadLog, StoreUnavailable):
        return None


@router.get("/matches/{name}/picture.png")
async def match_picture(name: str, request: Request, deps: Here) -> Response:
    """How a match stands, for previews of its link: for everybody the same, and only of a listed match."""
    visit = visit_of(request.scope)
    match = await access.readable(deps, match_id(name), None)
    standing = standings(match, await deps.names.of(match, visit.lang))
    cover = shelf.now().assets.get(f"games/{match.game}/cover.png")
    if cover is None or not standing:
        raise Problem("not_found")
    title = match.rules.words.title(visit.lang)
    where = network(address_of(request.scope))
    body = await request.app.pictures.of(
        (match.game, title, standing),
        where,
        lambda: asyncio.to_thread(picture, cover.body, title, standing),
    )
    return _tagged(request, body, hashlib.sha256(body).hexdigest()[:20], CHECKED, KINDS[".png"])


async def page(request: Request) -> Response:
    """Every address of the page: the script in it looks at the address and draws."""
    drawn = f"pages/{SHELL[request.scope['route'].path]}.js"
    return _html(request, shell.Address(drawn, visit_of(request.scope).lang))


def nothing_here(request: Request) -> Response | None:
    """The shell for a person at a wrong address; None for programs, and for what is no page."""
    if request.method != "GET" or request.url.path.startswith(("/api/", STATIC)):
        return None
    if "text/html" not in request.headers.get("accept", ""):
        return None
    body = shell.filled(shell.Address(lang=visit_of(request.scope).lang))
    return Response(body, 404, {"Cache-Control": CHECKED}, KINDS[".html"])


for path in SHELL:
    router.add_api_route(path, match_page if "/matches/" in path else page, methods=["GET"])


@router.get("/sw.js")
async def service_worker(request: Request) -> Response:
    """At the root, because a service worker looks after what lies below its own address."""
    body = shelf.now().worker
    return _tagged(request, body, hashlib.sha256(body).hexdigest()[:20], CHECKED, KINDS[".js"])


@router.get("/favicon.ico")
async def icon(request: Request) -> Response:
    """Browsers ask for it beside whatever is no page of ours: a file, an answer of the API."""
    return _file(request, shelf.now().assets["icon.svg"], CHECKED)


@router.get("/static/{name:path}")
async def static(name: str, request: Request) -> Response:
    """A file of the page or of a game's board: for ever under its digest, and as it is now under its name."""
    edition = shelf.now()
    found = edition.by_address.get(STATIC + name)
    if found is not None:
        return _file(request, found, FOR_EVER)
    if name not in edition.assets:
        raise Problem("not_found")
    return _file(request, edition.assets[name], CHECKED)


def _html(request: Request, address: shell.Address) -> Response:
    body = shell.filled(address)
    return _tagged(request, body, hashlib.sha256(body).hexdigest()[:20], CHECKED, KINDS[".html"])


def _file(request: Request, asset: Asset, keep: str) -> Response:
    more = {"Content-Language": asset.language} if asset.language else {}
    if visit_of(request.scope).gzip and asset.packed is not None:
        more |= {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
        return _tagged(request, asset.packed, asset.digest, keep, asset.kind, more)
    return _tagged(request, asset.body, asset.digest, keep, asset.kind, more)


def _tagged(
    request: Request, body: bytes, tag: str, keep: str, kind: str, more: dict[str, str] | None = None
) -> Response:
    headers = {"ETag": f'W/"{tag}"', "Cache-Control": keep}
    if headers["ETag"] in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(body, headers=headers | (more or {}), media_type=kind)
