"""What every test may use: asyncio for async tests."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="session")
def anyio_backend():
    return "asyncio"
