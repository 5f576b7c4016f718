"""What the arena claims about its results."""

from __future__ import annotations

from random import Random

import pytest

from bots.plot import Row, svg
from bots.stats import Interval, Wager, duels, rating_intervals, ratings, share_interval, wilson


@pytest.mark.parametrize(("wins", "games", "low", "high"), [(0, 10, 0.0, 0.278), (5, 10, 0.237, 0.763)])
def test_wilson_as_tabulated(wins, games, low, high):
    assert wilson(wins, games) == pytest.approx((low, high), abs=0.001)


def test_wilson_covers_what_it_promises():
    rng = Random(1)
    inside = 0
    for _ in range(400):
        wins = sum(rng.random() < 0.6 for _ in range(100))
        inside += not wilson(wins, 100).clear_of(0.6)
    assert 0.92 < inside / 400 < 0.98


def test_nothing_is_known_without_games():
    assert wilson(0, 0) == (0.0, 1.0)
    assert not Interval(0.4, 0.6).clear_of(0.5)
    assert Interval(0.51, 0.6).clear_of(0.5)


def test_a_table_of_three_is_three_comparisons():
    assert duels((0, 1, 2), (1, 3, 2)) == [(1, 0, 0.0), (2, 0, 0.0), (2, 1, 1.0)]
    assert duels((0, 1), (1, 1)) == [(1, 0, 0.5)]
    assert duels((0, 0), (1, 2)) == []


def test_ratings_find_the_strengths_back():
    """Three quarters of the wins are 191 points of Elo."""
    matches = [[(0, 1, 1.0)]] * 750 + [[(0, 1, 0.0)]] * 250
    first, second = ratings(2, matches)
    assert first - second == pytest.approx(191, abs=2)
    low, high = rating_intervals(2, matches, seed=1)[0]
    assert low < first < high < first + 30


def test_who_never_lost_stays_finite():
    first, second = ratings(2, [[(0, 1, 1.0)]] * 20)
    assert 400 < first - second < 1000


def test_a_plot_is_a_picture():
    drawn = svg(
        "a <title>", [Row("greedy", 1400, Interval(1350, 1450)), Row("search", 1600, Interval(1550, 1650))]
    )
    assert drawn.startswith("<svg")
    assert "a &lt;title&gt;" in drawn
    assert drawn.index("search") < drawn.index("greedy"), "the best is on top"


def test_deals_are_drawn_whole():
    """Ten deals of ten equal matches prove no more than ten matches."""
    alike = share_interval([(10.0, 10)] * 7 + [(0.0, 10)] * 3)
    apart = share_interval([(1.0, 1)] * 70 + [(0.0, 1)] * 30)
    assert alike.low < apart.low < 0.7 < apart.high < alike.high
    assert share_interval([(1.0, 2)] * 40) == wilson(20, 40)
    assert share_interval([]) == Interval(0.0, 1.0)


def test_a_wager_on_equals_is_rarely_won_and_one_on_the_better_soon():
    def series(chance: float, seed: int) -> int | None:
        rng, wager = Random(seed), Wager(0.5)
        for deal in range(300):
            if wager.won:
                return deal
            wager.settle(sum(rng.random() < chance for _ in range(2)) / 2)
        return None

    assert sum(series(0.5, seed) is not None for seed in range(400)) <= 0.05 * 400
    stopped = [series(0.65, seed) for seed in range(100)]
    assert stopped.count(None) <= 5
    assert sorted(at for at in stopped if at is not None)[40] < 100


def test_a_wager_is_settled_in_either_direction_and_never_loses_all():
    wager = Wager(0.25)
    for _ in range(60):
        wager.settle(0.0)
    assert wager.won
    for _ in range(200):
        wager.settle(1.0)
    assert wager.capital > 0
