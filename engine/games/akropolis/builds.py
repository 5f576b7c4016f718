"""The legal builds of a seat as a sequence that is never written out unless somebody wants all of it.

They are every affordable slot combined with every legal placement (AK-32): some hundred at least. Their
number, one of them, or whether one is among them costs a few operations on an integer.
"""

from collections.abc import Iterator, Sequence
from typing import overload

from engine.games.akropolis.frame import Frame
from engine.games.akropolis.geometry import ROTATIONS
from engine.games.akropolis.model import Build

_BITS = [tuple(bit for bit in range(8) if byte >> bit & 1) for byte in range(256)]
_MAX_POWER = 17  # 2**17 bits hold all placements of the largest window
# Halved down to 32 bits: among those, walking is faster.
_HALVES = [(1 << k, (1 << (1 << k)) - 1) for k in range(_MAX_POWER - 1, 4, -1)]


def bits(board: int) -> Iterator[int]:
    """The positions of the bits, ascending."""
    for at, byte in enumerate(board.to_bytes((board.bit_length() + 7) // 8, "little")):
        if byte:
            for bit in _BITS[byte]:
                yield 8 * at + bit


def nth_bit(board: int, n: int) -> int:
    """The position of bit number n, counted from 0.

    >>> nth_bit(0b10110, 2)
    4
    """
    at = 0
    for width, mask in _HALVES[_MAX_POWER - (board.bit_length() - 1).bit_length() :]:
        low = board & mask
        count = low.bit_count()
        if n < count:
            board = low
        else:
            n -= count
            board >>= width
            at += width
    for _ in range(n):
        board &= board - 1
    return at + (board & -board).bit_length() - 1


class Choices(Sequence[Build]):
    """Ascending by (slot, q, r, rotation)."""

    __slots__ = ("_board", "_frame", "_places", "_slots")

    def __init__(self, slots: int, board: int, frame: Frame) -> None:
        self._slots = slots
        self._board = board
        self._frame = frame
        self._places = board.bit_count()

    def __len__(self) -> int:
        return self._slots * self._places

    @overload
    def __getitem__(self, at: int) -> Build: ...
    @overload
    def __getitem__(self, at: slice) -> list[Build]: ...
    def __getitem__(self, at: int | slice) -> Build | list[Build]:
        if isinstance(at, slice):
            return list(self)[at]
        size = self._slots * self._places
        if at < 0:
            at += size
        if not 0 <= at < size:
            raise IndexError(at)
        frame = self._frame
        slot, number = divmod(at, self._places)
        spot, turn = divmod(nth_bit(self._board, number), 6)
        q, r = divmod(spot, frame.stride)
        return Build(slot, q - frame.radius, r - frame.radius, turn)

    def __iter__(self) -> Iterator[Build]:
        radius, stride = self._frame.radius, self._frame.stride
        spots = [(*divmod(bit // 6, stride), bit % 6) for bit in bits(self._board)]
        places = [(q - radius, r - radius, turn) for q, r, turn in spots]
        return (Build(slot, q, r, turn) for slot in range(self._slots) for q, r, turn in places)

    def __contains__(self, item: object) -> bool:
        if not isinstance(item, Build) or not 0 <= item.slot < self._slots or item.rotation not in ROTATIONS:
            return False
        bit = self._frame.bit(item.q, item.r, item.rotation)
        return bit is not None and bool(self._board >> bit & 1)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Sequence)
            and len(self) == len(other)
            and all(a == b for a, b in zip(self, other, strict=True))
        )

    __hash__ = None  # type: ignore[assignment] # as with a list: it is compared by its items

    def __repr__(self) -> str:
        return f"Choices({self._slots} slots x {self._places} placements)"
