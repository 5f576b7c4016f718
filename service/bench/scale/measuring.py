"""Each figure of the model, measured on a whole house: CPU time of its processes, memory of its store.

CPU time of a process says little about what else the machine does meanwhile; rates and waiting times do.
"""

import asyncio
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from infra.embedded.bundled import running as running_store
from infra.process.bounds import Bounds
from infra.store.redis import connect_sync
from service.bench.api import Api, Table
from service.bench.client import Client
from service.bench.house import running
from service.bench.queue import TURNS, finish, opened
from service.bench.scale.model import Figures, Rate
from service.bench.scale.processes import Processes
from service.bench.tables import opener
from service.bench.watchers import measured

MANY = "1000000"
QUIET = {
    **dict.fromkeys(Bounds.names().values(), MANY),
    "TURNLOG_RATE_LIMIT": MANY,
    "TURNLOG_LOG_LEVEL": "error",
}
PATIENCE_S = 120.0


class Pace(NamedTuple):
    """How long and how much: the whole measurement takes about twenty times `seconds`."""

    seconds: float = 10.0
    tables: int = 16
    matches: int = 500
    bot_tables: int = 20
    watchers: int = 400
    apis: tuple[int, ...] = (1, 2, 4)
    workers: tuple[int, ...] = (1, 2, 3, 4)


SHORT = Pace(2.0, 8, 100, 4, 50, (1, 2), (1, 2))


class House(NamedTuple):
    port: int
    processes: Processes
    folder: Path

    def store_bytes(self) -> float:
        """What the embedded store holds, as it counts itself."""
        url = running_store(self.folder)
        if url is None:
            raise RuntimeError("the house has no embedded store")
        with connect_sync(url) as client:
            return float(client.info("memory")["used_memory"])


@contextmanager
def house(*options: str, env: dict[str, str] | None = None) -> Iterator[House]:
    with (
        TemporaryDirectory() as folder,
        running(f"{folder}/data", QUIET | (env or {}), options) as (port, pid),
    ):
        yield House(port, Processes(pid), Path(folder) / "data")


def figures(pace: Pace, cluster: str | None, say: Callable[[str], None]) -> Figures:
    """Measure everything; `cluster` is the address of an empty cluster, or there is none."""
    with house() as open_house:
        say("one house: actions, looks, bots' turns, watchers, memory, idle")
        found = asyncio.run(_of_one_house(open_house, pace))
    for apis in pace.apis:
        say(f"{apis} API processes on one store")
        with house("--api", str(apis)) as open_house:
            found.rates.append(_rate("one store", apis, asyncio.run(_act(open_house, pace))))
    for apis in pace.apis if cluster else ():
        say(f"{apis} API processes on the cluster")
        env = {"TURNLOG_REDIS_URL": str(cluster), "TURNLOG_QUEUE_URL": "embedded"}
        with house("--api", str(apis), env=env) as open_house:
            found.rates.append(_rate("cluster", apis, asyncio.run(_act(open_house, pace))))
    for workers in pace.workers:
        say(f"{workers} workers")
        with house("--workers", str(workers)) as open_house:
            found.bots.append((workers, asyncio.run(_bots(open_house, pace.bot_tables))))
    found.made = f"{datetime.now(UTC):%Y-%m-%d}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"
    return found


async def _of_one_house(open_house: House, pace: Pace) -> Figures:
    action_us, event_bytes = await _actions(open_house, pace)
    look_us = await _looks(open_house, pace)
    turn_us = await _turns(open_house, pace.bot_tables)
    match_bytes = await _match_bytes(open_house, pace.matches)
    api = Api(open_house.port, open_house.processes.by_role()["api"][0])
    before = api.cpu()
    heard = await measured(api, pace.watchers, 10, 0.2)
    heard_us = (api.cpu() - before) / max(1, len(heard.delays)) * 1e6
    quiet = await _quiet(open_house, pace.seconds)
    idle = await _idle(open_house, pace.seconds)
    sizes = open_house.processes.bytes() | {"store": 0.0}
    return Figures(
        action_us=action_us,
        turn_us=turn_us,
        look_us=look_us,
        heard_us=heard_us,
        idle=idle,
        role_bytes=sizes,
        match_bytes=match_bytes,
        event_bytes=event_bytes,
        watcher_bytes=heard.megabytes * 1e6 / pace.watchers,
        quiet_p99_ms=quiet,
    )


async def _actions(open_house: House, pace: Pace) -> tuple[dict[str, float], float]:
    """CPU of each role for an action, the relay's share included, and memory of an event.

    Not as fast as it goes: then many would share one batch and one look of the relay, as they do in no real
    house, whose moves come one by one.
    """
    tables = [await Table.open(open_house.port) for _ in range(pace.tables)]
    await _settled(open_house)
    held, before = open_house.store_bytes(), open_house.processes.cpu()
    until = time.perf_counter() + 2 * pace.seconds
    while time.perf_counter() < until:
        for table in tables:
            await table.step()
            await asyncio.sleep(0.02)
    await _settled(open_house)
    acted = sum(len(table.spent) for table in tables)
    used = _divided(before, open_house.processes.cpu(), acted)
    for table in tables:
        table.close()
    return used, (open_house.store_bytes() - held) / acted


async def _settled(open_house: House) -> None:
    """Until the relay has followed: its CPU time stands still."""
    deadline, last = time.monotonic() + PATIENCE_S, -1.0
    while time.monotonic() < deadline:
        now = open_house.processes.cpu()["relay"]
        if now - last < 0.03:
            return
        last = now
        await asyncio.sleep(1.0)


def _divided(before: dict[str, float], after: dict[str, float], count: int) -> dict[str, float]:
    return {role: (after[role] - before.get(role, 0.0)) / count * 1e6 for role in after}


async def _looks(open_house: House, pace: Pace) -> dict[str, float]:
    tables = [await Table.open(open_house.port) for _ in range(pace.tables)]
    await _settled(open_house)
    before, count = open_house.processes.cpu(), 0
    until = time.perf_counter() + pace.seconds
    while time.perf_counter() < until:
        for table in tables:
            await table.look()
            count += 1
    used = _divided(before, open_house.processes.cpu(), count)
    for table in tables:
        table.close()
    return used


async def _turns(open_house: House, tables: int) -> dict[str, float]:
    """CPU for a turn of a bot, of all that is done for it (the API opens the table and shows how it goes)."""
    who = await _openers(open_house)
    await _settled(open_house)
    before = open_house.processes.cpu()
    await finish(open_house.port, [await opened(open_house.port, who[n % len(who)]) for n in range(tables)])
    await _settled(open_house)
    return _divided(before, open_house.processes.cpu(), tables * TURNS)


async def _openers(open_house: House) -> list[str]:
    """Accounts that may open tables of bots; the first one loads what is loaded once."""
    who = [await opener(open_house.port, time.time_ns()) for _ in range(4)]
    await finish(open_house.port, [await opened(open_house.port, who[0])])
    return who


async def _bots(open_house: House, tables: int) -> float:
    """Turns a second of so many tables of two bots."""
    who = await _openers(open_house)
    began = time.perf_counter()
    await finish(open_house.port, [await opened(open_house.port, who[n % len(who)]) for n in range(tables)])
    return tables * TURNS / (time.perf_counter() - began)


async def _match_bytes(open_house: House, matches: int) -> float:
    """Memory of a match that has just begun, without its players' accounts."""
    people = [await Table.open(open_house.port)]
    await _settled(open_house)
    held = open_house.store_bytes()
    for _ in range(matches):
        await people[0].another()
    await _settled(open_house)
    people[0].close()
    return (open_house.store_bytes() - held) / matches


async def _quiet(open_house: House, seconds: float) -> float:
    """p99 of an action when nothing else happens, in milliseconds."""
    table = await Table.open(open_house.port)
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        await table.step()
        await asyncio.sleep(0.02)
    table.close()
    return sorted(table.spent)[len(table.spent) * 99 // 100] * 1000


async def _idle(open_house: House, seconds: float) -> dict[str, float]:
    await _settled(open_house)
    before, began = open_house.processes.cpu(), time.perf_counter()
    await asyncio.sleep(seconds * 2)
    wall, after = time.perf_counter() - began, open_house.processes.cpu()
    return {role: (after[role] - before.get(role, 0.0)) / wall for role in after}


async def _act(open_house: House, pace: Pace) -> tuple[float, list[float]]:
    tables = [await Table.open(open_house.port) for _ in range(2 * pace.tables)]
    began = time.perf_counter()
    await asyncio.gather(*(table.until(began + pace.seconds) for table in tables))
    wall = time.perf_counter() - began
    for table in tables:
        table.close()
    return wall, sorted(one for table in tables for one in table.spent)


def _rate(store: str, apis: int, seen: tuple[float, list[float]]) -> Rate:
    wall, spent = seen
    return Rate(store, apis, len(spent) / wall, spent[len(spent) * 99 // 100] * 1000)


async def clients(port: int, count: int) -> list[Client]:
    """So many people, each with a connection of their own."""
    found = []
    for _ in range(count):
        visitor = await Client.connect(port)
        made = await visitor.json("POST", "/api/accounts", {"name": f"scale {time.time_ns()}"})
        visitor.close()
        found.append(await Client.connect(port, made["token"]))
    return found
