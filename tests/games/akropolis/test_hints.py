"""What bots are told about a position."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from bots.greedy import choose
from engine.chance import quick
from engine.game import begin, play
from engine.games.akropolis import GAME
from engine.games.akropolis.hints import _count_terraces, prior, value
from engine.games.akropolis.model import Build, City, Options
from engine.games.akropolis.plan import plan_of
from tests.games.akropolis import brute
from tests.games.akropolis.cities import grow


def opening(seats=2, **options):
    return begin(GAME, seats, Options(**options), quick(Random(1)))[0]


def view_with(city, stones=1):
    """Seat 0's view of an opening in which it has this city and these stones."""
    start = opening(first_seat=0)
    state = replace(start, cities=(city, start.cities[1]), stones=(stones, start.stones[1]))
    return GAME.view(state, 0)


def spelled_out(top):
    """Triangles of one level with three quarries, and with two and no plaza, each weighted by its level."""
    three = two = 0
    for q, r in top:
        for turn in (0, 1):
            cells = [top.get(space) for space in brute.spaces(q, r, turn)]
            if None in cells or len({level for level, _, _ in cells}) > 1:
                continue
            kinds = [kind for _, kind, _ in cells]
            if any("plaza" in kind for kind in kinds):
                continue
            three += cells[0][0] * (kinds.count("quarry") == 3)
            two += cells[0][0] * (kinds.count("quarry") == 2)
    return three, two


@pytest.mark.parametrize("seed", range(25))
def test_terraces_are_counted_as_spelled_out(seed):
    city, top = grow(Random(seed), 12, climb=0.4)
    assert _count_terraces(plan_of(city)) == spelled_out(top)


def test_stones_are_worth_something_to_their_owner_alone():
    poor, rich = (view_with(City(), stones) for stones in (1, 2))
    assert value(rich, 0) > value(poor, 0)
    assert value(rich, 1) < value(poor, 1)


@pytest.mark.parametrize("tiles", [3, 9, 17])
def test_of_two_cities_alike_in_size_the_one_with_more_points_is_worth_more(tiles):
    found = [grow(Random(seed), tiles, climb=0.4)[0] for seed in range(12)]
    views = sorted((view_with(city) for city in found), key=lambda view: view.players[0].score.total)
    assert value(views[-1], 0) > value(views[0], 0)
    assert value(views[-1], 1) < value(views[0], 1)


def test_height_comes_first_when_there_is_too_much_to_look_at():
    state = opening(first_seat=0)
    view = GAME.view(state, 0)
    assert prior(view, 0, Build(0, 0, 0, 0)) > prior(view, 0, Build(0, 5, 5, 0))
    assert prior(view, 0, Build(0, 1, 1, 3)) == prior(view, 0, Build(0, 2, 0, 1))


@pytest.mark.parametrize("seats", [1, 2, 3])
def test_looking_one_step_ahead_beats_chance(seats):
    """A greedy bot in seat 0 against random ones: it at least doubles the best of them."""
    rng = Random(seats)
    pick = quick(rng)
    state = opening(seats, first_seat=0)
    while GAME.to_act(state):
        seat, legal = state.turn, GAME.legal(state, state.turn)
        action = choose(GAME, GAME.view(state, seat), seat, legal, rng) if seat == 0 else rng.choice(legal)
        state, _ = play(GAME, state, seat, action, pick)
    mine, *others = GAME.result(state).scores
    assert mine > 2 * max(others, default=30)
