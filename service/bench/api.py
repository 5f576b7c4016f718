"""The API over HTTP with a durable store: one process each of API and store, engine included; wall time.

Two guests a match pass the dice to and fro in Machi Koro: each action rolls, pays out and is on disk before
its answer. Such a match never ends, so a long log can be compared with a short one.
"""

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from infra.embedded.bundled import Embedded
from infra.process.bounds import Bounds
from service.bench.client import Client
from service.bench.house import free_port
from service.bench.measure import Probe

LONG = 5000
READY_S = 15.0
WANTED = {"game": "machi-koro", "seats": [{"kind": "me"}, {"kind": "open"}]}


@contextmanager
def probes() -> Iterator[list[Probe]]:
    with TemporaryDirectory() as folder, Embedded(folder) as server, running_api(server.url, folder) as api:
        port = api.port
        yield [
            Probe("actions, 1 match", "actions/s", partial(run, port, 1, rate)),
            Probe("actions, 10 matches", "actions/s", partial(run, port, 10, rate), 2034),
            Probe("actions, 100 matches", "actions/s", partial(run, port, 100, rate), 2241),
            Probe("CPU of the API, 10 matches", "us/action", partial(_cpu, api), None, True),
            Probe("action p50, 1 match", "ms", partial(run, port, 1, _median), None, True),
            Probe("action p99, 1 match", "ms", partial(run, port, 1, _worst), None, True),
            Probe(f"p50 after {LONG} events / after 10", "ratio", partial(_aged, port), 1.2, True),
            Probe("open a match of 1000 events", "ms", partial(_opening, port, False), 10, True),
            Probe("open a match of 1000 events: size", "KB", partial(_opening, port, True), 30, True),
        ]


class Api(NamedTuple):
    port: int
    pid: int

    def cpu(self) -> float:
        """Seconds of CPU that the process has used: unlike wall time, hardly touched by other work."""
        fields = Path(f"/proc/{self.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def megabytes(self) -> float:
        """Memory that the process holds now."""
        pages = Path(f"/proc/{self.pid}/statm").read_text(encoding="ascii").split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE") / 1e6


def _cpu(api: Api, seconds: float) -> float:
    before = api.cpu()
    actions = run(api.port, 10, lambda spent, _: len(spent), seconds)
    return (api.cpu() - before) / actions * 1e6


@contextmanager
def running_api(url: str, folder: str) -> Iterator["Api"]:
    port = free_port()
    env = {
        **os.environ,
        "TURNLOG_REDIS_URL": url,
        "TURNLOG_DATA": folder,
        "TURNLOG_RATE_LIMIT": "1000000",
        **dict.fromkeys(Bounds.names().values(), "1000000"),
        "TURNLOG_LOG_LEVEL": "warning",
    }
    process = subprocess.Popen([sys.executable, "-m", "service.cli", "api", "--port", str(port)], env=env)
    try:
        asyncio.run(_until_up(port))
        yield Api(port, process.pid)
    finally:
        process.terminate()
        process.wait(READY_S)


async def _until_up(port: int) -> None:
    deadline = time.monotonic() + READY_S
    while True:
        try:
            client = await Client.connect(port)
        except OSError:
            if time.monotonic() > deadline:
                raise
            await asyncio.sleep(0.05)
            continue
        await client.json("GET", "/health")
        client.close()
        return


class Table:
    """Two guests at one match."""

    def __init__(self, clients: list[Client], match: dict[str, Any]) -> None:
        self._clients = clients
        self.id, self.seq, self._seat = match["id"], match["seq"], match["to_act"][0]
        self.spent: list[float] = []

    @classmethod
    async def open(cls, port: int) -> "Table":
        clients = [await _guest(port) for _ in range(2)]
        opened = await clients[0].json("POST", "/api/matches", WANTED)
        started = await clients[1].json("POST", f"/api/matches/{opened['id']}/seats/1", {})
        return cls(clients, started)

    async def step(self) -> None:
        body = {"seq": self.seq, "action": {"type": "pass"}}
        started = time.perf_counter()
        answer = await self._clients[self._seat].json(
            "POST", f"/api/matches/{self.id}/actions?labels=0", body
        )
        self.spent.append(time.perf_counter() - started)
        self.seq, self._seat = answer["seq"], answer["to_act"][0]

    async def look(self) -> None:
        await self._clients[self._seat].json("GET", f"/api/matches/{self.id}?labels=0")

    async def another(self) -> None:
        """Open one more match of the same two, and leave it."""
        opened = await self._clients[0].json("POST", "/api/matches", WANTED)
        await self._clients[1].json("POST", f"/api/matches/{opened['id']}/seats/1", {})

    async def until(self, deadline: float) -> None:
        while time.perf_counter() < deadline:
            await self.step()

    async def grow(self, events: int) -> None:
        while self.seq < events:
            await self.step()

    def close(self) -> None:
        for client in self._clients:
            client.close()


async def _guest(port: int) -> Client:
    name = f"bench {time.time_ns()}"
    visitor = await Client.connect(port)
    made = await visitor.json("POST", "/api/accounts", {"name": name})
    visitor.close()
    return await Client.connect(port, made["token"])


def run(port: int, matches: int, figure: Any, seconds: float) -> float:
    return asyncio.run(_load(port, matches, figure, seconds))


async def _load(port: int, matches: int, figure: Any, seconds: float) -> float:
    tables = [await Table.open(port) for _ in range(matches)]
    started = time.perf_counter()
    await asyncio.gather(*(table.until(started + seconds) for table in tables))
    wall = time.perf_counter() - started
    for table in tables:
        table.close()
    spent = sorted(one for table in tables for one in table.spent)
    value: float = figure(spent, wall)
    return value


def rate(spent: list[float], wall: float) -> float:
    return len(spent) / wall


def _median(spent: list[float], _: float) -> float:
    return spent[len(spent) // 2] * 1000


def _worst(spent: list[float], _: float) -> float:
    return spent[len(spent) * 99 // 100] * 1000


def _aged(port: int, seconds: float) -> float:
    return asyncio.run(_compare_ages(port, seconds))


async def _compare_ages(port: int, seconds: float) -> float:
    """A young and an old match in turns, so that both meet the same noise."""
    young, old = await Table.open(port), await Table.open(port)
    await old.grow(LONG)
    old.spent.clear()
    deadline = time.perf_counter() + seconds
    while time.perf_counter() < deadline:
        await young.step()
        await old.step()
    ratio = _median(sorted(old.spent), 0) / _median(sorted(young.spent), 0)
    young.close()
    old.close()
    return ratio


def _opening(port: int, size: bool, seconds: float) -> float:
    return asyncio.run(_open_long(port, size, seconds))


async def _open_long(port: int, size: bool, seconds: float) -> float:
    table = await Table.open(port)
    await table.grow(1000)
    client = await Client.connect(port)
    spent, length = [], 0
    deadline = time.perf_counter() + seconds
    while time.perf_counter() < deadline:
        started = time.perf_counter()
        _, body = await client.request("GET", f"/api/matches/{table.id}")
        spent.append(time.perf_counter() - started)
        length = len(body)
    client.close()
    table.close()
    return length / 1024 if size else _median(sorted(spent), 0)
