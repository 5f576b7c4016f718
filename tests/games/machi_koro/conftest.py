"""Random matches that several tests look at."""

import pytest

from engine.games.machi_koro import GAME
from engine.games.machi_koro.model import Options
from tests.games.playing import Step, steps

EVERY_OPTION = [
    Options(supply=supply, copy_limit=limit, first_seat=first)
    for supply in ("full", "ten")
    for limit in (None, 2)
    for first in (None, 1)
]


@pytest.fixture(scope="session")
def played() -> list[list[Step]]:
    """One match for every number of seats and option."""
    return [
        list(steps(GAME, seats, options, seed))
        for seed, (seats, options) in enumerate((s, o) for s in (2, 3, 4) for o in EVERY_OPTION)
    ]
