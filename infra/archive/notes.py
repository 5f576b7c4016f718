"""What the store knows of the archive: which matches lie where, which are to go there next, and the roots.

A match moves in one step: its note is made and its log dropped by the same script, and only if the log is
the very one that was written. So at every moment it is in one place, whoever dies when.
"""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Sequence
from typing import NamedTuple

from infra.process import processes
from infra.store import keys, signs_of_life
from infra.store.redis import Client, ask, reaching, send
from infra.store.scripts import Script

AT_ONCE = 500  # notes of a shard that are read together

# KEYS  1 log   2 archived   3 ended   4 signature   5 origin      ARGV  1 match   2 events   3 mark   4 note
MOVE = Script(
    "local length = redis.call('XLEN', KEYS[1])"
    " if length == 0 and redis.call('HGET', KEYS[2], ARGV[1]) == ARGV[4] then return 1 end"
    " if length ~= tonumber(ARGV[2]) then return 0 end"
    " local tail = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]"
    " if redis.sha1hex(tail[2][2]) ~= ARGV[3] then return 0 end"
    " redis.call('HSET', KEYS[2], ARGV[1], ARGV[4])"
    " redis.call('ZREM', KEYS[3], ARGV[1])"
    " redis.call('DEL', KEYS[1], KEYS[4], KEYS[5])"
    " return 1"
)
OVER = Script(
    "if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end"
    " return redis.call('ZADD', KEYS[2], 'NX', ARGV[2], ARGV[1])"
)
RELEASE = Script(
    "if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end return redis.call('DEL', KEYS[1])"
)
RENEW = Script(
    "if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end"
    " return redis.call('PEXPIRE', KEYS[1], ARGV[2])"
)


class Note(NamedTuple):
    """Where an archived match lies. As text it begins with its length, which the append reads."""

    events: int
    segment: str
    offset: int
    size: int
    head: str

    @classmethod
    def read(cls, raw: bytes) -> Note:
        """
        >>> Note.read(b"33 2026-11/18-1 8 700 ab").segment
        '2026-11/18-1'
        """
        events, segment, offset, size, head = raw.decode().split(" ")
        return cls(int(events), segment, int(offset), int(size), head)

    @property
    def text(self) -> str:
        return " ".join(map(str, self))

    @property
    def month(self) -> str:
        """In which it was archived."""
        return self.segment.partition("/")[0]


class Notes:
    def __init__(self, client: Client) -> None:
        self._client = client
        self._me = signs_of_life.instance()

    async def of(self, match: str) -> Note | None:
        raw = await ask(self._client, "HGET", keys.archived(keys.shard(match)), match)
        return Note.read(raw) if raw else None

    async def matches(self) -> AsyncIterator[tuple[str, Note]]:
        """Every archived match, in no order."""
        for n in range(keys.SHARDS):
            seen, mark = set(), "0"
            while True:
                command = ("HSCAN", keys.archived(n), mark, "COUNT", AT_ONCE)
                mark, found = _page(await ask(self._client, *command))
                for match, raw in found:
                    if match not in seen:  # a scan may show one twice
                        seen.add(match)
                        yield match, Note.read(raw)
                if mark == "0":
                    break

    async def count(self) -> int:
        """How many matches are archived."""
        pipe = self._client.pipeline(transaction=False)
        for n in range(keys.SHARDS):
            pipe.execute_command("HLEN", keys.archived(n))
        with reaching():
            return sum(await send(pipe))

    async def waiting(self) -> int:
        """How many are over and still in the store."""
        pipe = self._client.pipeline(transaction=False)
        for n in range(keys.SHARDS):
            pipe.execute_command("ZCARD", keys.ended(n))
        with reaching():
            return sum(await send(pipe))

    async def over(self, match: str, ms: int) -> None:
        """A match is over since then; what was noted first counts, and what is archived is left alone."""
        with reaching():
            where = [keys.log(match), keys.ended(keys.shard(match))]
            await OVER.run(self._client, where, [match, ms])

    async def leave(self, match: str) -> None:
        """This one is not to be archived."""
        await ask(self._client, "ZREM", keys.ended(keys.shard(match)), match)

    async def postpone(self, matches: Sequence[str], ms: int) -> None:
        """Those of them that are still here count as over since then."""
        pipe = self._client.pipeline(transaction=False)
        for match in matches:
            pipe.execute_command("ZADD", keys.ended(keys.shard(match)), "XX", ms, match)
        with reaching():
            await send(pipe)

    async def due(self, ms: int, limit: int) -> list[tuple[str, int]]:
        """Up to `limit` matches that were over at that time, the longest ago first."""
        pipe = self._client.pipeline(transaction=False)
        for n in range(keys.SHARDS):
            pipe.zrange(keys.ended(n), "-inf", ms, byscore=True, withscores=True, offset=0, num=limit)
        with reaching():
            shards = await send(pipe)
        found = [(match.decode(), int(when)) for some in shards for match, when in some]
        return sorted(found, key=lambda pair: (pair[1], pair[0]))[:limit]

    async def move(self, match: str, note: Note, last: bytes) -> bool:
        """The match lies in the archive from now on; False if its log is not the one that ends so."""
        n = keys.shard(match)
        where = [keys.log(match), keys.archived(n), keys.ended(n), keys.signed(match), keys.origin(match)]
        mark = hashlib.sha1(last, usedforsecurity=False).hexdigest()
        with reaching():
            return bool(await MOVE.run(self._client, where, [match, note.events, mark, note.text]))

    async def begin(self, segment: str) -> None:
        """This one is about to be written."""
        await ask(self._client, "SET", keys.WRITING, segment)

    async def begun(self) -> str | None:
        """One whose writer may have died."""
        raw = await ask(self._client, "GET", keys.WRITING)
        return raw.decode() if raw else None

    async def done(self, segment: str, matches: int, size: int) -> None:
        """All of its matches have moved; a segment in which none is counts for nothing."""
        if matches:
            await ask(self._client, "HSET", keys.SEGMENTS, segment, f"{matches} {size}")
        await ask(self._client, "DEL", keys.WRITING)

    async def segments(self) -> dict[str, tuple[int, int]]:
        """Every segment, with how many matches and bytes it has."""
        raw: dict[bytes, bytes] = await ask(self._client, "HGETALL", keys.SEGMENTS)
        found = {name.decode(): text.split() for name, text in raw.items()}
        return {name: (int(matches), int(size)) for name, (matches, size) in sorted(found.items())}

    async def roots(self) -> dict[str, bytes]:
        """What was published of each month, the earliest first."""
        raw: dict[bytes, bytes] = await ask(self._client, "HGETALL", keys.ROOTS)
        return {month.decode(): text for month, text in sorted(raw.items())}

    async def publish(self, month: str, root: bytes) -> None:
        """Once: what was said stays."""
        await ask(self._client, "HSETNX", keys.ROOTS, month, root)

    async def take_over(self, seconds: int) -> bool:
        """Be the one who archives, for so long at most; asked again by the same process, so long from now."""
        holder = await ask(self._client, "GET", keys.ARCHIVIST)
        if holder is not None and _is_dead(holder.decode()):
            await self._release(holder)
        if await ask(self._client, "SET", keys.ARCHIVIST, self._me, "NX", "EX", seconds):
            return True
        with reaching():
            return bool(await RENEW.run(self._client, [keys.ARCHIVIST], [self._me, seconds * 1000]))

    async def hand_back(self) -> None:
        await self._release(self._me)

    async def _release(self, holder: str | bytes) -> None:
        with reaching():
            await RELEASE.run(self._client, [keys.ARCHIVIST], [holder])

    async def is_filled(self) -> bool:
        """Whether matches that ended before there was an archive are noted, too."""
        return bool(await ask(self._client, "EXISTS", keys.FILLED))

    async def filled(self) -> None:
        await ask(self._client, "SET", keys.FILLED, 1)


def _is_dead(instance: str) -> bool:
    """Whether it was a process of this machine that runs no longer; others are waited for."""
    host, _, pid = instance.rpartition("-")
    here = signs_of_life.instance().rpartition("-")[0]
    return host == here and pid.isdigit() and processes.mark(int(pid)) is None


def _page(reply: tuple[int | bytes, dict[bytes, bytes] | list[bytes]]) -> tuple[str, list[tuple[str, bytes]]]:
    """The mark of the next page, and pairs; the client makes a dict of them or not."""
    mark, found = reply
    pairs = found.items() if isinstance(found, dict) else zip(found[::2], found[1::2], strict=True)
    text = mark.decode() if isinstance(mark, bytes) else str(mark)
    return text, [(match.decode(), raw) for match, raw in pairs]
