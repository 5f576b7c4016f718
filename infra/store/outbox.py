"""What was appended and not yet passed on: one stream a shard, read by the relays as one consumer group.

Whoever takes an entry keeps it until it acknowledges it; what a dead relay kept is claimed by a living one.
So every append is passed on at least once, and what follows from it must be idempotent.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Awaitable, Iterable, Sequence
from typing import Any, NamedTuple, TypeVar

from redis.asyncio import Redis
from redis.exceptions import ResponseError

from infra.store import keys
from infra.store.redis import TIMEOUT_S, Client, reaching, send
from infra.store.spoken import Spoken

T = TypeVar("T")
GROUP = "relay"
MISSING = ("NOGROUP", "no such key")  # how a store says that a stream has no group, or is not there at all
LONGEST_BLOCK_MS = int(TIMEOUT_S * 1000) - 2000  # the answer must come before the socket's time-out
MAX_CLAIMED = 100  # of a shard at once


class OutboxEntry(NamedTuple):
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
        self._spoken: Spoken | None = None
        self._mine = set(range(keys.SHARDS))  # on a cluster: a single server shares entries out by itself
        self._streams: dict[Any, Any] = {keys.outbox(n): ">" for n in range(keys.SHARDS)}

    async def ensure_groups(self) -> None:
        """Make the consumer group of every shard, from the beginning of its stream; an existing one stays."""
        pipe = self._pipe()
        for stream in self._streams:
            pipe.xgroup_create(stream, GROUP, id="0", mkstream=True)
        for outcome in await self._send(pipe):
            if isinstance(outcome, ResponseError) and not str(outcome).startswith("BUSYGROUP"):
                raise outcome

    async def take(self, consumer: str, block_ms: int, count: int) -> list[OutboxEntry]:
        """Take new entries, up to `count` of each shard, waiting up to `block_ms` for the first."""
        with reaching():
            return await self._grouped(self._take(consumer, min(block_ms, LONGEST_BLOCK_MS), count), [])

    async def claim(self, consumer: str, idle_ms: int) -> list[OutboxEntry]:
        """Take over entries that somebody took at least `idle_ms` ago and never acknowledged."""
        return await self._grouped(self._claim(consumer, idle_ms), [])

    async def _claim(self, consumer: str, idle_ms: int) -> list[OutboxEntry]:
        pipe, shards = self._pipe(), sorted(self._mine)
        for n in shards:
            pipe.xautoclaim(keys.outbox(n), GROUP, consumer, idle_ms, "0-0", count=MAX_CLAIMED)
        replies = _checked(await self._send(pipe))
        return [_entry(n, pair) for n, reply in zip(shards, replies, strict=True) for pair in reply[1]]

    async def ack(self, entries: Iterable[OutboxEntry]) -> None:
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
        return await self._grouped(self._trim(), 0)

    async def _grouped(self, work: Awaitable[T], otherwise: T) -> T:
        """Work that needs the groups: of a new store, or one that was emptied, they are made first."""
        try:
            return await work
        except ResponseError as error:
            if not str(error).startswith(MISSING):
                raise
            await self.ensure_groups()
            return otherwise

    async def _trim(self) -> int:
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
        """How many entries are not yet passed on: never taken, or taken and not acknowledged."""
        return sum((group["lag"] or 0) + group["pending"] for group in await self._groups())

    async def _groups(self) -> list[dict[str, Any]]:
        pipe = self._pipe()
        for stream in self._streams:
            pipe.xinfo_groups(stream)
        return [_relay(groups) for groups in _checked(await self._send(pipe))]

    async def _take(self, consumer: str, block_ms: int, count: int) -> list[OutboxEntry]:
        if isinstance(self._client, Redis):
            reply: Any = await self._client.xreadgroup(
                GROUP, consumer, self._streams, count=count, block=block_ms if block_ms > 0 else None
            )
            return _entries(reply)
        return await self._take_from_cluster(consumer, block_ms, count)

    async def _take_from_cluster(self, consumer: str, block_ms: int, count: int) -> list[OutboxEntry]:
        """One read cannot wait on several servers: those shards are read that spoke, all now and then.

        A shard may have spoken of what is read already, or not at all: only an entry ends the waiting.
        """
        if self._spoken is None:
            self._spoken = Spoken(self._client)
        until = time.monotonic() + block_ms / 1000
        while True:
            shards = sorted(await self._spoken.wait(until - time.monotonic()) & self._mine)
            found = await self._read(self._spoken, shards, consumer, count)
            if found or time.monotonic() >= until:
                return found

    async def _read(
        self, spoken: Spoken, shards: Sequence[int], consumer: str, count: int
    ) -> list[OutboxEntry]:
        pipe = self._pipe()
        for n in shards:
            pipe.xreadgroup(GROUP, consumer, {keys.outbox(n): ">"}, count=count)
        replies = _checked(await self._send(pipe)) if shards else []
        found = [_entries(reply) for reply in replies]
        spoken.speak(n for n, some in zip(shards, found, strict=True) if len(some) == count)
        return [entry for some in found for entry in some]

    def keep_to(self, shards: set[int]) -> None:
        """Leave the other shards to other relays; those that are new here may have waited."""
        if self._spoken is not None:
            self._spoken.speak(shards - self._mine)
        self._mine = shards

    async def aclose(self) -> None:
        if self._spoken is not None:
            await self._spoken.aclose()

    def _pipe(self) -> Any:
        return self._client.pipeline(transaction=False)

    async def _send(self, pipe: Any) -> list[Any]:
        with reaching():
            return await send(pipe, raise_on_error=False)


def _checked(replies: list[Any]) -> list[Any]:
    for reply in replies:
        if isinstance(reply, Exception):
            with reaching():
                raise reply
    return replies


def _entries(reply: Iterable[tuple[bytes, Sequence[Any]]]) -> list[OutboxEntry]:
    return [_entry(_shard_of(stream), pair) for stream, pairs in reply or () for pair in pairs]


def _entry(n: int, pair: tuple[bytes, dict[bytes, bytes]]) -> OutboxEntry:
    id, fields = pair
    return OutboxEntry(n, id.decode(), fields[b"match"].decode(), int(fields[b"first"]), int(fields[b"last"]))


def _shard_of(stream: bytes) -> int:
    return int(stream[stream.index(b"{") + 1 : stream.index(b"}")])


def _relay(groups: list[dict[str, Any]]) -> dict[str, Any]:
    for group in groups:
        if group["name"] == GROUP.encode():
            return group
    raise ResponseError(f"NOGROUP the outbox has no group {GROUP}")


def _keep_from(delivered: bytes, oldest_pending: bytes | None) -> str:
    """The lowest id that somebody may still need."""
    ms, n = delivered.decode().split("-")
    after = (int(ms), int(n) + 1)
    if oldest_pending is not None:
        low, m = oldest_pending.decode().split("-")
        after = min(after, (int(low), int(m)))
    return f"{after[0]}-{after[1]}"
