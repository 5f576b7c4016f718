"""Random matches that several tests look at."""

from collections.abc import Iterator

import pytest

from engine.games.world_wonders import GAME
from engine.games.world_wonders.model import Options
from tests.games.playing import Step, steps


def tables() -> Iterator[tuple[int, Options]]:
    """Every number of seats with both maps and boards, with and without goals, both solo modes."""
    for seats in range(1, 6):
        for side in ("A", "B"):
            for more in (False, True):
                yield (
                    seats,
                    Options(
                        map_side=side,  # type: ignore[arg-type]
                        resource_side="B" if more else "A",
                        advanced=more and seats > 1,
                        solo_mode="hard" if more and seats == 1 else "easy",
                        voluntary_leave=more and side == "B",
                    ),
                )


@pytest.fixture(scope="session")
def played() -> list[list[Step]]:
    """Three matches for each of them."""
    return [
        list(steps(GAME, seats, options, seed)) for seed, (seats, options) in enumerate(3 * list(tables()))
    ]
