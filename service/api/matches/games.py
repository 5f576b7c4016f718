"""The catalogue: every registered game with its options, actions and bots."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
from fastapi import APIRouter, Request
from pydantic import Field
from starlette.responses import Response

from bots.names import called
from bots.registry import BOTS
from engine import codec, guide, registry
from engine.game import ENGLISH, AnyGame, Lang
from service.api.frame.auth import Anyone
from service.api.frame.body import JsonRoute, Model
from service.api.frame.render import JSON
from service.basics.errors import Problem

router = APIRouter(prefix="/api", route_class=JsonRoute, tags=["games"])


class Seats(Model):
    min: int
    max: int


class Cover(Model):
    line: str
    minutes: list[int] = Field(description="a match played at one go, from and to")
    weight: int = Field(description="1 light, 2 middling, 3 demanding")


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
    bot_names: dict[str, str] = Field(description="what people call them: by strength")
    cover: Cover | None = Field(description="what somebody reads who has never heard of it")
    guide: bool = Field(description="whether there is an illustrated guide and a guided first match")


class Catalogue(Model):
    items: list[GameOut]


class StepOut(Model):
    part: str = Field(description="goal, turn or scoring")
    title: str
    text: str
    seat: int | None = Field(description="whose view it is; null for a spectator")
    show: str = Field(description="which part of the board is shown, as a CSS selector; empty: all of it")
    near: str = Field(description="what a drawing is cut out around, likewise")
    pick: dict[str, Any] = Field(description="what is chosen in the picture")
    view: dict[str, Any] = Field(description="the position, as a match would show it to this seat")
    legal: list[dict[str, Any]]
    actor: int | None = Field(description="who acted last")
    facts: list[dict[str, Any]] = Field(description="what came of it")


class LessonOut(Model):
    title: str
    text: str
    when: dict[str, Any] = Field(description="it is said when a legal action contains this")
    suggest: list[dict[str, Any]] = Field(description="the first that a legal action contains may be shown")


class GuideOut(Model):
    steps: list[StepOut]
    lessons: list[LessonOut]


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


@router.get("/games/{game}/guide", response_model=GuideOut)
async def game_guide(game: str, caller: Anyone, request: Request) -> Response:
    """How to play it: positions made by the rules, with words; what a first match is told. May be empty."""
    if game not in registry.GAMES:
        raise Problem("unknown_game", game=game[:40])
    return _cached(request, _guide(game, caller.lang))


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


@lru_cache
def _guide(key: str, lang: Lang) -> bytes:
    path = _guide_file(key)
    if not path.is_file():
        return msgspec.json.encode({"steps": [], "lessons": []})
    told = guide.read(path.read_bytes())
    steps = guide.pictures(registry.game(key), told, lang)
    return codec.encode({"steps": steps, "lessons": guide.lessons(told, lang)})


def _guide_file(key: str) -> Path:
    """A game may bring `guide.json` beside its rules."""
    return Path(registry.part(key, "").__path__[0], "guide.json")


def _cover(key: str, lang: Lang) -> dict[str, Any] | None:
    """A game may bring `ui/cover.json`, beside its picture `ui/cover.svg`."""
    path = Path(registry.part(key, "").__path__[0], "ui", "cover.json")
    if not path.is_file():
        return None
    told = msgspec.json.decode(path.read_bytes())
    return {**told, "line": told["line"].get(lang) or told["line"][ENGLISH]}


def describe(game: AnyGame, lang: Lang) -> dict[str, Any]:
    """What somebody needs to know to open a match of this game and to act in it."""
    return {
        "key": game.key,
        "name": game.words.title(lang),
        "version": game.version,
        "seats": {"min": game.players[0], "max": game.players[-1]},
        "options": codec.schema(game.Options),
        "defaults": msgspec.to_builtins(game.Options()),
        "words": game.words.meanings(lang),
        "actions": codec.schema(game.Action),
        "view": codec.schema(game.View),
        "bots": list(BOTS),
        "bot_names": {bot: called(bot, lang) for bot in BOTS},
        "cover": _cover(game.key, lang),
        "guide": _guide_file(game.key).is_file(),
    }
