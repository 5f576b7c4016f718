"""Surroundings, majorities, networks and points equal a walk over plain sets, on random boards."""

from hypothesis import given, settings

from engine.games.babylonia.content import CELLS, HEXES, cells, spots
from engine.games.babylonia.facts import CityResolved, ZigguratResolved
from engine.games.babylonia.flow import resolve
from engine.games.babylonia.model import State
from engine.games.babylonia.position import position
from engine.games.babylonia.scoring import surrounded
from tests.games.babylonia.brute import Given, Hex, Position
from tests.games.babylonia.positions import givens


@settings(max_examples=80, deadline=None)
@given(givens())
def test_what_is_surrounded(described: Given) -> None:
    """BA-23, BA-50."""
    state = position(described)
    assert set(spots(surrounded(state, state.free))) == Position(described).surrounded()


@settings(max_examples=80, deadline=None)
@given(givens())
def test_every_city_pays_what_the_rules_say(described: Given) -> None:
    """BA-24, BA-25, BA-51 to BA-53, BA-87 to BA-89; surrounded or not makes no difference here."""
    state, brute = position(described), Position(described)
    for number in cells(state.cities):
        at = HEXES[number]
        nobles = [brute.nobles(seat, at) for seat in brute.seats]
        told = resolve(state, number)
        assert isinstance(told, CityResolved)
        assert (told.hex, told.tile) == (at, brute.tiles[at])
        assert [set(hexes) for hexes in told.nobles] == nobles
        assert list(told.noble_points) == [2 * len(found) for found in nobles]
        assert list(told.tokens) == brute.next_to(at)
        assert told.winner == brute.winner(at)
        assert list(told.tile_points) == [brute.tile_points(seat, at) for seat in brute.seats]


@settings(max_examples=40, deadline=None)
@given(givens())
def test_every_ziggurat_goes_to_the_majority(described: Given) -> None:
    """BA-24, BA-55, BA-56."""
    state, brute = position(described), Position(described)
    for at in brute.ziggurats:
        assert _ziggurat(state, at) == ZigguratResolved(at, tuple(brute.next_to(at)), brute.winner(at))


def _ziggurat(state: State, at: Hex) -> object:
    return resolve(state, CELLS[at])
