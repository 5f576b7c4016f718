"""What the archive is worth: `python -m tests.archiving 2000`, on a store and a folder of its own.

Finished matches of all games, followed by a real relay, are measured in the store, archived, and measured
again: memory, the time a store takes to start, how long answers take, and whether any of them differs.
"""

import asyncio
import collections
import hashlib
import re
import statistics
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from random import Random

from engine import registry
from engine.events import Holder, Place
from engine.table import LogWriter, NewTable, act, open_match, sit
from infra.embedded.bundled import Embedded
from infra.process import telemetry
from infra.process.settings import Settings
from infra.store.redis import connect_sync
from service.archive import moving
from service.bootstrap import wire
from tests.integration.api.conftest import open_house
from workers.jobs import Jobs
from workers.relay import Relay

EVERYTHING = 2**53
SAMPLE = 100
AT = "2026-10-01T09:00:00.000Z"


def say(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def finished(key, ident, rng):
    """The lines of a match that two people have played at random."""
    rules = registry.game(key)
    seats = max(2, rules.players[0])
    writer = LogWriter(None, AT, "account:a")
    table = NewTable(ident, [Place("open")] * seats, [None] * seats, rng.randbytes(32))
    open_match(writer, key, rules.Options(), table)
    for seat in range(seats):
        writer.by = f"account:{'abcdef'[seat]}{rng.randrange(500)}"
        sit(writer, seat, Holder("person", writer.by))
    while writer.match.status == "running":
        match = writer.match
        seat = rng.choice(match.to_act)
        writer.by = match.chairs[seat].holder.id
        act(writer, seat, rng.choice(list(rules.legal(match.state, seat))))
    return writer.lines


async def fill(deps, queue, count):
    rng, relay = Random(7), Relay(deps, Jobs(queue))
    await relay.step()
    idents = []
    for n in range(count):
        idents.append(f"m{n:05d}-{rng.randrange(10**6):06d}")
        await deps.store.append(idents[-1], 0, finished(list(registry.GAMES)[n % 5], idents[-1], rng))
        if n % 200 == 199:
            while await relay.step():
                pass
            say(f"  {n + 1} matches")
    while await relay.step():
        pass
    await relay._outbox.trim()
    return idents


async def memory(deps):
    return int((await deps.client.info("memory"))["used_memory"])


@contextmanager
def timed(times):
    begin = time.perf_counter()
    yield
    times.append((time.perf_counter() - begin) * 1000)


async def look(settings, url, idents):
    """Digests of many answers of a process that remembers nothing, and how long they took."""
    deps = wire(settings, url)
    found, times = hashlib.sha256(), {"replay": [], "log": [], "history": []}
    async with open_house(deps) as house:
        page = "/api/matches?status=finished&limit=50"
        await house.nobody.get(page)
        for ident in idents:
            for what, path in (
                ("replay", f"{ident}?at=8"),
                ("log", f"{ident}/log"),
            ):
                deps.matches._kept.clear()
                deps.archive._kept.clear()
                with timed(times[what]):
                    answer = await house.nobody.get(f"/api/matches/{path}")
                assert answer.status_code == 200, answer.text
                found.update(answer.content)
            with timed(times["history"]):
                found.update((await house.nobody.get(page)).content)
    await deps.close()
    return found.hexdigest(), {what: statistics.median(some) for what, some in times.items()}


async def started(deps, server):
    """Seconds until a store that has written its file anew answers after a restart."""
    await deps.client.bgrewriteaof()
    while (await deps.client.info("persistence"))["aof_rewrite_in_progress"]:  # noqa: ASYNC110
        await asyncio.sleep(0.1)
    server.stop()
    begin = time.perf_counter()
    server.start()
    return time.perf_counter() - begin


async def by_kind(deps, count):
    """Bytes a match of each kind of key."""
    kinds = collections.Counter()
    async for key in deps.client.scan_iter(count=1000):
        kind = re.sub(r"m\d{5}-\d{6}", "<match>", re.sub(r"\{\d+\}", "{}", key.decode()))
        kind = re.sub(r"account:\w+", "<account>", kind)
        kinds[kind] += await deps.client.memory_usage(key, samples=0) or 0
    return {kind: round(size / count) for kind, size in kinds.most_common(12)}


async def main(count):
    telemetry.configure("error")
    with tempfile.TemporaryDirectory() as folder, Embedded(Path(folder)) as server:
        settings = Settings(data=Path(folder), given_secret="a secret of tests", rate_limit=10**6)
        deps = wire(settings, server.url)
        await deps.kept.load()
        empty = await memory(deps)
        idents = await fill(deps, connect_sync(server.url), count)
        sample = Random(1).sample(idents, min(SAMPLE, count))
        before = await memory(deps)
        digest, ms = await look(settings, server.url, sample)
        say(f"in the store:   {(before - empty) / count:8.0f} bytes a match; ms p50 {ms}")
        say(f"  {await by_kind(deps, count)}; the store starts in {await started(deps, server):.2f} s")
        begin = time.perf_counter()
        moved = moving.Moved()
        while (some := await moving.move(deps, EVERYTHING)).matches:
            moved += some
        spent = time.perf_counter() - begin
        after = await memory(deps)
        again, ms = await look(settings, server.url, sample)
        say(f"in the archive: {(after - empty) / count:8.0f} bytes a match; ms p50 {ms}")
        say(f"  {await by_kind(deps, count)}; the store starts in {await started(deps, server):.2f} s")
        say(f"{moved.matches} archived in {spent:.1f} s, {moved.size / count:.0f} bytes a match on the shelf")
        say(f"answers {'are the same' if again == digest else 'DIFFER'}: {len(sample)} replays, logs, lists")
        await deps.close()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
