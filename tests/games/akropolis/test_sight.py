"""Section 9: everybody sees everything but the order of what is to come."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from engine import codec
from engine.chance import quick
from engine.game import begin, play
from engine.games.akropolis import GAME
from engine.games.akropolis.content import TILES
from engine.games.akropolis.model import Drawn, NextRound, Opened, Options
from tests.games.akropolis import brute


def midway(seats=3, turns=20, **options):
    rng = Random(5)
    pick = quick(rng)
    state, _ = begin(GAME, seats, Options(**options), pick)
    for _ in range(turns):
        state, _ = play(GAME, state, state.turn, rng.choice(GAME.legal(state, state.turn)), pick)
    return state


def test_nobody_sees_more_than_another():
    """AK-58."""
    state = midway()
    seen = [GAME.view(state, viewer) for viewer in (0, 1, 2, None)]
    assert [view.seat for view in seen] == [0, 1, 2, None]
    assert len({codec.encode(msgspec.structs.replace(view, seat=None)) for view in seen}) == 1


def test_what_is_to_come_is_shown_as_a_set():
    """AK-59."""
    state = midway()
    view = GAME.view(state, 0)
    lying = {offer.tile for offer in view.site} | {b.tile for p in view.players for b in p.city.builds}
    assert list(view.unseen) == [tile for tile in range(1, 50) if tile not in lying]
    assert sum(view.unseen_hexes.values()) == 3 * len(view.unseen)
    assert view.stacks_left == len(view.unseen) // 4


def test_the_view_shows_prices_cities_and_the_score_as_it_stands():
    """AK-23, AK-37, AK-53."""
    state = midway(variant_markets=True)
    view = GAME.view(state, None)
    assert [offer.price for offer in view.site] == list(range(len(state.site)))
    assert all(offer.hexes == TILES[offer.tile] for offer in view.site)
    for seat, player in enumerate(view.players):
        top = {(c.q, c.r): (c.level, c.hex, c.tile) for c in player.cells}
        points = sum(points for _, _, points in brute.districts(top, ["market"]).values())
        assert player.score.total == points + state.stones[seat]


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
@pytest.mark.parametrize("turns", [0, 7, 14])
def test_a_view_determines_the_state(seats, turns):
    """Drawn lazily, tiles have no order to guess."""
    state = midway(seats, turns)
    assert GAME.determinise(GAME.view(state, 0), Random(1)) == state


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_also_when_it_is_over(seats):
    state = midway(seats, {1: 18, 2: 36, 3: 48, 4: 60}[seats])
    assert GAME.result(state) is not None
    assert GAME.determinise(GAME.view(state, None), Random(1)) == state


def test_only_draws_reveal_anything():
    """AK-59."""
    assert GAME.reveals(Drawn(3, 0))
    assert GAME.reveals(Opened(0, (1, 2), 0))
    assert not GAME.reveals(Opened(0, (1, 2)))
    assert not GAME.reveals(NextRound(2, 1))
