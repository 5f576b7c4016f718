"""What was appended and not yet passed on: one stream a shard, read by the relays as one consumer group.

Whoever takes an entry keeps it until it acknowledges it; what a dead relay kept is claimed by a living one.
So every append is passed on at least once, and what follows from it must be idempotent.
"""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from redis.asyncio import Redis
from redis.exceptions import ResponseError

from infra import keys
from infra.redis import TIMEOUT_S, Client, reaching

GROUP = "relay"
LONGEST_BLOCK_MS = int(TIMEOUT_S * 1000) - 2000  # the answer must come before the socket's time-out
CLUSTER_PAUSE_S = 0.05
MOST_CLAIMED = 100  # of a shard at once


class Entry(NamedTuple):
    """The events `first` to `last` of a match were appended."""

    shard: int
    id: str
    match: str
    first: int
    last: int


class Outbox:
    """The outbox of all shards."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._streams: dict[Any, Any] = {keys.outbox(n): ">" for n in range(keys.SHARDS)}

    async def ensure_groups(self) -> None:
        """Make the consumer group of every shard, from the beginning of its stream; an existing one stays."""
        pipe = self._pipe()
        for stream in self._streams:
            pipe.xgroup_create(stream, GROUP, id="0", mkstream=True)
        for outcome in await self._send(pipe):
            if isinstance(outcome, ResponseError) and not str(outcome).startswith("BUSYGROUP"):
                raise outcome

    async def take(self, consumer: str, block_ms: int, count: int) -> list[Entry]:
        """Take new entries, up to `count` of each shard, waiting up to `block_ms` for the first."""
        try:
            with reaching():
                return await self._take(consumer, min(block_ms, LONGEST_BLOCK_MS), count)
        except ResponseError as error:
            return await self._begin_anew(error)

    async def claim(self, consumer: str, idle_ms: int) -> list[Entry]:
        """Take over entries that somebody took at least `idle_ms` ago and never acknowledged."""
        pipe = self._pipe()
        for stream in self._streams:
            pipe.xautoclaim(stream, GROUP, consumer, idle_ms, "0-0", count=MOST_CLAIMED)
        try:
            replies = _checked(await self._send(pipe))
        except ResponseError as error:
            return await self._begin_anew(error)
        return [_entry(n, pair) for n, reply in enumerate(replies) for pair in reply[1]]

    async def _begin_anew(self, error: ResponseError) -> list[Entry]:
        """A new store, one that was emptied, or another one under the same address has no groups yet."""
        if not str(error).startswith("NOGROUP"):
            raise error
        await self.ensure_groups()
        return []

    async def ack(self, entries: Iterable[Entry]) -> None:
        """Acknowledge entries: they are passed on for good."""
        by_shard: defaultdict[int, list[str]] = defaultdict(list)
        for entry in entries:
            by_shard[entry.shard].append(entry.id)
        if not by_shard:
            return
        pipe = self._pipe()
        for n, ids in by_shard.items():
            pipe.xack(keys.outbox(n), GROUP, *ids)
        _checked(await self._send(pipe))

    async def trim(self) -> int:
        """Drop what everybody is done with; return how many entries that were."""
        # Groups before pending: an entry delivered in between is newer than the group's mark that we use.
        groups = await self._groups()
        pending = self._pipe()
        for stream in self._streams:
            pending.xpending(stream, GROUP)
        oldest = [reply["min"] for reply in _checked(await self._send(pending))]
        pipe = self._pipe()
        for stream, group, low in zip(self._streams, groups, oldest, strict=True):
            pipe.xtrim(stream, minid=_keep_from(group["last-delivered-id"], low), approximate=False)
        return sum(_checked(await self._send(pipe)))

    async def lag(self) -> int:
        """Return how many entries are not yet passed on: never taken, or taken and not acknowledged."""
        return sum((group["lag"] or 0) + group["pending"] for group in await self._groups())

    async def _groups(self) -> list[dict[str, Any]]:
        pipe = self._pipe()
        for stream in self._streams:
            pipe.xinfo_groups(stream)
        return [_relay(groups) for groups in _checked(await self._send(pipe))]

    async def _take(self, consumer: str, block_ms: int, count: int) -> list[Entry]:
        if isinstance(self._client, Redis):
            reply: Any = await self._client.xreadgroup(
                GROUP, consumer, self._streams, count=count, block=block_ms if block_ms > 0 else None
            )
            return _entries(reply)
        return await self._take_from_cluster(consumer, block_ms, count)

    async def _take_from_cluster(self, consumer: str, block_ms: int, count: int) -> list[Entry]:
        # One read cannot wait on several servers, so all shards are asked again and again.
        deadline = time.monotonic() + block_ms / 1000
        while True:
            pipe = self._pipe()
            for stream in self._streams:
                pipe.xreadgroup(GROUP, consumer, {stream: ">"}, count=count)
            found = [entry for reply in _checked(await self._send(pipe)) for entry in _entries(reply)]
            if found or time.monotonic() >= deadline:
                return found
            await asyncio.sleep(CLUSTER_PAUSE_S)

    def _pipe(self) -> Any:
        return self._client.pipeline(transaction=False)

    async def _send(self, pipe: Any) -> list[Any]:
        with reaching():
            replies: list[Any] = await pipe.execute(raise_on_error=False)
            return replies


def _checked(replies: list[Any]) -> list[Any]:
    for reply in replies:
        if isinstance(reply, Exception):
            with reaching():
                raise reply
    return replies


def _entries(reply: Iterable[tuple[bytes, Sequence[Any]]]) -> list[Entry]:
    return [_entry(_shard_of(stream), pair) for stream, pairs in reply or () for pair in pairs]


def _entry(n: int, pair: tuple[bytes, dict[bytes, bytes]]) -> Entry:
    id, fields = pair
    return Entry(n, id.decode(), fields[b"match"].decode(), int(fields[b"first"]), int(fields[b"last"]))


def _shard_of(stream: bytes) -> int:
    return int(stream[stream.index(b"{") + 1 : stream.index(b"}")])


def _relay(groups: list[dict[str, Any]]) -> dict[str, Any]:
    for group in groups:
        if group["name"] == GROUP.encode():
            return group
    raise ResponseError(f"NOGROUP the outbox has no group {GROUP}")


def _keep_from(delivered: bytes, oldest_pending: bytes | None) -> str:
    """Return the lowest id that somebody may still need."""
    ms, n = delivered.decode().split("-")
    after = (int(ms), int(n) + 1)
    if oldest_pending is not None:
        low, m = oldest_pending.decode().split("-")
        after = min(after, (int(low), int(m)))
    return f"{after[0]}-{after[1]}"
