"""Where a tile may go: the engine's boards against the rules spelled out (AK-25 to AK-32)."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.game import Illegal
from engine.games.akropolis import GAME
from engine.games.akropolis.builds import bits, nth_bit
from engine.games.akropolis.model import Build, City, Options, Placed, State
from engine.games.akropolis.plan import extended, plan_of
from tests.games.akropolis import brute
from tests.games.akropolis.cities import cities, grow

SITE = (1, 2, 3, 4)


def alone(city, stones=2, site=SITE):
    return State(Options(), "build", 0, 1, 0, 0, (), site, (stones, 0), (city, City()))


def code(state, action):
    try:
        GAME.decide(state, 0, action)
    except Illegal as refusal:
        return refusal.code
    return None


@settings(max_examples=60, deadline=None)
@given(cities(), st.integers(0, 5))
def test_legal_lists_every_slot_with_every_placement_in_order(made, stones):
    """AK-32."""
    city, top = made
    slots = range(min(len(SITE), stones + 1))
    expected = [Build(slot, *place) for slot in slots for place in brute.placements(top)]
    assert list(GAME.legal(alone(city, stones), 0)) == expected


@settings(max_examples=25, deadline=None)
@given(cities())
def test_every_placement_is_judged_as_the_rules_say(made):
    """AK-26 to AK-28, in the words of AK-62."""
    city, top = made
    state = alone(city)
    for q, r in brute.area(top, 3):
        for turn in range(6):
            assert code(state, Build(0, q, r, turn)) == brute.refusal(top, q, r, turn)


@settings(max_examples=25, deadline=None)
@given(cities(), st.randoms(use_true_random=False))
def test_a_build_gains_what_it_covers(made, rng):
    """AK-30, AK-31."""
    city, top = made
    for action in rng.sample(list(GAME.legal(alone(city), 0)), 12):
        fact = GAME.decide(alone(city), 0, action)[0]
        after, level, gained = brute.build(top, SITE[action.slot], action.q, action.r, action.rotation)
        assert (fact.level, fact.gained, fact.paid) == (level, gained, action.slot)
        grown = extended(city, Placed(fact.tile, fact.q, fact.r, fact.rotation, fact.level))
        assert {(c.q, c.r): (c.level, c.hex, c.tile) for c in plan_of(grown).top.values()} == after


@settings(max_examples=25, deadline=None)
@given(cities())
def test_a_plan_does_not_depend_on_how_it_was_reached(made):
    """Step by step or all at once: the same boards, whatever windows were used on the way."""
    city, _ = made
    stepwise, at_once = plan_of(city), plan_of(City(city.builds))
    assert stepwise.frame is at_once.frame
    for board in ("hexes", "levels", "placements", "top"):
        assert getattr(stepwise, board) == getattr(at_once, board)


def test_the_longest_thread_fits():
    """AK-32: 30 tiles in a straight line, the bound of the two-player longer game."""
    city, top = grow(Random(1), 30, climb=0, far=1)
    assert max(q for q, _ in top) > 55
    places = [(a.q, a.r, a.rotation) for a in GAME.legal(alone(city, 0), 0)]
    assert places == brute.placements(top)


@pytest.mark.parametrize("q", [-(10**30), -70, 70, 10**30])
def test_no_space_is_too_far_to_be_refused(q):
    """AK-05: the grid has no end."""
    assert code(alone(City()), Build(0, q, 0, 0)) == "not_adjacent"
    assert code(alone(City()), Build(0, 0, q, 0)) == "not_adjacent"


def test_choices_answer_like_the_list_they_stand_for():
    choices = GAME.legal(alone(grow(Random(2), 9, climb=0.3)[0]), 0)
    listed = list(choices)
    assert len(choices) == len(listed) == len(set(listed))
    assert [choices[n] for n in range(len(choices))] == listed
    assert [choices[-1], choices[3:5], choices[::50]] == [listed[-1], listed[3:5], listed[::50]]
    assert all(action in choices for action in listed)
    assert choices == listed
    assert choices == GAME.legal(alone(grow(Random(2), 9, climb=0.3)[0]), 0)
    assert choices != listed[1:]
    assert choices != 3
    with pytest.raises(IndexError):
        choices[len(listed)]


def test_choices_contain_only_what_is_legal():
    choices = GAME.legal(alone(City(), stones=1), 0)
    for other in (Build(2, 1, 1, 3), Build(-1, 1, 1, 3), Build(0, 0, 0, 0), Build(0, 99, 0, 0), "build"):
        assert other not in choices
    assert Build(1, 1, 1, 3) in choices


@given(st.integers(1, 2**400 - 1))
def test_bits_are_found_by_number(board):
    positions = [at for at in range(board.bit_length()) if board >> at & 1]
    assert list(bits(board)) == positions == [nth_bit(board, n) for n in range(len(positions))]
