"""Masters die while people play: what was acknowledged and is lost, by case and by level of durability.

`python -m tests.failover` runs every case on a real cluster of its own and prints the table of
docs/durability.md.
"""

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import structlog

from infra.process.errors import Conflict, StoreUnavailable
from infra.store import keys
from infra.store.durability import Durability
from infra.store.eventstore import Cmd, EventStore
from infra.store.redis import connect
from tests.clusters import Cluster, Node

LEVELS = {"local": Durability("local"), "replicated": Durability("replicated", 1, 1000)}
WRITERS = 12
BEFORE_S, AWAY_S, AFTER_S = 2.0, 8.0, 4.0
CUT_S = 1.0


class Outcome(NamedTuple):
    case: str
    level: str
    acknowledged: int
    refused: int  # 503, each asked again under the same key
    lost: int
    doubled: int
    pause_s: float  # the longest that one writer waited for an answer


class Writer:
    """Somebody who plays one match: the same command again until it is answered."""

    def __init__(self, store: EventStore, match: str) -> None:
        self._store, self.match = store, match
        self.kept: list[bytes] = []  # what was acknowledged
        self.refused, self.pause_s = 0, 0.0

    async def run(self, stop: asyncio.Event) -> None:
        n = 0
        while not stop.is_set():
            n += 1
            began = time.monotonic()
            await self._write(b"%s event %d" % (self.match.encode(), n), f"k{n}")
            self.pause_s = max(self.pause_s, time.monotonic() - began)

    async def _write(self, event: bytes, key: str) -> None:
        while True:
            try:
                length = await self._store.length(self.match)
                await self._store.append(self.match, length, [event], cmd=Cmd("ann", key, key))
            except Conflict:
                continue
            except StoreUnavailable:
                self.refused += 1
                await asyncio.sleep(0.05)
                continue
            self.kept.append(event)
            return

    async def judge(self) -> tuple[int, int]:
        """Lost: acknowledged and not there. Doubled: there more than once."""
        there = await self._store.read(self.match)
        lost = set(self.kept) - set(there)
        return len(lost), len(there) - len(set(there))


Case = Callable[[Cluster, Node], Awaitable[None]]


async def killed(cluster: Cluster, master: Node) -> None:
    await _die(cluster, master)


async def cut_off(cluster: Cluster, master: Node) -> None:
    """The replica cannot follow for a second before: it cannot sign in any more."""
    replica = await asyncio.to_thread(cluster.replica_of, master)
    replica.ask("CONFIG", "SET", "masterauth", "wrong")
    replica.ask("CONFIG", "SET", "masteruser", "nobody")
    master.ask("CLIENT", "KILL", "TYPE", "replica")
    await asyncio.sleep(CUT_S)
    await _die(cluster, master, replica)


async def link_broken(cluster: Cluster, master: Node) -> None:
    master.ask("CLIENT", "KILL", "TYPE", "replica")
    await asyncio.sleep(0.3)
    await _die(cluster, master)


async def slot_moved(cluster: Cluster, master: Node) -> None:
    """Nobody dies: a slot in use goes to another master, key by key."""
    other = next(node for node in cluster.nodes[:3] if node is not master)
    await asyncio.to_thread(cluster.move_slot, keys.log(_matches(cluster, master)[0]), other)


CASES: dict[str, Case] = {
    "a master is killed": killed,
    "its replica was cut off before": cut_off,
    "its link was broken before": link_broken,
    "a slot moves meanwhile": slot_moved,
}


async def _die(cluster: Cluster, master: Node, replica: Node | None = None) -> None:
    """The dead one comes back after a while, as the replica of whoever took over."""
    master.kill()
    if replica is not None:  # it may sign in again: there is nobody left to hear from
        replica.ask("CONFIG", "SET", "masteruser", "")
        replica.ask("CONFIG", "SET", "masterauth", "")
    await asyncio.sleep(AWAY_S)
    cluster.again(master)
    await asyncio.to_thread(cluster.wait_until_well)


def _matches(cluster: Cluster, master: Node) -> list[str]:
    names = [f"m{n}" for n in range(1000)]
    return [name for name in names[:200] if cluster.master_of(keys.log(name)) is master]


async def play(folder: Path, case: str, level: str) -> Outcome:
    with Cluster(folder) as cluster:
        client = connect(cluster.url)
        store = EventStore(client, LEVELS[level])
        master = cluster.nodes[0]
        theirs = _matches(cluster, master)
        writers = [Writer(store, match) for match in [*theirs[: WRITERS // 2], *_others(theirs)]]
        stop = asyncio.Event()
        tasks = [asyncio.create_task(writer.run(stop)) for writer in writers]
        try:
            await asyncio.sleep(BEFORE_S)
            await CASES[case](cluster, master)
            await asyncio.sleep(AFTER_S)
            stop.set()
            await asyncio.gather(*tasks)
            judged = [await writer.judge() for writer in writers]
        finally:
            for task in tasks:
                task.cancel()
            await store.aclose()
            await client.aclose()
    return Outcome(
        case,
        level,
        sum(len(writer.kept) for writer in writers),
        sum(writer.refused for writer in writers),
        sum(lost for lost, _ in judged),
        sum(doubled for _, doubled in judged),
        round(max(writer.pause_s for writer in writers), 1),
    )


def _others(theirs: list[str]) -> list[str]:
    return [name for name in (f"m{n}" for n in range(200)) if name not in theirs][: WRITERS // 2]


def main() -> int:
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory())
    out = sys.stdout
    out.write("| case | level | acknowledged | 503 | lost | doubled | longest wait |\n")
    out.write("|---|---|---|---|---|---|---|\n")
    for case in CASES:
        for level in LEVELS:
            with TemporaryDirectory() as folder:
                one = asyncio.run(play(Path(folder), case, level))
            cells = (case, level, one.acknowledged, one.refused, one.lost, one.doubled, f"{one.pause_s} s")
            out.write("| " + " | ".join(map(str, cells)) + " |\n")
            out.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
