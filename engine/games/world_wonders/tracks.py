"""WW-90 to WW-93: markers on the resource and population tracks."""

from collections.abc import Sequence

from engine.games.world_wonders.components import Tracks
from engine.games.world_wonders.facts import (
    Gained,
)
from engine.games.world_wonders.model import (
    City,
)


def gain(tracks: Tracks, seat: int, city: City, icons: Sequence[int], people: int) -> Gained:
    """How far the markers move; what does not fit on a track is lost."""
    moved = []
    for space, amount, symbols in zip(city.resources, icons, tracks.symbols, strict=True):
        reached = min(space + amount, tracks.top)
        moved.append(reached - space)
        people += symbols[reached] - symbols[space]
    return Gained(seat, tuple(moved), min(people, tracks.final - city.population))
