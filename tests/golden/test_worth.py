"""Bots play as well as docs/strength.md says as long as their hints think what they thought."""

import pytest

from engine import registry
from tests.golden.worth import kept, worth


@pytest.mark.parametrize("key", registry.GAMES)
def test_positions_are_worth_what_they_were(key: str) -> None:
    known, now = kept().get(key, {}), worth(registry.game(key))
    assert now.keys() == known.keys(), "a new game, or other logs: `make golden`"
    for log, sums in known.items():
        assert now[log] == pytest.approx(sums, rel=1e-6, abs=0.002), (
            "hints have changed: measure again what docs/strength.md says, then `make golden`"
        )
