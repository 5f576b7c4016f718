"""Bots' turns a second of a whole house, with the queue in the store and on a server of its own.

Forty tables of two random bots, opened at once; both arrangements in the same run, one after the other.
"""

import asyncio
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from infra.process.bounds import Bounds
from service.bench.client import Client
from service.bench.house import house
from service.bench.measure import Probe
from service.bench.tables import opener

TABLES = 40
OPENERS = 8
TURNS = 28  # of a match
PATIENCE_S = 600.0
MANY = "1000000"
OVERDUE = re.compile(rb"a turn is overdue")


@contextmanager
def probes() -> Iterator[list[Probe]]:
    seen: dict[str, list[float]] = {"store": [], "embedded": []}
    overdue: list[int] = []

    def rate(where: str) -> float:
        found, late = _measure(where)
        seen[where].append(found)
        if where == "embedded":
            overdue.append(late)
        return found

    yield [
        Probe("bots' turns, queue in the store", "turns/s", lambda _: rate("store")),
        Probe("bots' turns, queue of its own", "turns/s", lambda _: rate("embedded")),
        Probe("own / store", "ratio", lambda _: seen["embedded"][-1] / seen["store"][-1]),
        Probe("turns that were overdue, own", "turns", lambda _: overdue[-1], 0, True),
    ]


def _measure(where: str) -> tuple[float, int]:
    with TemporaryDirectory() as folder, (Path(folder) / "said").open("w+b") as said:
        wide = dict.fromkeys(Bounds.names().values(), MANY)
        env = {**wide, "TURNLOG_LOG_LEVEL": "warning", "TURNLOG_QUEUE_URL": where}
        with house(f"{folder}/data", env, said) as port:
            rate = asyncio.run(_play(port))
        said.seek(0)
        return rate, len(OVERDUE.findall(said.read()))


async def _play(port: int) -> float:
    openers = [await opener(port, n) for n in range(OPENERS)]
    await finish(port, [await opened(port, openers[0])])  # the first one loads what is loaded once
    began = time.perf_counter()
    await finish(port, [await opened(port, openers[n % OPENERS]) for n in range(TABLES)])
    return TABLES * TURNS / (time.perf_counter() - began)


async def opened(port: int, token: str) -> str:
    opener = await Client.connect(port, token)
    wanted = {"game": "tides-of-time", "seats": [{"kind": "bot", "bot": "random"}] * 2}
    ident: str = (await opener.json("POST", "/api/matches", wanted))["id"]
    opener.close()
    return ident


async def finish(port: int, matches: list[str]) -> None:
    """Looked at rarely: the readers must not take what the bots need."""
    deadline = time.perf_counter() + PATIENCE_S
    reader, left = await Client.connect(port), list(matches)
    while left:
        if time.perf_counter() > deadline:
            raise RuntimeError(f"{len(left)} matches did not end")
        match = await reader.json("GET", f"/api/matches/{left[0]}?labels=0")
        if match["status"] == "finished":
            left.pop(0)
        else:
            await asyncio.sleep(0.1)
    reader.close()
