"""Chapter 8, monuments: where one may stand (WW-70 to WW-75)."""

from collections.abc import Iterator, Sequence

from engine.games.world_wonders.components import Card, Need
from engine.games.world_wonders.content import Board
from engine.games.world_wonders.grid import near
from engine.games.world_wonders.model import (
    City,
    Place,
)
from engine.games.world_wonders.pieces import Piece, Spot

Touches = Sequence[int]  # boards, each of which the piece must touch


def where(piece: Piece, covered: int, touches: Touches, lane: int) -> Iterator[Spot]:
    """As in placement.py, for several boards to touch, one position after another."""
    packed = 0
    for touch in touches:
        packed = (packed | touch) << lane
    packed |= covered
    for form in piece.forms:
        joined = packed
        for step in form.steps:
            joined |= joined >> step
        for extra in form.extras:
            joined |= packed >> extra
        anchors = form.own & ~joined
        if not anchors:
            continue
        for _ in touches:
            joined >>= lane
            anchors &= joined
        while anchors:
            low = anchors & -anchors
            yield form.spots[low]
            anchors ^= low


def missing(board: Board, city: City, needs: Sequence[Need], cells: int) -> list[str]:
    """WW-72: the requirements that a finished monument on these cells does not meet."""
    halo = near(cells, board.on.stride) & ~cells
    lacking: list[str] = []
    for need in needs:
        lacking += [need.name] * (need.many - _touching(board, city, need.name, cells, halo))
    return lacking


def _touching(board: Board, city: City, need: str, cells: int, halo: int) -> int:
    """How many different objects or cells of this sort the monument touches."""
    match need:
        case "road":
            return sum([1 for road in city.roads if road & halo])
        case "sidewalk":
            return (board.on.bottom & cells).bit_count()
        case "natural":
            return (board.on.wealth & ~city.covered & halo).bit_count()
        case "water":
            return (board.on.water & ~city.covered & halo).bit_count()
    return sum([1 for building in city.buildings if building.kind == need and building.cells & halo])


def lacking(board: Board, city: City, card: Card) -> tuple[str, ...]:
    """What of WW-72 no free cell of this city touches as things stand, each as often as it is missing.

    Nothing lacking is no promise: the cells must also lie so that the whole monument fits (WW-71, WW-73).
    """
    free = board.on.cells & ~city.covered
    names: list[str] = []
    for need in card.needs:
        if not _beside(board, city, need) & free:
            names += [need.name] * need.many
        elif need.many > 1:
            names += [need.name] * (need.many - _within_reach(board, city, need.name, free))
    return tuple(names)


def _within_reach(board: Board, city: City, need: str, free: int) -> int:
    """How many different objects or cells of this sort lie beside a free cell, or are one (the sidewalk)."""
    stride = board.on.stride
    match need:
        case "road":
            return sum([1 for road in city.roads if near(road, stride) & free])
        case "sidewalk":
            return (board.on.bottom & free).bit_count()
        case "natural":
            return (board.on.wealth & free & near(free, stride)).bit_count()
        case "water":
            return (board.on.water & free & near(free, stride)).bit_count()
    beside = [near(building.cells, stride) for building in city.buildings if building.kind == need]
    return sum([1 for cells in beside if cells & free])


def _beside(board: Board, city: City, need: Need) -> int:
    """Cells that touch what is needed, as things stand before the monument."""
    if need.kind >= 0:
        return city.by_kind[need.kind]
    match need.name:
        case "road":
            return city.by_road
        case "sidewalk":
            return board.on.bottom
        case "natural":
            return near(board.on.wealth & ~city.covered, board.on.stride)
    return near(board.on.water & ~city.covered, board.on.stride)


# --- what the rules ask ----------------------------------------------------------------------------------


def monument_fits(board: Board, city: City, card: Card) -> bool:
    """Whether the whole monument can be built (WW-50)."""
    touches = []
    for need in card.needs:
        touch = _beside(board, city, need)
        if not touch:
            return False
        touches.append(touch)
    if not card.rigid:
        return _Parts(board, city, card, touches).can_follow(0, 0)
    return next(_rigid(board, city, card, touches), None) is not None


def _rigid(board: Board, city: City, card: Card, touches: Touches) -> Iterator[Spot]:
    found = where(board.wonder(card.id).parts[0], city.covered, touches, board.lane)
    if not card.checks:
        return found
    return (spot for spot in found if not missing(board, city, card.checks, spot.mask))


def monuments(board: Board, city: City, card: Card, part: int, standing: int) -> list[Place]:
    """Every position of this part, the earlier parts standing, that still lets the monument be finished."""
    if card.rigid:
        return [
            spot.action for spot in _rigid(board, city, card, [_beside(board, city, n) for n in card.needs])
        ]
    parts = _parts(board, city, card)
    return [
        spot.action for spot in parts.candidates(part, standing) if parts.leads_on(part, standing | spot.mask)
    ]


def can_finish(board: Board, city: City, card: Card, part: int, standing: int) -> bool:
    """WW-75: whether the parts after this one can complete what stands."""
    return _parts(board, city, card).leads_on(part, standing)


class _Parts:
    """The parts of one monument in one city, tried one after another (WW-73, WW-75).

    `reach[need][n]` are the cells from which n more cells are enough to touch what is needed. A branch whose
    cells all lie outside one of these boards is cut: without this the long walls cost most of the time.
    """

    def __init__(self, board: Board, city: City, card: Card, touches: Touches) -> None:
        self.board, self.city, self.card = board, city, card
        self.parts, area = board.wonder(card.id)
        area &= ~city.covered
        self.reach = [_reach(touch, area, card.left[0], board.on.stride) for touch in touches]

    def candidates(self, part: int, standing: int) -> Iterator[Spot]:
        """Positions that join the parts that stand and stay within reach of every requirement."""
        left = self.card.left[part]
        touches = [reach[left] for reach in self.reach if not reach[left] & standing]
        if standing:
            touches.append(near(standing, self.board.on.stride))
        return where(self.parts[part], self.city.covered | standing, touches, self.board.lane)

    def leads_on(self, part: int, standing: int) -> bool:
        """Whether this part, already among what stands, completes a sound monument or can be followed."""
        if part + 1 < len(self.parts):
            return self.can_follow(part + 1, standing)
        return not self.card.checks or not missing(self.board, self.city, self.card.checks, standing)

    def can_follow(self, part: int, standing: int) -> bool:
        return any(self.leads_on(part, standing | spot.mask) for spot in self.candidates(part, standing))


def _parts(board: Board, city: City, card: Card) -> _Parts:
    return _Parts(board, city, card, [_beside(board, city, need) for need in card.needs])


def _reach(touch: int, area: int, most: int, stride: int) -> list[int]:
    """The cells within 0, 1, … free cells of those that touch."""
    cells = touch & area
    boards = [cells]
    for _ in range(most):
        cells |= near(cells, stride) & area
        boards.append(cells)
    return boards
