"""Chapter 8, roads, towers and buildings: where a piece may lie.

All anchors of a turned piece are tested at once. The board of covered cells and the board that the piece
must touch are packed side by side into one integer, a lane apart; shifted by the offset of each cell of the
piece and joined, they say for every anchor whether a cell is blocked and whether a cell touches. A lane is
so wide that a shift from the next one never reaches an anchor.

`where`, `first` and `fits` (and `where` in wonders.py) repeat these few lines: nothing runs more often, and a
call for each turned piece would cost as much as its shifts.
"""

from engine.games.world_wonders.content import Board
from engine.games.world_wonders.grid import near
from engine.games.world_wonders.model import (
    City,
    Place,
)
from engine.games.world_wonders.pieces import Form, Piece, Spot

Found = list[tuple[Form, int]]  # turned pieces with the anchors where they may lie


def where(piece: Piece, covered: int, touch: int, lane: int) -> Found:
    """Every position that covers nothing and touches one of these cells (WW-60)."""
    packed = touch << lane | covered
    found = []
    for form in piece.forms:
        joined = packed
        for step in form.steps:
            joined |= joined >> step
        for extra in form.extras:
            joined |= packed >> extra
        if anchors := form.own & ~joined & joined >> lane:
            found.append((form, anchors))
    return found


def first(piece: Piece, covered: int, touch: int, lane: int) -> Spot | None:
    """The first of these positions, if there is one."""
    packed = touch << lane | covered
    for form in piece.forms:
        joined = packed
        for step in form.steps:
            joined |= joined >> step
        for extra in form.extras:
            joined |= packed >> extra
        if anchors := form.own & ~joined & joined >> lane:
            return form.spots[anchors & -anchors]
    return None


def fits(piece: Piece, covered: int, touch: int, lane: int) -> bool:
    """Whether there is one."""
    packed = touch << lane | covered
    for form in piece.forms:
        joined = packed
        for step in form.steps:
            joined |= joined >> step
        for extra in form.extras:
            joined |= packed >> extra
        if form.own & ~joined & joined >> lane:
            return True
    return False


def spots(found: Found) -> list[Spot]:
    """The positions one by one, in a stable order."""
    listed = []
    for form, anchors in found:
        known = form.spots
        while anchors:
            low = anchors & -anchors
            listed.append(known[low])
            anchors ^= low
    return listed


def actions(found: Found) -> list[Place]:
    """The same as actions."""
    return [spot.action for spot in spots(found)]


# --- what each piece must touch --------------------------------------------------------------------------


def road_fits(board: Board, city: City) -> bool:
    """WW-61, WW-62."""
    return fits(board.long_road, city.covered, city.by_link, board.lane)


def roads(board: Board, city: City) -> list[Place]:
    return actions(where(board.long_road, city.covered, city.by_link, board.lane))


def first_roads(board: Board, city: City) -> list[Place]:
    """WW-30."""
    return actions(where(board.long_road, city.covered, board.on.bottom, board.lane))


def tower_fits(board: Board, city: City) -> bool:
    """WW-66: beside any object; the sidewalk is none."""
    return fits(board.tower, city.covered, near(city.covered, board.on.stride), board.lane)


def towers(board: Board, city: City) -> list[Place]:
    return actions(where(board.tower, city.covered, near(city.covered, board.on.stride), board.lane))


def building_fits(board: Board, city: City, piece: Piece, kind: int) -> bool:
    """WW-67: beside a road or a building of this kind."""
    return fits(piece, city.covered, city.by_road | city.by_kind[kind], board.lane)


def buildings(board: Board, city: City, piece: Piece, kind: int) -> list[Place]:
    return actions(where(piece, city.covered, city.by_road | city.by_kind[kind], board.lane))


# --- sets of short roads (WW-65) -------------------------------------------------------------------------


def set_fits(board: Board, covered: int, link: int, pieces: tuple[str, ...]) -> bool:
    """Whether all these pieces can be placed one after another, each joining what lies then."""
    if _first_come(board, covered, link, pieces):
        return True
    if len(pieces) < 2:
        return False
    for word in dict.fromkeys(pieces):
        rest = without(pieces, word)
        for spot in spots(where(board.shorts[word], covered, link, board.lane)):
            if set_fits(board, covered | spot.mask, link | spot.halo, rest):
                return True
    return False


def _first_come(board: Board, covered: int, link: int, pieces: tuple[str, ...]) -> int:
    """The cells taken if each piece simply takes the first position there is; none if one finds none."""
    lane, before = board.lane, covered
    for word in pieces:
        spot = first(board.shorts[word], covered, link, lane)
        if spot is None:
            return 0
        covered |= spot.mask
        link |= spot.halo
    return covered ^ before


def shorts(board: Board, city: City, pieces: tuple[str, ...]) -> list[Place]:
    """Every position of every piece that is due, if the others can still follow."""
    listed: list[Place] = []
    for word in dict.fromkeys(pieces):
        found = where(board.shorts[word], city.covered, city.by_link, board.lane)
        rest = without(pieces, word)
        listed += _followed(board, city, spots(found), rest) if rest else actions(found)
    return listed


def _followed(board: Board, city: City, places: list[Spot], rest: tuple[str, ...]) -> list[Place]:
    """Two ways to place the rest, known beforehand, vouch for every position that leaves one of them alone.

    A road takes away nothing but its cells, since whatever could join before can still join.
    """
    covered, link = city.covered, city.by_link
    one = _first_come(board, covered, link, rest)
    other = one and _first_come(board, covered | one, link, rest)
    return [
        spot.action
        for spot in places
        if (one and not one & spot.mask)
        or (other and not other & spot.mask)
        or set_fits(board, covered | spot.mask, link | spot.halo, rest)
    ]


def followed(board: Board, city: City, spot: Spot, rest: tuple[str, ...]) -> bool:
    """Whether the rest of a set can be placed after this piece."""
    return set_fits(board, city.covered | spot.mask, city.by_link | spot.halo, rest)


def without(pieces: tuple[str, ...], word: str) -> tuple[str, ...]:
    at = pieces.index(word)
    return pieces[:at] + pieces[at + 1 :]
