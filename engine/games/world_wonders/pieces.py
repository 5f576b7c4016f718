"""Pieces and where they can lie: every turned position on a map, worked out once (WW-15, WW-16).

A position is named by its anchor, the first cell that the piece covers, row by row. All anchors of one turn
form a bit board, so "where does it fit" is a few shifts of whole boards, not a search.
"""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from engine.games.world_wonders.grid import Grid, box, near, to_cells
from engine.games.world_wonders.model import (
    Cell,
    Place,
)

ON_LAND, ON_WATER, ON_ANY, GAP = "L", "W", "A", "G"
Pattern = tuple[str, ...]


class Spot(NamedTuple):
    """One position of a piece on the map."""

    action: Place
    mask: int
    halo: int  # the cells around it
    cells: tuple[Cell, ...]


class Spots(dict[int, Spot]):
    """The positions of one turn by anchor, each made when it is first asked for."""

    def __init__(self, word: str, rot: int, corner: Cell, shape: int, on: Grid) -> None:
        super().__init__()
        self._piece = word, rot, corner, shape
        self._on = on

    def __missing__(self, anchor: int) -> Spot:
        word, rot, (dx, dy), shape = self._piece
        stride = self._on.stride
        at = anchor.bit_length() - 1
        y, x = divmod(at, stride)
        mask = shape << at
        halo = near(mask, stride) & ~mask & self._on.cells
        spot = Spot(place(word, x - dx, y - dy, rot), mask, halo, to_cells(mask, stride))
        self[anchor] = spot
        return spot


class Form(NamedTuple):
    """A piece in one of its four turns, on one map."""

    rot: int
    dx: int  # from the corner of the turned pattern to the anchor
    dy: int
    shape: int  # the cells, for the anchor at bit 0
    steps: tuple[int, ...]  # how a board is joined over all cells of the piece: see `steps_for`
    extras: tuple[int, ...]
    room: int  # anchors where every cell and every gap lies on the map
    ground: int  # … and the terrain is right
    own: int  # … and no smaller turn covers the same cells (WW-16)
    spots: Spots  # by anchor, for the anchors of `own`


class Piece(NamedTuple):
    word: str  # what `place` calls it
    size: int
    turns: tuple[Form, ...]  # all four, to judge an action
    forms: tuple[Form, ...]  # those that ever differ, to list actions
    area: int  # cells of the map that it may cover at all


def turned(pattern: Pattern) -> Pattern:
    """WW-15: one quarter turn clockwise.

    >>> turned(("LG", "L."))
    ('LL', '.G')
    """
    return tuple("".join(row[x] for row in reversed(pattern)) for x in range(len(pattern[0])))


def piece(word: str, pattern: Pattern, on: Grid) -> Piece:
    """All that can be known of a piece on this map before anything lies there."""
    turns: list[Form] = []
    for rot in range(4):
        turns.append(_form(word, rot, pattern, on, turns))
        pattern = turned(pattern)
    grounds = {letter for row in pattern for letter in row}
    area = (on.land if grounds & {ON_LAND, ON_ANY} else 0) | (on.water if grounds & {ON_WATER, ON_ANY} else 0)
    forms = tuple(form for form in turns if form.own)
    size = sum(letter not in ("." + GAP) for row in pattern for letter in row)
    return Piece(word, size, tuple(turns), forms, area)


def _form(word: str, rot: int, pattern: Pattern, on: Grid, smaller: Sequence[Form]) -> Form:
    letters = {(x, y): sign for y, row in enumerate(pattern) for x, sign in enumerate(row) if sign != "."}
    covered = [cell for cell, sign in letters.items() if sign != GAP]
    dx, dy = covered[0]
    offsets = tuple((y - dy) * on.stride + x - dx for x, y in covered)
    room = _room([(x - dx, y - dy) for x, y in letters], on)
    if not room:  # wider or higher than the map
        return Form(rot, dx, dy, 0, (), (), 0, 0, 0, Spots(word, rot, (dx, dy), 0, on))
    ground = room
    for cell, offset in zip(covered, offsets, strict=True):
        ground &= _terrain(on, letters[cell]) >> offset
    shape = sum(1 << offset for offset in offsets)
    own = ground
    for form in smaller:
        if form.shape == shape:
            own &= ~form.ground
    spots = Spots(word, rot, (dx, dy), shape, on)
    return Form(rot, dx, dy, shape, *steps_for(offsets), room, ground, own, spots)


@cache
def steps_for(offsets: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """How to join a board over the cells of a piece with the fewest shifts.

    Each step joins what is joined so far with itself, so a row of four takes two steps; extras are cells that
    no step reaches.

    >>> steps_for((0, 1, 2, 3)), steps_for((0, 1, 13, 14, 26))
    (((1, 2), ()), ((1, 13), (26,)))
    """

    def grow(reached: frozenset[int], steps: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        best = steps, tuple(offset for offset in offsets if offset not in reached)
        for step in offsets[1:]:
            wider = reached | {offset + step for offset in reached}
            if reached < wider <= cells:
                found = grow(wider, (*steps, step))
                if len(found[0]) + len(found[1]) < len(best[0]) + len(best[1]):
                    best = found
        return best

    cells = frozenset(offsets)
    return grow(frozenset({0}), ())


def _terrain(on: Grid, letter: str) -> int:
    """WW-71."""
    return {ON_LAND: on.land, ON_WATER: on.water, ON_ANY: on.cells}[letter]


def _room(cells: Sequence[Cell], on: Grid) -> int:
    """Anchors for which all these cells, counted from the anchor, lie on the map."""
    left, top = max(-x for x, _ in cells), max(-y for _, y in cells)
    right, low = on.width - max(x for x, _ in cells), on.height - max(y for _, y in cells)
    return box(on.stride, left, top, right - left, low - top)


@cache
def place(word: str, x: int, y: int, rot: int) -> Place:
    """One record for each action there is, shared by all maps and shapes."""
    return Place(word, x, y, rot)
