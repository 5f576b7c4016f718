"""Turns of built-in bots a second through outbox, relay, lanes, queue and worker, beside actions over HTTP.

Forty tables of two random bots of eight openers, in a whole house with one worker; the opening is part of the
time. Beside them the same number of tables over HTTP on an API and a store of their own: both in each round,
one after the other. What counts is the ratio.
"""

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from infra.embedded.bundled import Embedded
from infra.process.bounds import Bounds
from service.bench.api import rate, run, running_api
from service.bench.client import Client
from service.bench.house import house
from service.bench.measure import Probe
from service.bench.tables import opener

TABLES, OPENERS = 40, 8
GAMES = ("tides-of-time", "machi-koro")
LONGEST_S = 15.0  # what is not played by then is not counted
LOOK_EVERY_S = 0.05  # the reader must not take what the bots need
TARGET = 0.25
API_S = 3.0
MANY = "1000000"
QUIET = {
    **dict.fromkeys(Bounds.names().values(), MANY),
    "TURNLOG_RATE_LIMIT": MANY,
    "TURNLOG_LOG_LEVEL": "warning",
    "TURNLOG_WORKERS": "1",
}


class Seen(NamedTuple):
    """A table when it was opened."""

    id: str
    seq: int


@contextmanager
def probes() -> Iterator[list[Probe]]:
    with TemporaryDirectory() as folder, Embedded(folder) as server, running_api(server.url, folder) as api:
        found: dict[str, float] = {}

        def kept(name: str, measure: Callable[[], float]) -> Callable[[float], float]:
            def measured(_: float) -> float:
                found[name] = measure()
                return found[name]

            return measured

        def over_http() -> float:
            return run(api.port, TABLES, rate, API_S)

        def ratio(game: str) -> Callable[[float], float]:
            return lambda _: found[game] / found["api"]

        yield [
            Probe(f"actions over HTTP, {TABLES} matches", "actions/s", kept("api", over_http)),
            *(
                probe
                for game in GAMES
                for probe in (
                    Probe(f"bots' turns, {game}", "turns/s", kept(game, partial(turns, game))),
                    Probe(f"bots' turns / actions over HTTP, {game}", "ratio", ratio(game), TARGET),
                )
            ),
        ]


def turns(game: str) -> float:
    """Of a new house: nothing is left over from the round before."""
    with TemporaryDirectory() as folder, house(folder, QUIET) as port:
        return asyncio.run(_play(port, game))


async def _play(port: int, game: str) -> float:
    tokens = [await opener(port, n) for n in range(OPENERS)]
    await _watch(port, [await _opened(port, tokens[0], game)])  # the first one loads what is loaded once
    began = time.perf_counter()
    tables = await asyncio.gather(*(_opened(port, tokens[n % OPENERS], game) for n in range(TABLES)))
    return await _watch(port, tables) / (time.perf_counter() - began)


async def _opened(port: int, token: str, game: str) -> Seen:
    client = await Client.connect(port, token)
    wanted = {"game": game, "seats": [{"kind": "bot", "bot": "random"}] * 2}
    match = await client.json("POST", "/api/matches", wanted)
    client.close()
    return Seen(match["id"], match["seq"])


async def _watch(port: int, tables: list[Seen]) -> int:
    """How many turns were played when all have ended, or after a while."""
    until, left = time.perf_counter() + LONGEST_S, list(tables)
    reader = await Client.connect(port)
    while left and time.perf_counter() < until:
        if (await _look(reader, left[0]))["status"] == "finished":
            left.pop(0)
        else:
            await asyncio.sleep(LOOK_EVERY_S)
    played = [_turns(table, await _look(reader, table)) for table in tables]
    reader.close()
    return sum(played)


async def _look(reader: Client, table: Seen) -> Any:
    return await reader.json("GET", f"/api/matches/{table.id}?labels=0")


def _turns(table: Seen, match: Any) -> int:
    """Every event since the opening is a turn, but for the one that says how it ended."""
    played: int = match["seq"] - table.seq
    return played - 1 if match["status"] == "finished" else played
