"""What follows from a city's builds: its top view, its boards, and where the next tile may go.

A plan is never changed; `_lay` makes the next one from the last, touching only what a tile touches.
"""

from engine.games.akropolis.content import START_HEXES, START_TILE, TILES
from engine.games.akropolis.frame import Frame, frame_for, start_placements
from engine.games.akropolis.geometry import Spot, covered
from engine.games.akropolis.model import Cell, City, District, Placed

Top = dict[Spot, Cell]
Boards = dict[str, int]


class Plan:
    """A city as it lies on the table.

    `levels[n]` are the spaces whose topmost hex is on level n, `hexes[kind]` those that show that kind.
    Of the placements, `touched` have a space in or beside the city, `blocked` one inside; `raised` are the
    legal ones on a higher level. All grow or change only around the tile that was built last.
    """

    __slots__ = ("blocked", "cells", "frame", "hexes", "levels", "raised", "tallies", "top", "touched")

    def __init__(
        self,
        frame: Frame,
        top: Top,
        hexes: Boards,
        levels: list[int],
        touched: int,
        blocked: int,
        raised: int,
    ) -> None:
        self.frame = frame
        self.top = top
        self.hexes = hexes
        self.levels = levels
        self.touched = touched
        self.blocked = blocked
        self.raised = raised
        self.cells: tuple[Cell, ...] | None = None  # kept by `cells_of`
        self.tallies: dict[object, dict[str, District]] = {}  # kept by scoring

    @property
    def placements(self) -> int:
        """AK-26 to AK-28: on the ground beside the city (whatever is blocked is touched too), or on top."""
        return self.touched ^ self.blocked | self.raised


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


def cells_of(plan: Plan) -> tuple[Cell, ...]:
    """The top view, in the order in which the spaces were first built."""
    if plan.cells is None:
        plan.cells = tuple(plan.top.values())
    return plan.cells


def _next(plan: Plan, city: City) -> Plan:
    last = city.builds[-1]
    return _lay(plan, last) if plan.frame.holds(last.q, last.r) else _replayed(city)


def _replayed(city: City) -> Plan:
    reach = max((max(abs(placed.q), abs(placed.r)) for placed in city.builds), default=0)
    plan = start_plan(frame_for(reach))
    for placed in city.builds:
        plan = _lay(plan, placed)
    return plan


def start_plan(frame: Frame) -> Plan:
    """AK-12: the starting tile alone."""
    top = {(q, r): Cell(q, r, 1, kind, START_TILE) for (q, r), kind in START_HEXES.items()}
    hexes = {kind: frame.spots(s for s in top if top[s].hex == kind) for kind in START_HEXES.values()}
    touched, blocked = start_placements(frame.radius)
    return Plan(frame, top, hexes, [0, frame.spots(top)], touched, blocked, 0)


def _lay(plan: Plan, placed: Placed) -> Plan:
    """One more tile: AK-30 (covered hexes are gone) and what AK-27 and AK-28 now allow around it."""
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
    top, hexes = _covering(plan, placed)
    return Plan(frame, top, hexes, levels, touched, blocked, raised)


def _covering(plan: Plan, placed: Placed) -> tuple[Top, Boards]:
    """The top view and the boards by kind of hex, with the tile's three hexes over what they cover."""
    index, level, tile = plan.frame.index, placed.level, placed.tile
    top, hexes = plan.top.copy(), plan.hexes.copy()
    for spot, kind in zip(covered(placed.q, placed.r, placed.rotation), TILES[tile], strict=True):
        q, r = spot
        bit = 1 << index(q, r)
        if level > 1:
            hexes[top[spot].hex] ^= bit
        hexes[kind] = hexes.get(kind, 0) | bit
        top[spot] = Cell(q, r, level, kind, tile)
    return top, hexes
