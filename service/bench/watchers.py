"""Many watchers of one match on one process: who hears of an event, and how long after it was sent.

The watchers live in this process and take their share of the machine, so the delays are upper figures. They
count from the moment at which the action is sent, the engine and the disk included.
"""

import asyncio
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from infra.embedded.bundled import Embedded
from infra.process.limits import raise_open_files
from service.bench.api import Api, Table, running_api
from service.bench.measure import Probe

WATCHERS = 5000
EVENTS = 20
PAUSE_S = 1.0
TOGETHER = 50  # connections that are made at once
PATIENCE_S = 30.0
SPARE_FILES = 200
EVENT = re.compile(rb"id: (\d+)\n")


class Watcher(asyncio.Protocol):
    """A spectator: notes when each event arrives, and throws it away."""

    def __init__(self, match: str, after: int) -> None:
        self._asked = (
            f"GET /api/matches/{match}/stream?after={after} HTTP/1.1\r\nHost: bench\r\n\r\n".encode()
        )
        self._rest = b""
        self.heard: dict[int, float] = {}
        self.ready = asyncio.get_running_loop().create_future()
        self.transport: Any = None

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        transport.write(self._asked)

    def data_received(self, data: bytes) -> None:
        now, data = time.perf_counter(), self._rest + data
        if not self.ready.done() and b": hello" in data:
            self.ready.set_result(None)
        for seq in EVENT.findall(data):
            self.heard.setdefault(int(seq), now)
        self._rest = data[data.rfind(b"\n") + 1 :]

    def connection_lost(self, error: Exception | None) -> None:
        if not self.ready.done():
            self.ready.set_exception(error or ConnectionError("the stream ended before it began"))


class Heard(NamedTuple):
    """What came of one run; delays in milliseconds, sorted."""

    expected: int
    delays: list[float]
    megabytes: float

    @property
    def share(self) -> float:
        return 100 * len(self.delays) / self.expected

    def delay(self, percent: float) -> float:
        return self.delays[min(len(self.delays) - 1, int(len(self.delays) * percent / 100))]


async def watch(port: int, match: str, after: int, count: int) -> list[Watcher]:
    """So many spectators of a match, all of them through the door."""
    loop, found = asyncio.get_running_loop(), []
    for begin in range(0, count, TOGETHER):
        batch = range(begin, min(begin + TOGETHER, count))
        made = [loop.create_connection(lambda: Watcher(match, after), "127.0.0.1", port) for _ in batch]
        some = [watcher for _, watcher in await asyncio.gather(*made)]
        async with asyncio.timeout(PATIENCE_S):
            await asyncio.gather(*(watcher.ready for watcher in some))
        found += some
    return found


async def all_heard(watchers: list[Watcher], seq: int) -> None:
    """Wait until everybody has heard of an event, or for as long as anybody would."""
    deadline = time.perf_counter() + PATIENCE_S
    missing = watchers
    while missing and time.perf_counter() < deadline:
        missing = [watcher for watcher in missing if seq not in watcher.heard]
        await asyncio.sleep(0.05)


async def measured(api: Api, count: int, events: int, pause_s: float = PAUSE_S) -> Heard:
    table = await Table.open(api.port)
    before = api.megabytes()
    watchers = await watch(api.port, table.id, table.seq, count)
    sent: dict[int, float] = {}
    for _ in range(events):
        sent[table.seq + 1] = began = time.perf_counter()
        await table.step()
        await asyncio.sleep(max(0.0, began + pause_s - time.perf_counter()))
    await all_heard(watchers, max(sent))
    used = api.megabytes() - before
    for watcher in watchers:
        watcher.transport.close()
    table.close()
    delays = sorted(
        (watcher.heard[seq] - moment) * 1000
        for watcher in watchers
        for seq, moment in sent.items()
        if seq in watcher.heard
    )
    return Heard(count * events, delays, used)


@contextmanager
def probes(count: int = WATCHERS, events: int = EVENTS) -> Iterator[list[Probe]]:
    allowed = raise_open_files()
    if 0 <= allowed < count + SPARE_FILES:
        raise OSError(f"{count} watchers need {count + SPARE_FILES} open files, and {allowed} are allowed")
    with (
        TemporaryDirectory() as folder,
        Embedded(Path(folder)) as server,
        running_api(server.url, folder) as api,
    ):
        last: list[Heard] = []

        def run(_: float) -> float:
            last[:] = [asyncio.run(measured(api, count, events))]
            return last[0].share

        yield [
            Probe(f"{count} watchers, {events} events: heard", "%", run, 100),
            Probe("delay p50", "ms", lambda _: last[0].delay(50), None, True),
            Probe("delay p99", "ms", lambda _: last[0].delay(99), 1000, True),
            Probe("longest delay", "ms", lambda _: last[0].delays[-1], None, True),
            Probe("memory of the API for them", "MB", lambda _: last[0].megabytes, None, True),
        ]
