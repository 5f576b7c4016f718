"""How the house stands: what waits, how late it is, what something went wrong with, where memory goes."""

from __future__ import annotations

import time
from collections import Counter
from datetime import datetime
from typing import Any

from infra.process import metrics
from infra.store import keys, signs_of_life
from infra.store.outbox import Outbox
from infra.store.parked import Parked
from infra.store.redis import Client, ask, reaching, send

AGENDAS = {"notices": keys.NOTICES, "calls": keys.CALLS, "bots": keys.OWED}
QUEUE, JOB = "rq:queue:{}", "rq:job:{}"  # as RQ names them
HEARD_S = 15.0
SAMPLE = 200  # keys by which memory is estimated
SAMPLE_EVERY_S = 60.0


class Sampled:
    """When this process has last looked at keys by chance."""

    at = -SAMPLE_EVERY_S


SAMPLED = Sampled()


class State:
    """Looked up when somebody asks; the sample of keys not more often than once a minute."""

    def __init__(self, store: Client, queue: Client, queues: tuple[str, ...]) -> None:
        self._store, self._queue, self._queues = store, queue, queues

    async def look(self) -> None:
        """Set all figures of the house. Raises StoreUnavailable."""
        metrics.OUTBOX_LAG.set(await Outbox(self._store).lag())
        metrics.PARKED.set(await Parked(self._store).count())
        await self._look_at_queues()
        await self._look_at_lateness()
        await self._look_at_roles()
        await self._look_at_matches()
        await self._look_at_memory()

    async def _look_at_queues(self) -> None:
        for name in self._queues:
            first = await ask(self._queue, "LINDEX", QUEUE.format(name), 0)
            job = JOB.format("" if first is None else first.decode())
            since = await ask(self._queue, "HGET", job, "enqueued_at")
            metrics.QUEUE_JOBS.labels(name).set(await ask(self._queue, "LLEN", QUEUE.format(name)))
            metrics.QUEUE_AGE.labels(name).set(0.0 if since is None else _age(since.decode()))

    async def _look_at_lateness(self) -> None:
        """What is due is taken from its list at once: the first that is still there says how late we are."""
        now = time.time() * 1000
        for what, key in AGENDAS.items():
            first = await ask(self._store, "ZRANGE", key, 0, 0, "WITHSCORES")
            metrics.LATE.labels(what).set(_late(first, now))
        pipe = self._store.pipeline(transaction=False)
        for n in range(keys.SHARDS):
            pipe.zrange(keys.due(n), 0, 0, withscores=True)
        with reaching():
            metrics.LATE.labels("deadlines").set(max(_late(first, now) for first in await send(pipe)))

    async def _look_at_roles(self) -> None:
        for role, processes in (await signs_of_life.heard(self._store)).items():
            metrics.SILENT.labels(role).set(min(processes.values()))
            metrics.PROCESSES.labels(role).set(sum(silent <= HEARD_S for silent in processes.values()))

    async def _look_at_matches(self) -> None:
        pipe = self._store.pipeline(transaction=False)
        for n in range(keys.SHARDS):
            pipe.execute_command("ZCARD", keys.ended(n))
            pipe.execute_command("HLEN", keys.archived(n))
        with reaching():
            found = await send(pipe)
        metrics.MATCHES_OVER.labels("store").set(sum(found[::2]))
        metrics.MATCHES_OVER.labels("archive").set(sum(found[1::2]))

    async def _look_at_memory(self) -> None:
        untyped: Any = self._store
        with reaching():
            info = await untyped.info()
        is_cluster = all(isinstance(one, dict) for one in info.values())
        servers = list(info.values()) if is_cluster else [info]
        metrics.STORE_MEMORY.set(sum(one.get("used_memory", 0) for one in servers))
        metrics.STORE_DELAYED.set(sum(one.get("aof_delayed_fsync", 0) for one in servers))
        if time.monotonic() - SAMPLED.at >= SAMPLE_EVERY_S:
            SAMPLED.at = time.monotonic()
            await self._sample()

    async def _sample(self) -> None:
        """A few keys by chance, and what they would be if all were like them."""
        untyped: Any = self._store
        with reaching():
            count = await untyped.dbsize()
            names = [await untyped.randomkey() for _ in range(min(SAMPLE, count))]
        sizes: Counter[str] = Counter(dict.fromkeys(keys.KINDS, 0))
        for name in names:
            if name is not None:
                sizes[keys.kind(name.decode())] += await ask(self._store, "MEMORY", "USAGE", name) or 0
        for kind, size in sizes.items():
            metrics.STORE_KIND.labels(kind).set(size * count / max(1, len(names)))


def _late(first: Any, now: float) -> float:
    """Seconds by which the first of a sorted set is late; the client gives pairs, or a flat list."""
    if not first:
        return 0.0
    score = first[0][1] if isinstance(first[0], tuple | list) else first[1]
    return max(0.0, (now - float(score)) / 1000)


def _age(stamp: str) -> float:
    return max(0.0, time.time() - datetime.fromisoformat(stamp.replace("Z", "+00:00")).timestamp())
