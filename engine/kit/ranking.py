"""Places and winners from scores and tie-breaks."""

from collections.abc import Sequence
from typing import Any


def places(keys: Sequence[Any]) -> tuple[int, ...]:
    """Competition ranking, highest key first: equal keys share a place (1, 2, 2, 4).

    >>> places([7, 9, 7, 1])
    (2, 1, 2, 4)
    """
    return tuple(1 + sum(other > key for other in keys) for key in keys)


def winners(ranks: Sequence[int]) -> tuple[int, ...]:
    """The seats in first place."""
    return tuple(seat for seat, place in enumerate(ranks) if place == 1)
