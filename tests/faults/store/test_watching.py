"""The store is killed while people watch: their streams stay, and they hear of what comes after it."""

import asyncio
import os
import signal

import pytest

from infra.embedded.bundled import Embedded
from infra.process.settings import Settings
from service.api.app import create_app
from service.api.frame.serving import server
from service.bench.watchers import all_heard, watch
from service.bootstrap import wire
from service.commands import tables
from service.commands.records import OpenMatch, Sit

pytestmark = [pytest.mark.anyio, pytest.mark.fault]


async def test_watchers_outlive_the_store(tmp_path):
    with Embedded(tmp_path) as store:
        deps = wire(Settings(data=tmp_path, given_secret="a secret of tests"), store.url)
        running = server(create_app(deps), "127.0.0.1", 0)
        task = asyncio.create_task(running.serve())
        while not running.started:  # noqa: ASYNC110 - the server tells nobody
            await asyncio.sleep(0.01)
        port = running.servers[0].sockets[0].getsockname()[1]
        seats = ({"kind": "me"}, {"kind": "open"}, {"kind": "open"})
        match = await tables.open_match(deps, OpenMatch(who="account:a", game="machi-koro", seats=seats))
        crowd = await watch(port, match.id, match.seq, 20)
        os.kill(store.pid, signal.SIGKILL)
        await asyncio.sleep(0.2)
        await asyncio.to_thread(store.restart)
        match = await tables.sit(deps, Sit(who="account:b", match=match.id, seat=1))
        await all_heard(crowd, match.seq)
        assert all(match.seq in watcher.heard and not watcher.transport.is_closing() for watcher in crowd)
        for watcher in crowd:
            watcher.transport.close()
        running.should_exit = True
        await task
