"""What every test may use: asyncio for async tests, a real store that starts once, processes wired to it."""

from __future__ import annotations

import dataclasses
import os

import pytest
from argon2 import PasswordHasher
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis

from infra.embedded.bundled import Embedded
from infra.people.accounts import Accounts
from infra.process.bounds import Bounds
from infra.process.settings import Settings
from infra.store.redis import connect_sync
from service.bootstrap import wire
from service.memory.names import Names
from tests.clusters import Cluster
from tests.house import STORE


def pytest_addoption(parser):
    parser.addoption(
        "--on-cluster", action="store_true", help="keep matches on a real cluster of six servers"
    )


def pytest_xdist_auto_num_workers():
    """Half of the time tests wait for servers, browsers and back-offs: one more worker than cores."""
    return (os.cpu_count() or 1) + 1


def pytest_collection_modifyitems(config, items):
    """On a cluster everything runs that depends on where matches are kept, and nothing else once more."""
    if config.getoption("--on-cluster"):
        again = [item for item in items if _depends_on_the_store(item)]
        config.hook.pytest_deselected(items=[item for item in items if item not in again])
        items[:] = again


def _depends_on_the_store(item):
    kind = item.callspec.params.get("client") if hasattr(item, "callspec") else None
    return kind in (None, "cluster") and not item.get_closest_marker("single")


# How long an example takes says how busy the machine is, not whether the code is right.
hypothesis.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
hypothesis.load_profile("busy")


def pytest_ignore_collect(collection_path):
    """Examples in docstrings are the house's own; what helps tests is imported by them, not collected."""
    helper = collection_path.suffix == ".py" and not collection_path.name.startswith("test_")
    return True if helper else None


@pytest.fixture(scope="session")
def anyio_backend():
    return "asyncio"


@pytest.fixture(scope="session")
def embedded(tmp_path_factory):
    """A real server for the whole run; tests that kill one start their own."""
    with Embedded(tmp_path_factory.mktemp("store")) as server:
        yield server


@pytest.fixture(scope="session")
def store_url(request, embedded, tmp_path_factory):
    """Where matches are kept: the embedded server, or with `--on-cluster` a cluster of six."""
    if not request.config.getoption("--on-cluster"):
        yield embedded.url
        return
    with Cluster(tmp_path_factory.mktemp("cluster")) as cluster:
        os.environ[STORE] = cluster.url  # for houses that are started as processes
        yield cluster.url
        del os.environ[STORE]


@pytest.fixture(scope="session", autouse=True)
def on_cluster(request):
    """Houses of their own are on the cluster, too."""
    if request.config.getoption("--on-cluster"):
        request.getfixturevalue("store_url")


@pytest.fixture
def wired(store_url, tmp_path):
    """Wire a process to the store; several share it as they would in a real house."""

    def make(**settings):
        chosen = {"data": tmp_path, "given_secret": "a secret of tests", "rate_limit": 1_000_000}
        chosen |= {"bounds": Bounds.wide()} | settings
        deps = wire(Settings(**chosen), store_url)
        hasher = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
        accounts = Accounts(deps.client, hasher, lambda: deps.now().timestamp())
        return dataclasses.replace(deps, accounts=accounts, names=Names(accounts))

    return make


@pytest.fixture
async def deps(wired, store_url, embedded, anyio_backend):
    deps = wired()
    await deps.client.flushall()
    if store_url != embedded.url:  # then the embedded server is the queue of these tests
        with connect_sync(embedded.url) as queue:
            queue.flushall()
    yield deps
    await deps.close()
