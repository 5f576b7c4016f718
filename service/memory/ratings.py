"""How strong somebody plays, with how sure we are: a fold of results, after Weng and Lin (2011).

Every two players of a match are compared (their algorithm 1, Bradley-Terry with full pairs). A rating is a
mean and a deviation; who wins against the odds gains more, who is well known moves less. So that nobody
gains by beating friends who let themselves be beaten, newcomers and frequent opponents say less.
"""

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, permutations
from math import exp, sqrt
from typing import NamedTuple

import msgspec

from engine.identity import BOT
from engine.match import Match
from infra.store.ratings import RatedResult, Ratings
from service.time.history import seconds

MEAN, DEVIATION = 1500.0, 350.0
LUCK = DEVIATION / 2  # how much one match says: the spread of a player's own results
SUREST = 1e-4  # of a variance that one match leaves at least
MOVES = 5  # of every seat, in a match that was not played to its end
KNOWN = 5  # matches after which somebody is no newcomer
OFTEN = 3  # meetings lately after which one more says a quarter
LATELY_MS = 30 * 24 * 3600 * 1000  # in so much time half of the meetings are forgotten
PROVISIONAL = 110.0  # a deviation above it says little
LONGEST_WAY = 100  # latest ratings of a player that are kept for a plot
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
Meetings = dict[tuple[str, str], tuple[float, int]]  # how often two have met lately, as of when


class Duel(NamedTuple):
    """How often two met in matches that count, and how often the first of them was placed better."""

    matches: int = 0
    ahead: int = 0


Way = tuple[tuple[int, int], ...]  # (when, rating after it), the latest last


class Story(NamedTuple):
    """What is remembered besides the standings: each player's way, and who was ahead of whom."""

    ways: dict[str, Way]
    duels: dict[tuple[str, str], Duel]

    def copy(self) -> "Story":
        return Story(dict(self.ways), dict(self.duels))

    def add(self, one: RatedResult, standings: Mapping[str, Standing]) -> None:
        best: dict[str, int] = {}
        for player, place in zip(one.players, one.places, strict=True):
            best[player] = min(place, best.get(player, place))
        for player in best:
            point = (one.at, round(standings[player].mean))
            self.ways[player] = (*self.ways.get(player, ())[1 - LONGEST_WAY :], point)
        for pair in permutations(best, 2):
            known = self.duels.get(pair, Duel())
            self.duels[pair] = Duel(known.matches + 1, known.ahead + (best[pair[0]] < best[pair[1]]))


class Move(msgspec.Struct):
    """What is read of an event to count who acted."""

    kind: str
    seat: int | None = None


_move = msgspec.json.Decoder(Move).decode


def outcome(match: Match, lines: Sequence[bytes] = ()) -> RatedResult | None:
    """The result of a match as it counts; None if it does not.

    Not counted: what was given up by agreement, helped by an undo that others allowed, or continued from
    another match, and what ended before everybody had made some moves (`lines` is its log). A seat counts for
    whom it belongs to, whoever played it last.
    """
    result = match.result
    if match.status != "finished" or result is None or result.how == "abandoned" or match.assisted:
        return None
    holders = [chair.owner or chair.holder for chair in match.chairs]
    players = [h.id if h.kind == "person" else f"{h.kind}:{h.id}" for h in holders if h is not None]
    if len(set(players)) < 2 or len(players) != len(holders):
        return None
    if result.how != "played" and not _under_way(lines, len(players)):
        return None
    return RatedResult(match.id, round(seconds(match.updated) * 1000), players, list(result.places))


def _under_way(lines: Sequence[bytes], seats: int) -> bool:
    """Whether every seat has acted often enough for its place to say something."""
    moves = Counter(event.seat for event in map(_move, lines) if event.kind == "acted")
    return all(moves[seat] >= MOVES for seat in range(seats))


def fold(
    known: Mapping[str, Standing],
    outcomes: Iterable[RatedResult],
    met: Meetings | None = None,
    story: Story | None = None,
) -> Standings:
    """Standings after some more results; `met` and `story` remember the rest, from fold to fold."""
    standings, met = dict(known), {} if met is None else met
    for one in outcomes:
        before = [standings.get(player, Standing()) for player in one.players]
        standings.update(rate(before, one, met))
        _remember(met, one)
        if story is not None:
            story.add(one, standings)
    return standings


def _remember(met: Meetings, one: RatedResult) -> None:
    for pair in combinations(sorted(set(one.players)), 2):
        met[pair] = _lately(met, pair, one.at) + 1, one.at


def _lately(met: Meetings, pair: tuple[str, str], at: int) -> float:
    count, then = met.get(pair, (0.0, at))
    return float(count * 0.5 ** (max(0, at - then) / LATELY_MS))


def weight(met: Meetings, one: RatedResult, mine: str, other: str, theirs: Standing) -> float:
    """How much a meeting says about me: less against a newcomer, and less the more often we met lately.

    However often the same two meet, all of it together says no more than three and a half matches a month.
    """
    if mine.startswith(BOT) and other.startswith(BOT):
        return 1.0
    pair = (mine, other) if mine < other else (other, mine)
    settled = 1.0 if other.startswith(BOT) else min(1.0, theirs.matches / KNOWN)
    return settled / (1 + _lately(met, pair, one.at) / OFTEN) ** 2


def rate(before: list[Standing], one: RatedResult, met: Meetings) -> Standings:
    """The standings of a match's players after it. A bot may hold several seats: it does not meet itself."""
    after: Standings = {}
    for seat, player in enumerate(one.players):
        gain, surer = _meetings(before, one, seat, met)
        now = after.get(player, before[seat])
        variance = now.variance * max(1 - surer, SUREST)
        won = one.places[seat] == 1
        again = player in one.players[:seat]
        after[player] = Standing(
            now.mean + gain, variance, now.matches + (not again), now.wins + (won and not again)
        )
    return after


def _meetings(before: list[Standing], one: RatedResult, seat: int, met: Meetings) -> tuple[float, float]:
    """How far the mean moves, and by which share the variance shrinks."""
    mine, gain, surer = before[seat], 0.0, 0.0
    for other, theirs in enumerate(before):
        if one.players[other] == one.players[seat]:
            continue
        says = weight(met, one, one.players[seat], one.players[other], theirs)
        spread = sqrt(mine.variance + theirs.variance + 2 * LUCK**2)
        expected = 1 / (1 + exp((theirs.mean - mine.mean) / spread))
        gain += says * mine.variance / spread * (_score(one.places[seat], one.places[other]) - expected)
        share = mine.variance / spread**2
        surer += says * sqrt(share) * share * expected * (1 - expected)
    return gain, surer


def _score(mine: int, theirs: int) -> float:
    return 0.5 if mine == theirs else float(mine < theirs)


class Counted(NamedTuple):
    """How far a game's results are counted."""

    results: int
    last: RatedResult | None
    standings: Standings
    met: Meetings
    story: Story


def nothing_counted() -> Counted:
    return Counted(0, None, {}, {}, Story({}, {}))


class Board:
    """Standings by game, kept in memory and brought up to date when somebody looks."""

    def __init__(self, ratings: Ratings) -> None:
        self._ratings = ratings
        self._known: dict[str, Counted] = {}

    async def of(self, game: str) -> Standings:
        known = self._known.get(game) or nothing_counted()
        news = await self._ratings.after(game, max(0, known.results - 1))
        if known.last is not None:
            if news and news[0] == known.last:
                news = news[1:]
            else:  # a result came late and belongs before what was counted: count anew
                known, news = nothing_counted(), await self._ratings.after(game, 0)
        if news:
            met, story = dict(known.met), known.story.copy()
            folded = await _fold(known.standings, news, met, story)
            self._known[game] = Counted(known.results + len(news), news[-1], folded, met, story)
            return folded
        return known.standings

    async def record(self, game: str, player: str) -> tuple[Standing, Way] | None:
        """How somebody stands in a game, and the way there; None for who has played nothing that counts."""
        standing = (await self.of(game)).get(player)
        return None if standing is None else (standing, self._known[game].story.ways[player])

    async def duel(self, game: str, one: str, other: str) -> Duel | None:
        """What happened when these two met, seen by the first."""
        await self.of(game)
        known = self._known.get(game)
        return known.story.duels.get((one, other)) if known else None


async def _fold(standings: Standings, news: list[RatedResult], met: Meetings, story: Story) -> Standings:
    if len(news) < AT_ONCE:
        return fold(standings, news, met, story)
    return await asyncio.to_thread(fold, standings, news, met, story)
