"""Cities for tests: grown at random by the brute-force rules, beside the engine's own."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from engine.games.akropolis.model import City, Placed
from engine.games.akropolis.plan import extended
from tests.games.akropolis import brute


def grow(rng: Random, tiles: int, climb: float, far: float = 0.0):
    """A city and its top view. `climb`: how often a tile goes up if it can; `far`: how often far out."""
    top, city = brute.start(), City()
    deck = rng.sample(sorted(brute.TILES), tiles)
    for tile in deck:
        place = choose(rng, top, climb, far)
        top, level, _ = brute.build(top, tile, *place)
        city = extended(city, Placed(tile, *place, level))
    return city, top


def choose(rng: Random, top, climb: float, far: float):
    """A legal place, found by trying: on top of the city, or on the ground, perhaps as far out as it goes."""
    if rng.random() < climb:
        for _ in range(40):
            place = (*rng.choice(sorted(top)), rng.randrange(6))
            if brute.refusal(top, *place) is None:
                return place
    if rng.random() < far:
        return max(brute.placements(top), key=lambda place: (place[0], -place[1]))
    shore = sorted({other for space in top for other in brute.neighbours(space)} - set(top))
    while True:
        place = (*rng.choice(shore), rng.randrange(6))
        if brute.refusal(top, *place) is None:
            return place


@st.composite
def cities(draw, most=18):
    rng = draw(st.randoms(use_true_random=False))
    return grow(
        rng,
        draw(st.integers(0, most)),
        climb=draw(st.sampled_from([0.0, 0.3, 0.7, 1.0])),
        far=draw(st.sampled_from([0.0, 0.0, 0.2])),
    )
