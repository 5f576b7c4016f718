"""Which shards of a cluster have news: told by whoever appends, and all of them now and then.

What is told may be lost, so nothing rests on it but how soon somebody looks.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from contextlib import suppress

from infra.store import channels, keys
from infra.store.redis import Client

ALL = frozenset(range(keys.SHARDS))
SWEEP_S = 5.0


class Spoken:
    def __init__(self, client: Client) -> None:
        self._client = client
        self._shards = set(ALL)
        self._news = asyncio.Event()
        self._news.set()
        self._sweep_at = time.monotonic() + SWEEP_S
        self._task = asyncio.create_task(self._run(), name="spoken")

    def speak(self, shards: Iterable[int]) -> None:
        """These are to be read."""
        self._shards.update(shards)
        if self._shards:
            self._news.set()

    async def wait(self, seconds: float) -> set[int]:
        """Those that spoke since the last time; all of them if it is time to look everywhere."""
        with suppress(TimeoutError):
            async with asyncio.timeout(max(0.0, min(seconds, self._sweep_at - time.monotonic()))):
                await self._news.wait()
        self._news.clear()
        found, self._shards = self._shards, set()
        if time.monotonic() < self._sweep_at:
            return found
        self._sweep_at = time.monotonic() + SWEEP_S
        return set(ALL)

    async def aclose(self) -> None:
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task

    async def _run(self) -> None:
        async for told in channels.follow(self._client):
            self.speak(ALL if told is None else [_shard(told)])


def _shard(told: bytes) -> int:
    """Of the match that a message is about."""
    return keys.shard(told.decode().rpartition(" ")[0])
