"""Placements as lists of actions. A random match lists some ten thousand of them, so they are ready-made."""

from operator import add

from engine.games.babylonia.content import HEXES, KINDS, SIZE, cells
from engine.games.babylonia.model import Action, Place

PLACES = tuple(tuple(Place(kind, at) for kind in KINDS) for at in HEXES)  # by hex and kind
_BYTES = (SIZE + 7) // 8
FEW = 8  # hexes that are listed sooner one by one


def listed(kinds: int, where: int) -> list[Action]:
    """Every placement of some kinds (a set: kind k is bit k) on some hexes, in canonical order."""
    pieces = _PIECES[kinds]
    if where.bit_count() < FEW:
        return [PLACES[number][kind] for number in cells(where) for kind in pieces.kinds]
    found: list[Action] = []
    for key in map(add, where.to_bytes(_BYTES, "big"), _OFFSETS):
        found += pieces[key]
    return found


_OFFSETS = range(0, _BYTES << 8, 1 << 8)


class _Pieces(dict[int, tuple[Place, ...]]):
    """Placements on eight hexes in a row, by which eight and which of them; made when first asked for."""

    def __init__(self, kinds: int) -> None:
        self.kinds = [kind for kind in range(len(KINDS)) if kinds >> kind & 1]

    def __missing__(self, key: int) -> tuple[Place, ...]:
        chunk, byte = divmod(key, 1 << 8)
        where = byte << 8 * (_BYTES - 1 - chunk)
        made = tuple(PLACES[number][kind] for number in cells(where) for kind in self.kinds)
        return self.setdefault(key, made)


_PIECES = [_Pieces(kinds) for kinds in range(1 << len(KINDS))]
