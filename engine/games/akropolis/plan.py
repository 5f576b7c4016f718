"""What follows from a city's builds: its boards, its top view, and where the next tile may go.

A plan is never changed; `_lay` makes the next one from the last, touching only what a tile touches.
"""

from typing import Any

import msgspec

from engine.games.akropolis.content import START_HEXES, START_TILE, TILES
from engine.games.akropolis.frame import Frame, frame_for, start_placements
from engine.games.akropolis.geometry import Spot, covered
from engine.games.akropolis.model import Cell, City, Placed

Top = dict[Spot, Cell]
Boards = dict[str, int]


class Plan(msgspec.Struct, eq=False):
    """A city as it lies on the table.

    `levels[n]` are the spaces whose topmost hex is on level n, `hexes[kind]` those that show that kind.
    Of the placements, `touched` have a space in or beside the city, `blocked` one inside; `raised` are the
    legal ones on a higher level. All of them change only around the tile that was built last.
    """

    frame: Frame
    hexes: Boards
    levels: list[int]
    touched: int
    blocked: int
    raised: int
    _origin: tuple["Plan", Placed] | None
    _top: Top | None = None
    kept: dict[object, Any] = msgspec.field(default_factory=dict)  # what scoring and hints have worked out

    @property
    def placements(self) -> int:
        """AK-26 to AK-28: on the ground beside the city (whatever is blocked is touched too), or on top.

        A lake is ground like any other (AK-A11).
        """
        return self.touched ^ self.blocked | self.raised

    @property
    def built(self) -> int:
        """The spaces with a tile."""
        built = 0
        for spots in self.levels:
            built |= spots
        return built

    @property
    def top(self) -> Top:
        """The topmost hexes, in the order in which their spaces were first built."""
        origin = self._origin
        if origin is not None:  # two threads may both get here: they find the same
            before, placed = origin
            self._top = before.top | _hexes(placed)
            self._origin = None
        assert self._top is not None
        return self._top


def _hexes(placed: Placed) -> Top:
    spots = covered(placed.q, placed.r, placed.rotation)
    tile, level = placed.tile, placed.level
    return {(q, r): Cell(q, r, level, kind, tile) for (q, r), kind in zip(spots, TILES[tile], strict=True)}


def plan_of(city: City) -> Plan:
    """A city's plan, worked out from its predecessor's if it has one, and kept with the city."""
    kept = city.__dict__
    found: Plan | None = kept.get("plan")
    if found is None:
        before: City | None = kept.pop("before", None)
        found = kept["plan"] = _replayed(city) if before is None else _next(plan_of(before), city)
    return found


def extended(city: City, placed: Placed) -> City:
    """The city with one more tile; its plan is worked out when somebody asks for it."""
    after = City((*city.builds, placed))
    after.__dict__["before"] = city
    return after


def _next(plan: Plan, city: City) -> Plan:
    last = city.builds[-1]
    return _lay(plan, last) if plan.frame.holds(last.q, last.r) else _replayed(city)


def _replayed(city: City) -> Plan:
    reach = max((max(abs(placed.q), abs(placed.r)) for placed in city.builds), default=0)
    plan = _start_plan(frame_for(reach))
    for placed in city.builds:
        plan = _lay(plan, placed)
    return plan


def _start_plan(frame: Frame) -> Plan:
    """AK-12: the starting tile alone."""
    hexes: Boards = {}
    for spot, kind in START_HEXES.items():
        hexes[kind] = hexes.get(kind, 0) | frame.spots([spot])
    touched, blocked = start_placements(frame.radius)
    top = {(q, r): Cell(q, r, 1, kind, START_TILE) for (q, r), kind in START_HEXES.items()}
    return Plan(frame, hexes, [0, frame.spots(START_HEXES)], touched, blocked, 0, None, top)


def _lay(plan: Plan, placed: Placed) -> Plan:
    """One more tile, and what AK-27 and AK-28 now allow around it."""
    frame, turn, level = plan.frame, placed.rotation, placed.level
    shift = frame.index(placed.q, placed.r) - frame.origin
    wide = 6 * shift
    tile = frame.tiles[turn] << shift
    blocks = frame.blocks[turn] << wide
    touched, blocked, raised = plan.touched, plan.blocked, plan.raised
    levels = plan.levels.copy()
    if level == 1:
        touched |= frame.touches[turn] << wide
        blocked |= blocks
    else:
        levels[level - 1] ^= tile
        raised ^= raised & blocks
        if level == len(levels):
            levels.append(0)
    ring = levels[level] >> shift & frame.rings[turn]
    levels[level] |= tile
    if ring:
        raised |= frame.support(turn, ring) << wide
    hexes = _shown(plan, placed, tile, shift)
    return Plan(frame, hexes, levels, touched, blocked, raised, (plan, placed))


def _shown(plan: Plan, placed: Placed, tile: int, shift: int) -> Boards:
    """AK-30: covered hexes are gone, the tile's own are seen instead."""
    if placed.level == 1:
        hexes = plan.hexes.copy()
    else:
        hexes = {kind: spots ^ (spots & tile) for kind, spots in plan.hexes.items()}
    for kind, pattern in plan.frame.prints[placed.tile][placed.rotation]:
        hexes[kind] = hexes.get(kind, 0) | pattern << shift
    return hexes
