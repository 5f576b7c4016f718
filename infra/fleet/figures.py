"""What every process counts, gathered in one place: on the server that keeps nothing, where the queue is.

A process says every few seconds how far it has counted; whoever is asked for figures answers for all. One
that was not heard for a while counts no more.
"""

from __future__ import annotations

import threading
import time
import zlib
from collections.abc import Iterable

import msgspec
import redis
import structlog

from infra.process import metrics
from infra.process.metrics import Family
from infra.store import keys, signs_of_life
from infra.store.redis import Client, ask, connect_sync

EVERY_S = 5.0
SLOWLY_S = 30.0  # where the queue is the store, every word goes to the disk
FRESH_S = 90.0
FORGOTTEN_S = 3600.0
log = structlog.get_logger(__name__)


class Report(msgspec.Struct, frozen=True):
    """What one process says; `at` in seconds since 1970."""

    at: float
    families: list[Family]


class Publisher:
    """A thread beside whatever a process does: a worker that thinks still tells."""

    def __init__(self, queue_url: str, role: str, every_s: float = EVERY_S) -> None:
        self._connection = connect_sync(queue_url)
        self._role, self._every_s = role, every_s
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="figures", daemon=True)

    def start(self) -> Publisher:
        self._thread.start()
        return self

    def stop(self) -> None:
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(2.0)
        self._connection.close()

    def tell(self) -> None:
        """Once; a queue that is away hears it the next time."""
        try:
            self._connection.hset(keys.FIGURES, _field(self._role), packed(metrics.families()))
        except (redis.RedisError, OSError) as reason:
            log.debug("figures were not told", reason=str(reason))

    def _run(self) -> None:
        while not self._stop.is_set():
            self.tell()
            self._stop.wait(self._every_s)


def packed(families: Iterable[Family]) -> bytes:
    return zlib.compress(msgspec.json.encode(Report(time.time(), list(families))), 1)


def _read(raw: bytes) -> Report:
    """What another version has told may not be readable here: as if it were silent."""
    try:
        return msgspec.json.decode(zlib.decompress(raw), type=Report)
    except (zlib.error, msgspec.DecodeError) as problem:
        log.debug("figures of another version", reason=str(problem))
        return Report(time.time() - FRESH_S - 1, [])


def _field(role: str) -> str:
    return f"{role} {signs_of_life.instance()}"


async def gather(client: Client, role: str) -> dict[tuple[str, str], list[Family]]:
    """Of every process that was heard lately, by role and name; this one as it is now."""
    found = {(role, signs_of_life.instance()): metrics.families()}
    now = time.time()
    for field, raw in (await ask(client, "HGETALL", keys.FIGURES)).items():
        told = _read(raw)
        its_role, _, process = field.decode().partition(" ")
        if now - told.at > FORGOTTEN_S:
            await ask(client, "HDEL", keys.FIGURES, field)
        elif now - told.at <= FRESH_S:
            found.setdefault((its_role, process), told.families)
    return found
