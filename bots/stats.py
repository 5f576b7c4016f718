"""What a series of matches proves: win rates and ratings with 95 % intervals."""

from collections.abc import Sequence
from math import log10, sqrt
from random import Random
from typing import NamedTuple

Z = 1.959964  # 95 % of a normal distribution lie within this many deviations
CENTRE = 1500.0
RESAMPLES = 200
SHARE_RESAMPLES = 2000


class Interval(NamedTuple):
    low: float
    high: float

    def clear_of(self, x: float) -> bool:
        return not self.low <= x <= self.high


def wilson(wins: float, games: int) -> Interval:
    """The interval of a share. Unlike the plain one it stays sensible at 0 % and 100 %.

    >>> low, high = wilson(9, 10)
    >>> round(low, 3), round(high, 3)
    (0.596, 0.982)
    """
    if games == 0:
        return Interval(0.0, 1.0)
    share, squared = wins / games, Z * Z
    middle = (share + squared / (2 * games)) / (1 + squared / games)
    half = Z * sqrt(share * (1 - share) / games + squared / (4 * games * games)) / (1 + squared / games)
    return Interval(max(0.0, middle - half), min(1.0, middle + half))


def share_interval(deals: Sequence[tuple[float, int]]) -> Interval:
    """The interval of a share of wins, from what each deal brought (wins, appearances).

    Matches of one deal are alike, so whole deals are drawn again and again. Where every deal brought the same
    there is nothing to draw: the interval is then the one for so many single matches as there are deals.
    """
    shares = {wins / seats for wins, seats in deals}
    if len(shares) < 2:
        return wilson(shares.pop() * len(deals) if shares else 0.0, len(deals))
    rng = Random(len(deals))
    drawn = sorted(_drawn_share(rng.choices(deals, k=len(deals))) for _ in range(SHARE_RESAMPLES))
    cut = SHARE_RESAMPLES // 40
    return Interval(drawn[cut], drawn[-1 - cut])


def _drawn_share(deals: Sequence[tuple[float, int]]) -> float:
    return sum([wins for wins, _ in deals]) / sum([seats for _, seats in deals])


class Wager:
    """A bet against "equally strong" that may be looked at after every deal without being misled.

    The capital begins at 1, and before each deal a part of it is staked on the side that has been ahead. If
    the bots are equally strong the bet is fair, so that the capital ever reaches 20 in at most one series of
    20, however long it is and whenever one looks (Ville's inequality).
    """

    ALPHA = 0.05
    MAX_STAKE = 0.5  # the part of the capital that one deal can cost

    def __init__(self, equal: float) -> None:
        self.equal, self.capital, self.won = equal, 1.0, False
        self._count, self._sum, self._squares = 0, 0.0, 0.0

    def settle(self, share: float) -> None:
        """A deal is over: this share of its seats won."""
        self.capital *= 1 + self._stake() * (share - self.equal)
        self.won = self.won or self.capital >= 1 / self.ALPHA
        self._count += 1
        self._sum += share
        self._squares += (share - self.equal) ** 2

    def _stake(self) -> float:
        """By what was seen before: the lead over its spread, as a gambler would who trusts it. Never all."""
        lead = (self._sum - self._count * self.equal) / (self._count + 1)
        spread = (self._squares + self.equal * (1 - self.equal)) / (self._count + 1)
        return max(-self.MAX_STAKE / (1 - self.equal), min(self.MAX_STAKE / self.equal, lead / spread))


Duel = tuple[int, int, float]  # two entries and what the first got: 1, 1/2 or 0
Match = Sequence[Duel]


def duels(entry_at: Sequence[int], places: Sequence[int]) -> list[Duel]:
    """A match as comparisons of everybody with everybody else; copies of one bot prove nothing."""
    found: list[Duel] = []
    for one in range(len(places)):
        for two in range(one):
            if entry_at[one] != entry_at[two]:
                points = 0.5 if places[one] == places[two] else float(places[one] < places[two])
                found.append((entry_at[one], entry_at[two], points))
    return found


def ratings(entries: int, matches: Sequence[Match]) -> list[float]:
    """Bradley-Terry strengths on the scale of Elo, around 1500.

    Every two that met get half a win each on top, so that whoever never lost stays finite.
    """
    won = [[0.0] * entries for _ in range(entries)]
    for match in matches:
        for one, two, points in match:
            won[one][two] += points
            won[two][one] += 1 - points
    for one in range(entries):
        for two in range(one):
            if won[one][two] + won[two][one]:
                won[one][two] += 0.5
                won[two][one] += 0.5
    return _elo(_strengths(won))


def _strengths(won: Sequence[Sequence[float]], rounds: int = 200) -> list[float]:
    """Hunter's minorise-maximise iteration."""
    entries = range(len(won))
    strength = [1.0] * len(won)
    for _ in range(rounds):
        before = strength
        strength = [_step(won, strength, one) for one in entries]
        scale = len(won) / sum(strength)
        strength = [x * scale for x in strength]
        if max(abs(a - b) for a, b in zip(before, strength, strict=True)) < 1e-6:
            break
    return strength


def _step(won: Sequence[Sequence[float]], strength: Sequence[float], one: int) -> float:
    met = sum(
        (won[one][two] + won[two][one]) / (strength[one] + strength[two])
        for two in range(len(won))
        if two != one
    )
    return sum(won[one]) / met if met else strength[one]


def _elo(strength: Sequence[float]) -> list[float]:
    raw = [400 * log10(max(x, 1e-9)) for x in strength]
    middle = sum(raw) / len(raw)
    return [CENTRE + x - middle for x in raw]


def rating_intervals(entries: int, matches: Sequence[Match], seed: int) -> list[Interval]:
    """Intervals by drawing the matches again and again: right also when a match compares more than two."""
    if not matches:
        return [Interval(CENTRE, CENTRE)] * entries
    rng = Random(seed)
    drawn = [ratings(entries, rng.choices(matches, k=len(matches))) for _ in range(RESAMPLES)]
    cut = RESAMPLES // 40
    ranked = [sorted(sample[entry] for sample in drawn) for entry in range(entries)]
    return [Interval(values[cut], values[-1 - cut]) for values in ranked]
