"""What everybody may know of a player or a bot: results by game, how ratings went, and one's own meetings."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import Field

from bots.names import called
from bots.registry import BOTS
from engine import identity, registry
from engine.game import Lang
from service.api.frame.auth import Anyone, Here
from service.api.frame.body import JsonRoute, Model
from service.api.frame.render import time
from service.basics.errors import Problem
from service.bootstrap import People, Tables
from service.memory.ratings import PROVISIONAL, Duel

router = APIRouter(prefix="/api", route_class=JsonRoute, tags=["games"])
Name = Annotated[str, Path(max_length=80, description="a name, or `bot:` and the key of a built-in bot")]


class Point(Model):
    at: str
    rating: int


class Against(Model):
    """Matches that count, in which both sat at the table; ahead: who was placed better."""

    matches: int
    ahead: int


class GameRecord(Model):
    game: str
    rating: int
    deviation: int
    provisional: bool
    matches: int
    wins: int
    way: list[Point] = Field(description="the rating after each of the latest matches, oldest first")
    you: Against | None = Field(description="your record against this player; null if you never met")


class Player(Model):
    kind: str = Field(description="person, bot or remote")
    name: str
    since: str | None = Field(description="when the account was made")
    games: list[GameRecord]


@router.get("/players/{name}")
async def player(name: Name, caller: Anyone, deps: Here) -> Player:
    """Somebody who plays here."""
    kind, rated, shown, since = await _found(deps, name, caller.lang)
    games = [await _record(deps, game, rated, caller.who) for game in registry.GAMES]
    return Player(kind=kind, name=shown, since=since, games=[one for one in games if one is not None])


async def _found(deps: People, name: str, lang: Lang) -> tuple[str, str, str, str | None]:
    """Kind, how ratings know it, how people know it, and since when."""
    if name.startswith(identity.BOT):
        bot = name.removeprefix(identity.BOT)
        if bot not in BOTS:
            raise Problem("not_found")
        return "bot", name, called(bot, lang), None
    account = await deps.accounts.find(name)
    if account is None:
        raise Problem("not_found")
    who = identity.of_account(account.id)
    kind = "remote" if account.bot else "person"
    return kind, f"remote:{who}" if account.bot else who, account.name, time(account.created)


async def _record(deps: Tables, game: str, rated: str, you: str | None) -> GameRecord | None:
    found = await deps.board.record(game, rated)
    if found is None:
        return None
    standing, way = found
    duel = await deps.board.duel(game, you, rated) if you and you != rated else None
    return GameRecord(
        game=game,
        rating=round(standing.mean),
        deviation=round(standing.deviation),
        provisional=standing.deviation > PROVISIONAL,
        matches=standing.matches,
        wins=standing.wins,
        way=[Point(at=time(at), rating=rating) for at, rating in way],
        you=None if duel is None else _against(duel),
    )


def _against(duel: Duel) -> Against:
    return Against(matches=duel.matches, ahead=duel.ahead)
