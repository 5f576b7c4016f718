"""What every test may use: asyncio for async tests, a real store that starts once, processes wired to it."""

from __future__ import annotations

import dataclasses

import pytest
from argon2 import PasswordHasher

from infra.accounts import Accounts
from infra.bounds import Bounds
from infra.embedded import Embedded
from infra.settings import Settings
from service.bootstrap import wire
from service.names import Names


@pytest.fixture(scope="session")
def anyio_backend():
    return "asyncio"


@pytest.fixture(scope="session")
def embedded(tmp_path_factory):
    """A real server for the whole run; tests that kill one start their own."""
    with Embedded(tmp_path_factory.mktemp("store")) as server:
        yield server


@pytest.fixture
def wired(embedded, tmp_path):
    """Wire a process to the store; several share it as they would in a real house."""

    def make(**settings):
        chosen = {"data": tmp_path, "given_secret": "a secret of tests", "rate_limit": 1_000_000}
        chosen |= {"bounds": Bounds.wide()} | settings
        deps = wire(Settings(**chosen), embedded.url)
        hasher = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
        accounts = Accounts(deps.client, hasher, lambda: deps.now().timestamp())
        return dataclasses.replace(deps, accounts=accounts, names=Names(accounts))

    return make


@pytest.fixture
async def deps(wired, anyio_backend):
    deps = wired()
    await deps.client.flushall()
    yield deps
    await deps.close()
