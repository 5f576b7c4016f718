"""Random matches that several tests look at."""

import pytest

from engine.checks.variants import variants
from engine.games.babylonia import GAME
from tests.games.playing import Step, steps


@pytest.fixture(scope="session")
def played() -> list[list[Step]]:
    """One match for every number of seats and setting of the options."""
    tables = [(seats, options) for seats in GAME.players for options in variants(GAME, seats)]
    return [list(steps(GAME, seats, options, seed)) for seed, (seats, options) in enumerate(tables)]
