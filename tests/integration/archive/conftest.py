"""Finished matches, the archivist, and a shelf of either kind."""

import dataclasses
from datetime import UTC, datetime, timedelta

import pytest

from infra.archive.archive import Archive
from infra.archive.s3 import S3
from infra.archive.shelf import Folder
from infra.store.beside import BesideLogs
from infra.store.eventstore import EventStore
from service.memory.clocks import Clocks
from service.memory.matches import Matches
from tests.integration.api.conftest import open_house, rng, rules
from tests.shelves import BUCKET, WHO, s3_server

START = datetime(2026, 11, 16, 9, tzinfo=UTC)


@pytest.fixture(scope="session")
def s3_url(tmp_path_factory):
    with s3_server(tmp_path_factory.mktemp("s3") / "buckets") as url:
        yield url


@pytest.fixture(params=["folder", "s3"])
def shelf(request, tmp_path):
    if request.param == "folder":
        return Folder(tmp_path / "shelf")
    return S3(request.getfixturevalue("s3_url"), f"{BUCKET}/{tmp_path.name}", WHO)


def on_shelf(deps, shelf, now=None):
    """The same house with its archive on that shelf, and nothing in memory."""
    archive = Archive(deps.client, shelf)
    store = EventStore(deps.client, elsewhere=archive)
    beside = BesideLogs(deps.client, archive)
    matches = Matches(store, beside)
    clocks = Clocks(store, deps.profiles, matches)
    more = {} if now is None else {"now": now}
    return dataclasses.replace(
        deps, archive=archive, store=store, beside=beside, matches=matches, clocks=clocks, **more
    )


class Calendar:
    def __init__(self):
        self.now = START

    def __call__(self):
        return self.now

    def on(self, **delta):
        self.now += timedelta(**delta)


@pytest.fixture
def calendar():
    return Calendar()


@pytest.fixture
async def archived_house(deps, shelf, calendar):
    async with open_house(on_shelf(deps, shelf, calendar)) as house:
        yield house


__all__ = ["open_house", "rng", "rules"]
