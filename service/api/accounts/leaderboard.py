"""Who plays how well."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field

from engine import registry
from engine.identity import account_id, is_account
from service.api.frame.auth import Here, Language
from service.api.frame.body import JsonRoute, Model
from service.basics.errors import Problem
from service.bootstrap import People
from service.memory.ratings import PROVISIONAL, Standing

router = APIRouter(prefix="/api", route_class=JsonRoute, tags=["games"])
MAX_PLAYERS = 200


class Rated(Model):
    rank: int
    kind: str = Field(description="person, bot or remote")
    name: str
    page: str = Field(description="for `/players/…`")
    rating: int
    deviation: int = Field(description="the true strength lies within twice this of the rating, mostly")
    provisional: bool = Field(description="too few matches to say much")
    matches: int
    wins: int


class Leaderboard(Model):
    game: str
    items: list[Rated] = Field(description="the surest and strongest first: by rating minus two deviations")


@router.get("/leaderboard")
async def leaderboard(
    deps: Here,
    lang: Language,
    game: Annotated[str, Query(description="a game's key")] = "",
    limit: Annotated[int, Query(ge=1)] = 100,
) -> Leaderboard:
    """Ratings of people and bots in a game."""
    if game not in registry.GAMES:
        raise Problem("unknown_game", game=game[:40])
    standings = await deps.board.of(game)
    ranked = sorted(standings.items(), key=lambda pair: (-pair[1].low, pair[0]))
    items: list[Rated] = []
    for player, standing in ranked:
        if len(items) < min(limit, MAX_PLAYERS) and await _exists(deps, player):
            items.append(await _rated(deps, len(items) + 1, player, standing, lang))
    return Leaderboard(game=game, items=items)


def _split(player: str) -> tuple[str, str]:
    """What somebody is, and how the log names them.

    >>> _split("account:7f"), _split("remote:account:9a"), _split("bot:greedy")
    (('person', 'account:7f'), ('remote', 'account:9a'), ('bot', 'greedy'))
    """
    if is_account(player):
        return "person", player
    kind, _, holder = player.partition(":")
    return kind, holder


async def _exists(deps: People, player: str) -> bool:
    """Deleted accounts are in the logs, and nowhere else."""
    _, holder = _split(player)
    return not is_account(holder) or await deps.accounts.get(account_id(holder)) is not None


async def _rated(deps: People, rank: int, player: str, standing: Standing, lang: str) -> Rated:
    kind, holder = _split(player)
    return Rated(
        rank=rank,
        kind=kind,
        name=(name := await deps.names.one(0, holder, lang)),
        page=player if kind == "bot" else name,
        rating=round(standing.mean),
        deviation=round(standing.deviation),
        provisional=standing.deviation > PROVISIONAL,
        matches=standing.matches,
        wins=standing.wins,
    )
