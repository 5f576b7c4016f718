"""How long a quick bot takes to answer while others let theirs think: a whole house, wall time.

One account opens tables of five `search:2s`, and as many guests sit down with `search:2s` each. Other
people's `greedy` must answer as if nobody did.
"""

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from typing import Any

from service.bench.client import Client
from service.bench.house import house
from service.bench.measure import Probe

TABLES = 25
GUESTS = 25
ANSWERS = 50
PLAYERS = 5  # matches over which the answers are spread
PATIENCE_S = 120.0
MANY = "1000000"
QUIET = {"TURNLOG_RATE_LIMIT": MANY, "TURNLOG_LOG_LEVEL": "error"}
PASSWORD = "a password of the bench"
THINKER = {"kind": "bot", "bot": "search:2s"}


@contextmanager
def probes() -> Iterator[list[Probe]]:
    with TemporaryDirectory() as folder, house(folder, QUIET) as port:
        idle = asyncio.run(_idle(port))
        busy = asyncio.run(_busy(port))
        yield [
            Probe("greedy answers, idle house: p50", "ms", lambda _: _share(idle, 0.5), None, True),
            Probe("greedy answers, idle house: p95", "ms", lambda _: _share(idle, 0.95), None, True),
            Probe("greedy answers, 50 thinking tables: p50", "ms", lambda _: _share(busy, 0.5), None, True),
            Probe("greedy answers, 50 thinking tables: p95", "ms", lambda _: _share(busy, 0.95), None, True),
            Probe(
                "p95 with 50 thinking tables / idle",
                "ratio",
                lambda _: _share(busy, 0.95) / _share(idle, 0.95),
                3,
                True,
            ),
        ]


def _share(spent: list[float], share: float) -> float:
    return sorted(spent)[int(share * (len(spent) - 1))] * 1000


async def _somebody(port: int, **more: str) -> Client:
    visitor = await Client.connect(port)
    made = await visitor.json("POST", "/api/accounts", {"name": f"bench {time.time_ns()}", **more})
    visitor.close()
    return await Client.connect(port, made["token"])


async def _idle(port: int) -> list[float]:
    players = [await _somebody(port) for _ in range(PLAYERS)]
    await _answers(players, PLAYERS)  # the first ones load what is loaded once
    return await _answers(players, ANSWERS)


async def _busy(port: int) -> list[float]:
    thinking = [*await _alone(port), *await _with_guests(port)]
    reader = await Client.connect(port)
    before = await _events(reader, thinking)
    players = [await _somebody(port) for _ in range(PLAYERS)]
    deadline = time.perf_counter() + PATIENCE_S
    spent = await _answers(players, ANSWERS)
    while await _events(reader, thinking) == before:  # answers may be quicker than the first long thought
        if time.perf_counter() > deadline:
            raise RuntimeError("nobody thought meanwhile")
        spent += await _answers(players, ANSWERS)
    reader.close()
    return spent


async def _alone(port: int) -> list[str]:
    rich = await _somebody(port, password=PASSWORD)
    wanted = {"game": "world-wonders", "seats": [THINKER] * 5}
    return [(await rich.json("POST", "/api/matches", wanted))["id"] for _ in range(TABLES)]


async def _with_guests(port: int) -> list[str]:
    wanted = {"game": "world-wonders", "seats": [{"kind": "me"}, *[THINKER] * 4], "shuffle": True}
    guests = [await _somebody(port) for _ in range(GUESTS)]
    return [(await guest.json("POST", "/api/matches", wanted))["id"] for guest in guests]


async def _events(reader: Client, matches: list[str]) -> int:
    return sum([(await reader.json("GET", f"/api/matches/{ident}?labels=0"))["seq"] for ident in matches])


async def _answers(players: list[Client], count: int) -> list[float]:
    """How long `greedy` takes, measured one after the other: from our action to its answer."""
    spent: list[float] = []
    while len(spent) < count:
        for player in players:
            spent += await _one_match(player, -(-count // len(players)))
    return spent[:count]


async def _one_match(player: Client, most: int) -> list[float]:
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "greedy"}]
    match = await player.json("POST", "/api/matches", {"game": "machi-koro", "seats": seats})
    match, _ = await _until_mine(player, match)
    spent: list[float] = []
    while match["status"] == "running" and len(spent) < most:
        began = time.perf_counter()
        body = {"seq": match["seq"], "action": match["legal"][0]}
        match = await player.json("POST", f"/api/matches/{match['id']}/actions?labels=0", body)
        answered = match["you"] not in match["to_act"] and match["status"] == "running"
        match, ended = await _until_mine(player, match)
        if answered:
            spent.append(ended - began)
    return spent


async def _until_mine(player: Client, match: Any) -> tuple[Any, float]:
    deadline = time.perf_counter() + PATIENCE_S
    while match["status"] == "running" and match["you"] not in match["to_act"]:
        if time.perf_counter() > deadline:
            raise RuntimeError("the bot does not answer")
        await asyncio.sleep(0.002)
        match = await player.json("GET", f"/api/matches/{match['id']}?labels=0")
    return match, time.perf_counter()
