"""How strong somebody plays, with how sure we are: a fold of results, after Weng and Lin (2011).

Every two players of a match are compared (their algorithm 1, Bradley-Terry with full pairs). A rating is a
mean and a deviation; who wins against the odds gains more, who is well known moves less.
"""

import asyncio
from collections.abc import Iterable, Mapping
from math import exp, sqrt
from typing import NamedTuple

from engine.match import Match
from infra.ratings import Outcome, Ratings
from service.history import seconds

MEAN, DEVIATION = 1500.0, 350.0
LUCK = DEVIATION / 2  # how much one match says: the spread of a player's own results
SUREST = 1e-4  # of a variance that one match leaves at least
AT_ONCE = 500  # results folded without leaving the loop


class Standing(NamedTuple):
    mean: float = MEAN
    variance: float = DEVIATION**2
    matches: int = 0
    wins: int = 0

    @property
    def deviation(self) -> float:
        return sqrt(self.variance)

    @property
    def low(self) -> float:
        """At least so strong, as far as we know: what leaderboards go by."""
        return self.mean - 2 * self.deviation


Standings = dict[str, Standing]


def outcome(match: Match) -> Outcome | None:
    """The result of a match as it counts; None if it does not.

    Not counted: what was given up by agreement, helped by an undo that others allowed, or continued from
    another match. A seat counts for whom it belongs to, whoever played it last.
    """
    result = match.result
    if match.status != "finished" or result is None or result.how == "abandoned" or match.assisted:
        return None
    holders = [chair.owner or chair.holder for chair in match.chairs]
    players = [h.id if h.kind == "person" else f"{h.kind}:{h.id}" for h in holders if h is not None]
    if len(set(players)) < 2 or len(players) != len(holders):
        return None
    return Outcome(match.id, round(seconds(match.updated) * 1000), players, list(result.places))


def fold(known: Mapping[str, Standing], outcomes: Iterable[Outcome]) -> Standings:
    """Standings after some more results."""
    standings = dict(known)
    for one in outcomes:
        standings.update(rate([standings.get(player, Standing()) for player in one.players], one))
    return standings


def rate(before: list[Standing], one: Outcome) -> Standings:
    """The standings of a match's players after it. A bot may hold several seats: it does not meet itself."""
    after: Standings = {}
    for seat, player in enumerate(one.players):
        gain, surer = _meetings(before, one, seat)
        now = after.get(player, before[seat])
        variance = now.variance * max(1 - surer, SUREST)
        won = one.places[seat] == 1
        again = player in one.players[:seat]
        after[player] = Standing(
            now.mean + gain, variance, now.matches + (not again), now.wins + (won and not again)
        )
    return after


def _meetings(before: list[Standing], one: Outcome, seat: int) -> tuple[float, float]:
    """How far the mean moves, and by which share the variance shrinks."""
    mine, gain, surer = before[seat], 0.0, 0.0
    for other, theirs in enumerate(before):
        if one.players[other] == one.players[seat]:
            continue
        spread = sqrt(mine.variance + theirs.variance + 2 * LUCK**2)
        expected = 1 / (1 + exp((theirs.mean - mine.mean) / spread))
        gain += mine.variance / spread * (_score(one.places[seat], one.places[other]) - expected)
        share = mine.variance / spread**2
        surer += sqrt(share) * share * expected * (1 - expected)
    return gain, surer


def _score(mine: int, theirs: int) -> float:
    return 0.5 if mine == theirs else float(mine < theirs)


class Board:
    """Standings by game, kept in memory and brought up to date when somebody looks."""

    def __init__(self, ratings: Ratings) -> None:
        self._ratings = ratings
        self._known: dict[str, tuple[int, Outcome | None, Standings]] = {}

    async def of(self, game: str) -> Standings:
        count, last, standings = self._known.get(game, (0, None, {}))
        news = await self._ratings.after(game, max(0, count - 1))
        if last is not None:
            if news and news[0] == last:
                news = news[1:]
            else:  # a result came late and belongs before what was counted: count anew
                count, standings, news = 0, {}, await self._ratings.after(game, 0)
        if news:
            folded = fold(standings, news) if len(news) < AT_ONCE else await _aside(standings, news)
            self._known[game] = count + len(news), news[-1], folded
            return folded
        return standings


async def _aside(standings: Standings, news: list[Outcome]) -> Standings:
    return await asyncio.to_thread(fold, standings, news)
