"""What a city is worth: boards against the rules spelled out (AK-37 to AK-53)."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.games.akropolis.content import DISTRICTS, HEXES
from engine.games.akropolis.plan import plan_of
from engine.games.akropolis.scenario import top_view
from engine.games.akropolis.scoring import score, tally
from tests.games.akropolis import brute
from tests.games.akropolis.cities import cities

chosen_variants = st.tuples(*[st.booleans()] * 5)


def names(chosen):
    return [district for district, on in zip(DISTRICTS, chosen, strict=True) if on]


def told(districts):
    return {name: (d.value, d.stars, d.points) for name, d in districts.items()}


@settings(max_examples=100, deadline=None)
@given(cities(), chosen_variants, st.integers(0, 9))
def test_a_city_scores_as_the_rules_say(made, chosen, stones):
    city, top = made
    expected = brute.districts(top, names(chosen))
    pad = score(plan_of(city), stones, chosen)
    assert told(pad.districts) == expected
    assert pad.total == stones + sum(points for _, _, points in expected.values())


spots = st.tuples(st.integers(-4, 4), st.integers(-4, 4))
hexes = st.tuples(st.integers(1, 3), st.sampled_from(HEXES), st.just(0))


@settings(max_examples=120, deadline=None)
@given(st.dictionaries(spots, hexes, min_size=1, max_size=60), chosen_variants)
def test_any_top_view_scores_as_the_rules_say(top, chosen):
    """Also those no tiles could make: scattered, with lakes in lakes, level differences everywhere."""
    cells = [(q, r, level, kind) for (q, r), (level, kind, _) in top.items()]
    assert told(tally(top_view(cells), chosen)) == brute.districts(top, names(chosen))


def ring(kind, level=1, at=(0, 0)):
    return dict.fromkeys(brute.neighbours(at), (level, kind, 0))


def value(top, district, *variants):
    cells = [(q, r, level, kind) for (q, r), (level, kind, _) in top.items()]
    return tally(top_view(cells), tuple(d in variants for d in DISTRICTS))[district].value


def test_the_largest_group_is_the_one_with_most_houses():
    """AK-43, AK-A1: not the one with the highest value; only ties look at value."""
    three_low = {(q, 0): (1, "house", 0) for q in range(3)}
    two_high = {(q, 5): (4, "house", 0) for q in range(2)}
    three_high = {(q, -5): (2, "house", 0) for q in range(3)}
    assert value(three_low | two_high, "house") == 3
    assert value(three_low | two_high | three_high, "house") == 6
    assert value({(0, 0): (1, "house", 0), (5, 5): (3, "house", 0)}, "house") == 3


def test_the_house_variant_looks_at_the_value_before_stars():
    """AK-48, AK-A17."""
    nine, ten = ({(q, 0): (1, "house", 0) for q in range(n)} for n in (9, 10))
    assert value(nine, "house", "house") == 9
    assert value(ten, "house", "house") == 20


def test_a_lake_of_any_size_is_no_edge_and_no_surrounding():
    """AK-A2, AK-A3, AK-A4, AK-46: barracks that see only a lake, a temple beside it, gardens around it."""
    two = set(brute.neighbours((0, 0)) + brute.neighbours((1, 0))) - {(0, 0), (1, 0)}
    inner = dict.fromkeys(two, (1, "garden", 0))
    outer = {s: (1, "quarry", 0) for space in two for s in brute.neighbours(space)}
    for gap in ((0, 0), (1, 0)):
        outer.pop(gap)
    top = outer | inner
    assert value(top, "garden") == 8
    assert value(top, "garden", "garden") == 16
    assert value(top | {(0, -1): (1, "barracks", 0)}, "barracks") == 0
    assert value(top | {(0, -1): (1, "temple", 0)}, "temple") == 0
    filled = top | {(0, 0): (1, "quarry", 0), (1, 0): (1, "quarry", 0), (0, -1): (1, "temple", 0)}
    assert value(filled, "temple") == 1


def test_levels_do_not_separate_neighbours():
    """AK-A12, AK-A13: a pit between higher hexes is no lake, and houses join across levels."""
    pit = ring("garden", 3) | {(0, 0): (1, "temple", 0)}
    assert value(pit, "temple") == 1
    assert value(pit, "garden", "garden") == 18
    assert value({(0, 0): (1, "house", 0), (0, 1): (3, "house", 0)}, "house") == 4


def test_a_market_is_doubled_once():
    """AK-49, AK-A14, and AK-44: plazas beside it do not hurt."""
    top = ring("market_plaza") | {(0, 0): (2, "market", 0)}
    assert value(top, "market") == 2
    assert value(top, "market", "market") == 4
    assert value(top | {(0, 1): (1, "market", 0)}, "market", "market") == 0
