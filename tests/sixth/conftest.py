"""A game that nobody knows: for each test here it is on the list, and nothing else is told of it."""

from __future__ import annotations

import pytest

from engine import registry
from tests.integration.api.conftest import guest, house, rng
from tests.sixth.registered import KEY, registered

__all__ = ["guest", "house", "rng"]


collect_ignore = ["games", "site"]  # for other processes: whoever imports it has a sixth game for good


@pytest.fixture(autouse=True)
def sixth():
    with registered():
        yield registry.game(KEY)
