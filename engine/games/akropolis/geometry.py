"""Hexes and where a tile lies on them (AK-05 to AK-09)."""

Spot = tuple[int, int]  # axial coordinates (q, r) of a space

DIRECTIONS: tuple[Spot, ...] = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))  # AK-06, clockwise from N
ROTATIONS = range(6)
STEPS: tuple[tuple[int, int, int, int], ...] = tuple(
    (*DIRECTIONS[turn], *DIRECTIONS[(turn + 1) % 6]) for turn in ROTATIONS
)


def covered(q: int, r: int, rotation: int) -> tuple[Spot, Spot, Spot]:
    """AK-08: the spaces under a tile's three hexes, in the order of its hexes.

    >>> covered(0, 0, 0)
    ((0, 0), (0, -1), (1, -1))
    """
    q1, r1, q2, r2 = STEPS[rotation]
    return (q, r), (q + q1, r + r1), (q + q2, r + r2)


def around(spots: set[Spot]) -> set[Spot]:
    """These spaces and all that are adjacent to one of them (AK-07)."""
    return spots | {(q + dq, r + dr) for q, r in spots for dq, dr in DIRECTIONS}
