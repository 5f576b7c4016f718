"""A window on the unbounded grid, in which sets of spaces and of placements are single integers.

A set of spaces has one bit for each space, ordered by (q, r). A set of placements has six bits for each
space, one for each rotation of a tile anchored there: its bits are in the order of AK-32. What a tile does
to its surroundings is the same everywhere, so it is worked out once and shifted to where the tile lies.
"""

from collections.abc import Iterable, Sequence
from functools import cache

from engine.games.akropolis.content import START_HEXES, TILES
from engine.games.akropolis.geometry import ROTATIONS, Spot, around, covered

Placement = tuple[int, int, int]  # (q, r, rotation)

RADII = (16, 24, 36, 66)  # the last holds any city of AK-03; a free position may need more
MARGIN = 3  # empty spaces between a city and the rim: a tile beside it and that tile's own neighbours
REACH = 3  # how far from a tile's anchor its surroundings are looked at
NEARBY = [
    (q, r, turn) for q in range(-REACH, REACH + 1) for r in range(-REACH, REACH + 1) for turn in ROTATIONS
]


def meeting(spots: set[Spot]) -> list[Placement]:
    """The placements around the origin that cover at least one of these spaces."""
    return [place for place in NEARBY if not spots.isdisjoint(covered(*place))]


class Frame:
    """Spaces with |q| and |r| up to `radius`, and the surroundings of a tile by its rotation."""

    __slots__ = (
        "_known",
        "_rests",
        "blocks",
        "inner",
        "origin",
        "prints",
        "radius",
        "rim",
        "rings",
        "stride",
        "tiles",
        "touches",
        "whole",
    )

    def __init__(self, radius: int) -> None:
        self.radius = radius
        self.inner = radius - MARGIN
        self.stride = 2 * radius + 1
        self.origin = REACH * self.stride + REACH  # patterns are stored shifted by this, to be positive
        self.whole = (1 << self.stride**2) - 1
        self.rim = self.spots(
            (q, r)
            for q in range(-radius, radius + 1)
            for r in range(-radius, radius + 1)
            if radius in (q, -q, r, -r)
        )
        tiles = [set(covered(0, 0, turn)) for turn in ROTATIONS]
        self.tiles = [self._pattern(tile) for tile in tiles]
        self.prints = {
            tile: [self._print(hexes, turn) for turn in ROTATIONS] for tile, hexes in TILES.items()
        }
        self.rings = [self._pattern(around(tile) - tile) for tile in tiles]
        self.blocks = [self._wide(meeting(tile)) for tile in tiles]
        self.touches = [self._wide(meeting(around(tile))) for tile in tiles]
        self._rests = [self._rests_on(tile) for tile in tiles]
        self._known: list[dict[int, int]] = [{} for _ in ROTATIONS]  # by rotation and ring

    def index(self, q: int, r: int) -> int:
        """The bit of a space."""
        return (q + self.radius) * self.stride + r + self.radius

    def spots(self, spots: Iterable[Spot]) -> int:
        """A set of spaces."""
        return sum(1 << self.index(*spot) for spot in spots)

    def holds(self, q: int, r: int) -> bool:
        """Whether a tile anchored here has all its surroundings inside the window."""
        return -self.inner < q < self.inner and -self.inner < r < self.inner

    def tile(self, q: int, r: int, rotation: int) -> int:
        """The spaces that a tile covers, if it is anchored inside the rim."""
        return self.tiles[rotation] << self.index(q, r) >> self.origin

    def bit(self, q: int, r: int, rotation: int) -> int | None:
        """The bit of a placement; one anchored outside the rim has none."""
        radius = self.radius
        if -radius < q < radius and -radius < r < radius:
            return 6 * ((q + radius) * self.stride + r + radius) + rotation
        return None

    def neighbours(self, spots: int) -> int:
        """All spaces adjacent to one of these (AK-07), which may include some of them."""
        stride = self.stride
        steep = stride - 1
        return spots << 1 | spots >> 1 | spots << stride | spots >> stride | spots << steep | spots >> steep

    def enclosed(self, spots: int) -> int:
        """The spaces of which all six neighbours are among these."""
        stride = self.stride
        steep = stride - 1
        return spots << 1 & spots >> 1 & spots << stride & spots >> stride & spots << steep & spots >> steep

    def support(self, rotation: int, ring: int) -> int:
        """AK-28, AK-A15: the placements that rest on a new tile and on spaces of its ring on the same level.

        `ring` is shifted as `rings` is. Lying exactly on the new tile is not among them: it needs no ring.
        """
        known = self._known[rotation]
        found = known.get(ring)
        if found is None:
            found = known[ring] = sum(place for rest, place in self._rests[rotation] if rest & ring == rest)
        return found

    def _rests_on(self, tile: set[Spot]) -> list[tuple[int, int]]:
        """Every placement partly on a tile: the spaces it needs besides, and the placement as a set."""
        partly = [place for place in meeting(tile) if set(covered(*place)) != tile]
        return [(self._pattern(set(covered(*place)) - tile), self._wide([place])) for place in partly]

    def _print(self, hexes: Sequence[str], rotation: int) -> list[tuple[str, int]]:
        """A tile's kinds of hex with their spaces."""
        spots = covered(0, 0, rotation)
        return [
            (kind, self._pattern(spot for spot, shown in zip(spots, hexes, strict=True) if shown == kind))
            for kind in dict.fromkeys(hexes)
        ]

    def _pattern(self, spots: Iterable[Spot]) -> int:
        return sum(1 << q * self.stride + r + self.origin for q, r in spots)

    def _wide(self, places: Iterable[Placement]) -> int:
        return sum(1 << 6 * (q * self.stride + r + self.origin) + turn for q, r, turn in places)


@cache
def frame(radius: int) -> Frame:
    return Frame(radius)


def frame_for(reach: int) -> Frame:
    """The smallest window for anchors up to this far from the origin along either axis."""
    fitting = (radius for radius in RADII if radius - MARGIN > reach)
    return frame(next(fitting, reach + MARGIN + 1))


@cache
def start_placements(radius: int) -> tuple[int, int]:
    """Around the starting tile (AK-12): the placements that touch or meet it, and those that meet it."""
    window = frame(radius)
    shift = 6 * (window.index(0, 0) - window.origin)
    start = set(START_HEXES)
    touching, blocked = meeting(around(start)), meeting(start)
    return window._wide(touching) << shift, window._wide(blocked) << shift
