"""What a relay costs while nothing happens: CPU time over some minutes, many open matches on a cluster.

`python -m tests.idle --matches 10000 --seconds 300` needs redis-server.
"""

import argparse
import asyncio
import os
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from infra.embedded.volatile import Volatile
from infra.process.bounds import Bounds
from infra.process.settings import Settings
from infra.store.outbox import Outbox
from service.bootstrap import Deps, wire
from service.commands import tables
from service.commands.records import OpenMatch
from tests.clusters import Cluster

TOGETHER = 32
SEATS = ({"kind": "me"}, {"kind": "open"})


async def fill(deps: Deps, count: int) -> None:
    async def some(first: int) -> None:
        for n in range(first, count, TOGETHER):
            await tables.open_match(deps, OpenMatch(who=f"account:{n}", game="tides-of-time", seats=SEATS))

    await asyncio.gather(*(some(n) for n in range(TOGETHER)))


async def passed_on(deps: Deps) -> None:
    outbox = Outbox(deps.client)
    while await outbox.lag():  # noqa: ASYNC110 - the store tells nobody
        await asyncio.sleep(1)


def cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def measure(url: str, queue: str, matches: int, seconds: float) -> float:
    """The part of one core that a relay uses."""
    deps = wire(Settings(given_secret="a secret of tests", bounds=Bounds.wide()), url)
    env = {**os.environ, "TURNLOG_REDIS_URL": url, "TURNLOG_QUEUE_URL": queue, "TURNLOG_LOG_LEVEL": "error"}
    try:
        await Outbox(deps.client).ensure_groups()
        await fill(deps, matches)
        relay = await asyncio.create_subprocess_exec(sys.executable, "-m", "service.cli", "relay", env=env)
        try:
            await passed_on(deps)
            await asyncio.sleep(10)
            began, used = time.monotonic(), cpu_s(relay.pid)
            await asyncio.sleep(seconds)
            return (cpu_s(relay.pid) - used) / (time.monotonic() - began)
        finally:
            relay.terminate()
            await relay.wait()
    finally:
        await deps.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=300.0)
    given = parser.parse_args()
    with TemporaryDirectory() as folder, Cluster(Path(folder)) as cluster, Volatile(folder) as queue:
        share = asyncio.run(measure(cluster.url, queue.url, given.matches, given.seconds))
    sys.stdout.write(f"{given.matches} open matches, idle for {given.seconds:.0f} s: {share:.2%} of a core\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
