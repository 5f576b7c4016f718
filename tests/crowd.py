"""Three relays, three workers, 2,240 bots' turns, and somebody who makes them overdue all the time.

`python -m tests.crowd` runs it on a store of its own, kills one of each on the way, and says what came of it.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from engine.proof.verify import verify
from infra.embedded.bundled import Embedded
from infra.process import telemetry
from infra.process.settings import Settings
from infra.store.lanes import FLYING
from infra.store.parked import Parked
from infra.store.redis import connect_sync
from service.bootstrap import Deps, wire
from service.commands import tables
from service.commands.records import OpenMatch
from workers.jobs import Jobs
from workers.relay import Pace, Relay
from workers.worker import work

PACE = Pace(sweep_s=0.05, lost_turn_s=0.3, dead_s=1.0)
SETTINGS = Settings(workers=3)
EACH = 3
MATCHES = 80
TURNS = 28  # of a match
PATIENCE_S = 800.0  # of a busy machine; an idle one needs half a minute
GAME = "tides-of-time"


class Report(NamedTuple):
    matches: int
    turns: int
    doubled: int
    begun: int  # how often a turn was begun: who did so in vain found it played
    made_overdue: int
    parked: int
    ended: list[str]  # processes that ended by themselves
    killed: list[str]
    seconds: float


class Crowd:
    """The processes; what each of them says is kept beside the store."""

    def __init__(self, url: str, folder: Path) -> None:
        self.killed: list[str] = []
        self._processes = {
            f"{role} {n}": self._start(role, url, folder / f"{role}-{n}.log")
            for role in ("relay", "worker")
            for n in range(EACH)
        }

    @staticmethod
    def _start(role: str, url: str, log: Path) -> subprocess.Popen[bytes]:
        with log.open("wb") as out:
            command = [sys.executable, "-m", "tests.crowd", "--role", role, "--url", url]
            return subprocess.Popen(command, stdout=out, stderr=out)

    def kill(self, name: str) -> None:
        self._processes[name].kill()
        self.killed.append(name)

    def ended(self) -> list[str]:
        """Those that ended by themselves."""
        return [
            name
            for name, process in self._processes.items()
            if process.poll() is not None and name not in self.killed
        ]

    def stop(self) -> None:
        for process in self._processes.values():
            process.kill()
            process.wait()


async def run(deps: Deps, url: str, folder: Path, matches: int = MATCHES) -> Report:
    """Play so many matches of two bots to their end."""
    began = time.monotonic()
    seats = ({"kind": "bot", "bot": "random"}, {"kind": "bot", "bot": "greedy"})
    opened = [
        await tables.open_match(deps, OpenMatch(who=f"account:{n % 4}", game=GAME, seats=seats))
        for n in range(matches)
    ]
    crowd, overdue = Crowd(url, folder), 0
    try:
        ids = [match.id for match in opened]
        while await _running(deps, ids) and time.monotonic() - began < PATIENCE_S:
            overdue += await _make_overdue(deps)
            if not crowd.killed and await _played(deps, ids) > matches * TURNS // 3:
                crowd.kill("relay 0")
                crowd.kill("worker 0")
            if crowd.ended():
                break
            await asyncio.sleep(0.02)
        return await _report(deps, ids, crowd, overdue, time.monotonic() - began)
    finally:
        crowd.stop()


async def _running(deps: Deps, ids: list[str]) -> int:
    return sum([(await deps.matches.now(ident)).status == "running" for ident in ids])


async def _played(deps: Deps, ids: list[str]) -> int:
    return sum([(await deps.matches.now(ident)).seq for ident in ids])


async def _make_overdue(deps: Deps) -> int:
    """Every turn that is handed out, whether it waits, is being played or has just been: look at it now."""
    turns = await deps.client.zrange(FLYING, 0, -1)
    if turns:
        await deps.client.zadd(FLYING, dict.fromkeys(turns, 1), xx=True)
    return len(turns)


async def _report(deps: Deps, ids: list[str], crowd: Crowd, overdue: int, seconds: float) -> Report:
    turns: list[str] = []
    for ident in ids:
        lines = await deps.store.read(ident)
        if (await deps.matches.now(ident)).status == "finished":
            verify(lines)  # the chain, every draw, every decision
        events = map(json.loads, lines)
        turns += [f"{ident} {event['cmd']}" for event in events if event["kind"] == "acted"]
    begun = 0
    async for key in deps.client.scan_iter(match="tl:begun:*", count=1000):
        begun += int(await deps.client.get(key))
    return Report(
        matches=len(ids) - await _running(deps, ids),
        turns=len(turns),
        doubled=len(turns) - len(set(turns)),
        begun=begun,
        made_overdue=overdue,
        parked=await Parked(deps.client).count(),
        ended=crowd.ended(),
        killed=crowd.killed,
        seconds=round(seconds, 1),
    )


def serve(role: str, url: str) -> None:
    telemetry.configure("info")
    if role == "worker":
        work(SETTINGS, url, url)
        return
    relay = Relay(wire(SETTINGS, url), Jobs(connect_sync(url)), PACE)
    asyncio.run(relay.run(asyncio.Event()))


async def alone(matches: int) -> Report:
    """On a store of its own."""
    with TemporaryDirectory() as folder, Embedded(folder) as server:
        deps = wire(Settings(data=Path(folder)), server.url)
        try:
            return await run(deps, server.url, Path(folder), matches)
        finally:
            await deps.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=MATCHES)
    parser.add_argument("--role", choices=("relay", "worker"))
    parser.add_argument("--url")
    given: Any = parser.parse_args()
    if given.role:
        serve(given.role, given.url)
        return 0
    os.environ.setdefault("PYTHONWARNINGS", "ignore")
    report = asyncio.run(alone(given.matches))
    print("\n".join(f"{name:>14}  {value}" for name, value in report._asdict().items()))  # noqa: T201
    return 0 if report.matches == given.matches and not (report.doubled or report.ended) else 1


if __name__ == "__main__":
    sys.exit(main())
