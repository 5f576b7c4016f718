"""A bot that hears no alarm takes its worker with it; the next worker lets another bot answer."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from bots.registry import BOTS
from infra.store.redis import connect_sync
from service.commands import tables
from service.commands.records import OpenMatch
from tests.deaf_worker import deaf
from workers.jobs import Jobs
from workers.relay import Pace, Relay

pytestmark = [pytest.mark.fault, pytest.mark.anyio]
PACE = Pace(sweep_s=0.05, lost_turn_s=0.5)


class Worker:
    """Started again whenever it ends, as `turnlog up` does."""

    def __init__(self, url: str) -> None:
        self.url, self.starts = url, 0
        self.start()

    def start(self) -> None:
        self.starts += 1
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.deaf_worker", self.url], stderr=subprocess.DEVNULL
        )

    def look(self) -> None:
        if self.process.poll() is not None:
            self.start()

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()


@asynccontextmanager
async def relaying(deps, url: str) -> AsyncIterator[None]:
    stop = asyncio.Event()
    connection = connect_sync(url)
    task = asyncio.create_task(Relay(deps, Jobs(connection), PACE).run(stop))
    try:
        yield
    finally:
        stop.set()
        await task
        connection.close()


async def test_the_match_goes_on(deps, embedded, monkeypatch):
    monkeypatch.setitem(BOTS, "deaf", deaf)
    seats = ({"kind": "me"}, {"kind": "bot", "bot": "deaf"})
    match = await tables.open_match(deps, OpenMatch(who="account:anna", game="tides-of-time", seats=seats))
    worker = Worker(embedded.url)
    try:
        async with relaying(deps, embedded.url), asyncio.timeout(60):
            while 1 in (match := await deps.matches.now(match.id)).to_act:
                worker.look()
                await asyncio.sleep(0.05)
    finally:
        worker.stop()
    assert worker.starts == 3, "twice the bot was tried, and each time the worker was lost"
    assert match.seq == 5
