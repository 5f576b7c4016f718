"""The store killed with -9 under load: every acknowledged event is there, at its seq, once."""

from __future__ import annotations

import asyncio
import os
import signal

import pytest

from infra.embedded.bundled import Embedded
from infra.store.eventstore import Cmd, Conflict, EventStore, StoreUnavailable
from infra.store.outbox import Outbox
from infra.store.redis import connect

pytestmark = [pytest.mark.anyio, pytest.mark.fault]

WRITERS = 8
KILLS = 3


class Writer:
    """Appends to a log of its own and to one that all share, and notes what was acknowledged."""

    def __init__(self, number: int, store: EventStore) -> None:
        self.number = number
        self.store = store
        self.tried = 0
        self.acknowledged: list[tuple[str, int, bytes]] = []

    async def write(self, stop: asyncio.Event) -> None:
        while not stop.is_set():
            for match in (f"own{self.number}", "shared"):
                self.tried += 1
                await self._insist(match, f"{self.number}-{self.tried}")

    async def _insist(self, match: str, key: str) -> None:
        """Try until it is acknowledged, always under the same command key."""
        event = f"{key} {'x' * 300}".encode()
        while True:
            try:
                expected = await self.store.length(match)
                done = await self.store.append(match, expected, [event], cmd=Cmd("writer", key, "d"))
            except (Conflict, StoreUnavailable):
                await asyncio.sleep(0.005)
                continue
            self.acknowledged.append((match, done.seq, event))
            return


async def _kill_and_restart(server: Embedded) -> None:
    for _ in range(KILLS):
        await asyncio.sleep(0.3)
        os.kill(server.pid, signal.SIGKILL)
        await asyncio.to_thread(server.restart)
    await asyncio.sleep(0.2)


async def _load(server: Embedded) -> list[Writer]:
    clients = [connect(server.url) for _ in range(3)]
    writers = [Writer(n, EventStore(clients[n % 3])) for n in range(WRITERS)]
    stop = asyncio.Event()
    async with asyncio.timeout(60), asyncio.TaskGroup() as group:
        for writer in writers:
            group.create_task(writer.write(stop))
        await _kill_and_restart(server)
        stop.set()
    for client in clients:
        await client.aclose()
    return writers


async def test_no_acknowledged_event_is_lost_or_doubled(tmp_path):
    with Embedded(tmp_path) as server:
        writers = await _load(server)
        client = connect(server.url)
        store = EventStore(client)
        logs = {match: await store.read(match) async for match in store.matches()}
        acknowledged = [note for writer in writers for note in writer.acknowledged]
        assert len(acknowledged) > 20
        for match, seq, event in acknowledged:
            assert logs[match][seq - 1] == event
        assert sum(map(len, logs.values())) == len(acknowledged)  # nothing twice, nothing beside
        await _check_outbox(client, logs)
        await client.aclose()


async def _check_outbox(client, logs):
    outbox = Outbox(client)
    await outbox.ensure_groups()
    announced = [(entry.match, entry.last) for entry in await outbox.take("relay", 0, 100_000)]
    expected = [(match, seq + 1) for match, log in logs.items() for seq in range(len(log))]
    assert sorted(announced) == sorted(expected)


async def test_everybody_hears_that_the_store_is_gone(tmp_path):
    with Embedded(tmp_path) as server:
        client = connect(server.url)
        store = EventStore(client)
        await store.append("m", 0, [b"a"])
        os.kill(server.pid, signal.SIGKILL)
        tries = [store.append(f"m{n}", 0, [b"a"]) for n in range(5)]
        answers = await asyncio.gather(*tries, store.read("m"), store.length("m"), return_exceptions=True)
        assert {type(answer) for answer in answers} == {StoreUnavailable}
        await asyncio.to_thread(server.restart)
        assert await store.read("m") == [b"a"]
        assert (await store.append("m", 1, [b"b"])).seq == 2
        await client.aclose()


async def test_a_torn_tail_costs_only_what_was_never_whole(tmp_path):
    with Embedded(tmp_path) as server:
        client = connect(server.url)
        store = EventStore(client)
        for seq in range(5):
            await store.append("m", seq, [b"event %d" % seq])
        await client.aclose()
    (log,) = (tmp_path / "store/appendonlydir").glob("*.incr.aof")
    os.truncate(log, log.stat().st_size - 10)
    with Embedded(tmp_path) as server:
        client = connect(server.url)
        store = EventStore(client)
        assert await store.read("m") == [b"event %d" % seq for seq in range(4)]
        assert (await store.append("m", 4, [b"again"])).seq == 5
        await client.aclose()
