"""The catalogue: every registered game with its options, actions and bots."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import Any

import msgspec
from fastapi import APIRouter, Request
from starlette.responses import Response

from bots.registry import BOTS
from engine import codec, registry
from engine.game import AnyGame, Lang
from service.api.auth import Anyone
from service.api.body import JsonRoute, Model
from service.api.render import JSON
from service.errors import Problem

router = APIRouter(prefix="/api", route_class=JsonRoute, tags=["games"])


class Seats(Model):
    min: int
    max: int


class GameOut(Model):
    key: str
    name: str
    version: int
    seats: Seats
    options: dict[str, Any]  # JSON schema
    defaults: dict[str, Any]
    words: dict[str, str]  # what each option means
    actions: dict[str, Any]  # JSON schema
    view: dict[str, Any]  # JSON schema of what a seat or a spectator is shown
    bots: list[str]


class Catalogue(Model):
    items: list[GameOut]


@router.get("/games", response_model=Catalogue)
async def games(caller: Anyone, request: Request) -> Response:
    """Every game that can be played here."""
    return _cached(request, _all(caller.lang))


@router.get("/games/{game}", response_model=GameOut)
async def game(game: str, caller: Anyone, request: Request) -> Response:
    """One game."""
    if game not in registry.GAMES:
        raise Problem("unknown_game", game=game[:40])
    return _cached(request, _one(game, caller.lang))


def _cached(request: Request, body: bytes) -> Response:
    etag = f'W/"{hashlib.sha256(body).hexdigest()[:20]}"'  # weak: the same bytes may travel compressed
    headers = {
        "ETag": etag,
        "Cache-Control": "private, max-age=60",
        "Vary": "Accept-Language, Authorization, Cookie",
    }
    if etag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(body, headers=headers, media_type=JSON)


@lru_cache
def _all(lang: Lang) -> bytes:
    return msgspec.json.encode({"items": [describe(game, lang) for game in registry.games()]})


@lru_cache
def _one(key: str, lang: Lang) -> bytes:
    return msgspec.json.encode(describe(registry.game(key), lang))


def describe(game: AnyGame, lang: Lang) -> dict[str, Any]:
    """What somebody needs to know to open a match of this game and to act in it."""
    return {
        "key": game.key,
        "name": game.words.name[lang],
        "version": game.version,
        "seats": {"min": game.players[0], "max": game.players[-1]},
        "options": codec.schema(game.Options),
        "defaults": msgspec.to_builtins(game.Options()),
        "words": dict(game.words.options[lang]),
        "actions": codec.schema(game.Action),
        "view": codec.schema(game.View),
        "bots": list(BOTS),
    }
