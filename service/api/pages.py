"""The web page: one shell for every address of it, and the files it is made of.

Files go out as they lie in `service/web` and in each game's `ui` folder; there is no build step. Only what is
listed here can be asked for: an address never becomes a path on the disk.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path

from fastapi import APIRouter, Request
from starlette.responses import Response

from engine import registry
from service.errors import Problem

router = APIRouter(include_in_schema=False)

WEB = Path(__file__).parents[1] / "web"
GAMES = Path(registry.__file__).parent / "games"
KINDS = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".md": "text/markdown",
    ".txt": "text/plain",
    ".webmanifest": "application/manifest+json",
}
SHELL = (
    "/",
    "/new",
    "/sign-in",
    "/recovery/{name}",
    "/settings",
    "/leaderboard",
    "/rules",
    "/rules/{name}",
    "/matches/{name}",
    "/matches/{name}/replay",
    "/matches/{name}/seats/{seat}",
)


async def shell(request: Request) -> Response:
    """Every address of the page: the script in it looks at the address and draws."""
    return _file(request, WEB / "index.html")


def nothing_here(request: Request) -> Response | None:
    """The shell for a person at a wrong address; None for programs, and for what is no page."""
    if request.method != "GET" or request.url.path.startswith(("/api/", "/static/")):
        return None
    if "text/html" not in request.headers.get("accept", ""):
        return None
    return Response((WEB / "index.html").read_bytes(), 404, {"Cache-Control": "no-cache"}, KINDS[".html"])


for path in SHELL:
    router.add_api_route(path, shell, methods=["GET"])


@router.get("/sw.js")
async def service_worker(request: Request) -> Response:
    """At the root, because a service worker looks after what lies below its own address."""
    return _file(request, WEB / "sw.js")


@router.get("/favicon.ico")
async def icon(request: Request) -> Response:
    """Browsers ask for it beside whatever is no page of ours: a file, an answer of the API."""
    return _file(request, WEB / "icon.svg")


@router.get("/static/boards.json")
async def boards() -> list[str]:
    """The games that have a board of their own; the others get the generic one."""
    return [key for key in registry.GAMES if f"games/{key}/board.js" in _files()]


@router.get("/static/{name:path}")
async def static(name: str, request: Request) -> Response:
    """A file of the page or of a game's board."""
    found = _files().get(name)
    if found is None:
        raise Problem("not_found")
    return _file(request, found)


@lru_cache
def _files() -> dict[str, Path]:
    """What may be asked for, by address: listed once, when the first file is."""
    found = {str(p.relative_to(WEB)): p for p in WEB.rglob("*") if p.suffix in KINDS and p.suffix != ".html"}
    for key in registry.GAMES:
        folder = GAMES / key.replace("-", "_")
        parts = [folder / "data.json", *folder.glob("rules*.md"), *(folder / "ui").glob("*")]
        found.update({f"games/{key}/{p.name}": p for p in parts if p.is_file() and p.suffix in KINDS})
    return found


def _file(request: Request, path: Path) -> Response:
    body, etag = _read(path, path.stat().st_mtime_ns)
    headers = {"ETag": etag, "Cache-Control": "no-cache"}  # asked about each time, sent only if it changed
    if etag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(body, headers=headers, media_type=KINDS[path.suffix])


@lru_cache(maxsize=256)
def _read(path: Path, _changed: int) -> tuple[bytes, str]:
    body = path.read_bytes()
    return body, f'W/"{hashlib.sha256(body).hexdigest()[:20]}"'
