"""One subscription a process: every listener hears of its match, and after a break everybody looks again."""

from __future__ import annotations

import asyncio
import os
import signal

import pytest

from infra.embedded.bundled import Embedded
from infra.store.eventstore import EventStore
from infra.store.redis import connect
from infra.store.watch import Watch

pytestmark = pytest.mark.anyio


@pytest.fixture
async def watch(client):
    watch = Watch(client)
    yield watch
    await watch.aclose()


async def _soon(awaitable):
    async with asyncio.timeout(5):
        return await awaitable


async def test_a_listener_hears_of_its_match_only(watch, client):
    store = EventStore(client)
    async with watch.listen("mine") as notices, watch.listen("other") as others:
        assert await _soon(notices) == 0  # the subscription has begun
        assert await _soon(others) == 0
        await store.append("mine", 0, [b"a", b"b"])
        assert await _soon(notices) == 2
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await others
    await store.aclose()


async def test_a_slow_listener_gets_the_newest_once(watch, client):
    store = EventStore(client)
    async with watch.listen("m") as slow, watch.listen("m") as quick:
        await _soon(slow)
        await _soon(quick)
        for n in range(3):
            await store.append("m", n, [b"a"])
            while await _soon(quick) != n + 1:
                pass
        assert await _soon(slow) == 3
    await store.aclose()


async def test_nobody_is_remembered_after_leaving(watch):
    async with watch.listen("m"):
        async with watch.listen("m"), watch.listen("n"):
            assert watch.listeners() == 3
        assert watch.listeners() == 1
    assert watch.listeners() == 0


@pytest.mark.fault
async def test_everybody_is_woken_when_the_store_comes_back(tmp_path):
    with Embedded(tmp_path) as server:
        client = connect(server.url)
        watch = Watch(client)
        async with watch.listen("m") as notices:
            await _soon(notices)
            os.kill(server.pid, signal.SIGKILL)
            await asyncio.to_thread(server.restart)
            await _soon(notices)
            await EventStore(client).append("m", 0, [b"a"])
            assert await _soon(notices) == 1
        await watch.aclose()
        await client.aclose()
