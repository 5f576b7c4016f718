"""The event store on a real server with fsync always: appends, reads, and what the server itself could do."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from tempfile import TemporaryDirectory

from engine.log import load
from infra.embedded.bundled import Embedded
from infra.store.eventstore import EventStore
from infra.store.redis import connect
from service.bench import raw
from service.bench.long_log import long_log
from service.bench.measure import Probe

EVENT = b"x" * 300
IN_FLIGHT = 64
MATCHES = 256
LONG = 1000


@contextmanager
def probes() -> Iterator[list[Probe]]:
    with TemporaryDirectory() as folder, Embedded(folder) as server:
        url = server.url
        yield [
            Probe("append, one at a time", "events/s", lambda s: asyncio.run(_append(url, s, 1))),
            Probe(
                f"append, {IN_FLIGHT} in flight",
                "events/s",
                lambda s: asyncio.run(_append(url, s, IN_FLIGHT)),
            ),
            Probe(f"append, {IN_FLIGHT} in flight / raw clients", "ratio", lambda s: _share(url, s), 0.6),
            Probe("raw: the same script by 50 bare sockets", "events/s", lambda s: raw.appends(url, s)),
            Probe(f"read and decode {LONG} events", "ms", lambda s: _read(url, s, False), 4.9, True),
            Probe(f"read and fold a match of {LONG} events", "ms", lambda s: _read(url, s, True), 9.8, True),
        ]


async def _append(url: str, seconds: float, in_flight: int) -> float:
    """Wall time: the server has a core of its own."""
    client = connect(url)
    store = EventStore(client)
    stamp = time.time_ns()
    started = time.perf_counter()
    deadline = started + seconds

    async def writer(number: int) -> int:
        heads = [0] * max(1, MATCHES // in_flight)
        for n in count():
            if time.perf_counter() > deadline:
                return n
            which = n % len(heads)
            heads[which] = (await store.append(f"b{stamp}-{number}-{which}", heads[which], [EVENT])).seq
        raise AssertionError("unreachable")

    done = sum(await asyncio.gather(*(writer(n) for n in range(in_flight))))
    spent = time.perf_counter() - started
    await client.aclose()
    return done / spent


def _share(url: str, seconds: float) -> float:
    ours = asyncio.run(_append(url, seconds / 2, IN_FLIGHT))
    return ours / raw.appends(url, seconds / 2)


def _read(url: str, seconds: float, fold: bool) -> float:
    return asyncio.run(_timed_read(url, seconds, fold))


async def _timed_read(url: str, seconds: float, fold: bool) -> float:
    client = connect(url)
    store = EventStore(client)
    lines = long_log(LONG)
    ident = f"r{time.time_ns()}"
    await store.append(ident, 0, lines)
    spent: list[float] = []
    deadline = time.perf_counter() + seconds
    while time.perf_counter() < deadline:
        started = time.perf_counter()
        found = await store.read(ident)
        if fold:
            load(found)
        spent.append((time.perf_counter() - started) * 1000)
    await client.aclose()
    return sorted(spent)[len(spent) // 2]
