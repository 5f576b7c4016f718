"""What every test may use: asyncio for async tests, and a real store that starts once."""

from __future__ import annotations

import pytest

from infra.embedded import Embedded


@pytest.fixture(scope="session")
def anyio_backend():
    return "asyncio"


@pytest.fixture(scope="session")
def embedded(tmp_path_factory):
    """A real server for the whole run; tests that kill one start their own."""
    with Embedded(tmp_path_factory.mktemp("store")) as server:
        yield server
