"""A city map as bit boards: one integer for each layer, one bit for each cell (WW-10 to WW-12).

A row takes one bit more than the map is wide. That bit is never set in a layer, so a shift by one cell
cannot carry a piece around the border into the next row.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

LAND, WEALTH, WATER = ".", "*", "~"


class Grid(NamedTuple):
    width: int
    height: int
    stride: int
    cells: int  # the whole map
    plain: int
    wealth: int
    water: int
    land: int  # plain and wealth (WW-12)
    bottom: int  # the row along the sidewalk
    rim: int  # outermost rows and columns (WW-150, kind 1)
    edge: int  # left, right and top: the map edge (WW-10)


def grid(rows: Sequence[str]) -> Grid:
    """The layers of a map drawn row by row, top row first."""
    width, height, stride = len(rows[0]), len(rows), len(rows[0]) + 1
    plain, wealth, water = (_layer(rows, stride, sign) for sign in (LAND, WEALTH, WATER))
    top, bottom = box(stride, 0, 0, width, 1), box(stride, 0, height - 1, width, 1)
    sides = box(stride, 0, 0, 1, height) | box(stride, width - 1, 0, 1, height)
    return Grid(
        width=width,
        height=height,
        stride=stride,
        cells=box(stride, 0, 0, width, height),
        plain=plain,
        wealth=wealth,
        water=water,
        land=plain | wealth,
        bottom=bottom,
        rim=top | sides | bottom,
        edge=top | sides,
    )


def _layer(rows: Sequence[str], stride: int, sign: str) -> int:
    return sum(
        1 << (y * stride + x) for y, row in enumerate(rows) for x, found in enumerate(row) if found == sign
    )


def box(stride: int, x: int, y: int, width: int, height: int) -> int:
    """A full rectangle; empty if it has no width or no height."""
    if width <= 0 or height <= 0:
        return 0
    row = ((1 << width) - 1) << x
    return sum(row << (line * stride) for line in range(y, y + height))


def near(cells: int, stride: int) -> int:
    """WW-11: what shares a side with one of these cells, these cells themselves included where they touch.

    Bits outside the map may be set; whoever counts them masks them first.
    """
    return cells << 1 | cells >> 1 | cells << stride | cells >> stride


def union(boards: Iterable[int]) -> int:
    joined = 0
    for board in boards:
        joined |= board
    return joined


def bits(cells: int) -> Iterator[int]:
    """The single cells of a board, lowest first."""
    while cells:
        low = cells & -cells
        yield low
        cells ^= low


def flood(seed: int, area: int, stride: int) -> int:
    """Every cell of the area that is connected with the seed."""
    reached, grown = 0, seed & area
    while grown != reached:
        reached = grown
        grown |= (grown << 1 | grown >> 1 | grown << stride | grown >> stride) & area
    return reached


def groups(area: int, stride: int) -> Iterator[int]:
    """The connected parts of an area."""
    while area:
        group = flood(area & -area, area, stride)
        yield group
        area ^= group


def largest(area: int, stride: int) -> int:
    """The number of cells in the largest connected part."""
    return max((group.bit_count() for group in groups(area, stride)), default=0)


def to_cells(cells: int, stride: int) -> tuple[tuple[int, int], ...]:
    """A board as pairs [x, y], row by row."""
    return tuple((at % stride, at // stride) for at in (low.bit_length() - 1 for low in bits(cells)))


def to_mask(cells: Iterable[Sequence[int]], stride: int) -> int:
    """The inverse of `to_cells`."""
    mask = 0
    for x, y in cells:
        mask |= 1 << (y * stride + x)
    return mask


@lru_cache(maxsize=16384)
def mask_of(cells: tuple[tuple[int, int], ...], stride: int) -> int:
    """`to_mask`, remembered: the same positions come up again and again."""
    return to_mask(cells, stride)
