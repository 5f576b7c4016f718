"""The event log of every match: the only truth.

`seq` counts from 1 and is the stream's entry id, so a log's length is the seq of its last event. An append
says how long it believes the log to be; of several that believe the same, one wins.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Sequence
from enum import Enum
from typing import NamedTuple

from redis.asyncio import Redis

from infra.process.errors import CommandReused, Conflict, StoreUnavailable
from infra.process.metrics import APPEND_CONFLICTS, APPEND_SECONDS, APPENDS
from infra.store import channels, keys
from infra.store.beside import Elsewhere
from infra.store.durability import AGAIN, LOCAL, Durability
from infra.store.flights import GroupCommit
from infra.store.keys import shard
from infra.store.nodes import ClusterCommits
from infra.store.redis import Client, call, reaching, send
from infra.store.scripts import Script

__all__ = [
    "KEEP",
    "Appended",
    "Cmd",
    "CommandReused",
    "Conflict",
    "EventStore",
    "Keep",
    "StoreUnavailable",
    "shard",
]

APPEND = Script.beside("append.lua")
SET_DUE = Script(
    "if ARGV[3] ~= '-1' and redis.call('XLEN', KEYS[1]) ~= tonumber(ARGV[3]) then return 0 end"
    " if ARGV[2] == '' then return redis.call('ZREM', KEYS[2], ARGV[1]) end"
    " return redis.call('ZADD', KEYS[2], ARGV[2], ARGV[1])"
)
# A whole log goes, wherever it lies, unless it has become longer meanwhile.
DISPLACE = Script(
    "local archived = redis.call('HGET', KEYS[3], ARGV[1])"
    " local length = archived and string.match(archived, '^(%d+) ') or redis.call('XLEN', KEYS[1])"
    " if tonumber(length) ~= tonumber(ARGV[2]) then return 0 end"
    " redis.call('ZREM', KEYS[2], ARGV[1])"
    " redis.call('HDEL', KEYS[3], ARGV[1])"
    " redis.call('DEL', KEYS[1], unpack(KEYS, 4))"
    " return 1"
)
REPEATED, CONFLICT, REUSED = 1, 2, 3  # what append.lua says; 0 is done
COUNT_DONE, COUNT_REPEATED = APPENDS.labels("done"), APPENDS.labels("repeated")


class Keep(Enum):
    """The wish to leave a deadline as it is; `None` means that there is none."""

    KEEP = "keep"


KEEP = Keep.KEEP


class Cmd(NamedTuple):
    """Who asked, under which key of their own, and a digest of what they asked for."""

    who: str
    key: str
    digest: str

    @property
    def field(self) -> str:
        """Where the command is remembered."""
        return f"{self.who}:{self.key}"


class Appended(NamedTuple):
    """The seq of the last event that the command led to, and whether that was an earlier call."""

    seq: int
    repeated: bool


class EventStore:
    """Append-only logs on Redis or Valkey, single or cluster. Some, long over, may lie elsewhere."""

    def __init__(
        self, client: Client, durability: Durability = LOCAL, elsewhere: Elsewhere | None = None
    ) -> None:
        self._client, self._durability, self._elsewhere = client, durability, elsewhere
        self._commits: GroupCommit | ClusterCommits
        if isinstance(client, Redis):
            self._commits = GroupCommit(client, durability)
        else:
            self._commits = ClusterCommits(client, durability)

    async def aclose(self) -> None:
        """Close what is not the client's own."""
        if isinstance(self._commits, ClusterCommits):
            await self._commits.aclose()

    async def append(
        self,
        match: str,
        expected: int,
        events: Sequence[bytes],
        *,
        cmd: Cmd | None = None,
        due: int | Keep | None = KEEP,
        mark: str = "",
    ) -> Appended:
        """Add events to a log that has exactly `expected` of them and ends with the event of that `mark`.

        The mark is the SHA-1 of the event that the caller builds on, empty if it does not know.
        A command that was done before gets its first answer again, whatever the log looks like now.
        Raises Conflict, CommandReused, or StoreUnavailable; after the last one the same call may be made
        again if it has a `cmd`.
        """
        if not events:
            raise ValueError("An append needs at least one event.")
        where = keys.of_match(match)
        told = (cmd.field, cmd.digest) if cmd else ("", "")
        args = (match, expected, *told, _deadline(due), channels.of_match(self._client, match), mark, *events)
        with APPEND_SECONDS.time():
            with reaching():
                status, seq = await self._commits.call(APPEND, APPEND.short(where, args))
            if status == REPEATED and self._durability.waits and cmd is not None:
                await self._again(where, cmd.field)
        return _outcome(status, seq)

    async def read(self, match: str, after: int = 0, limit: int | None = None) -> list[bytes]:
        """The events with a seq above `after`, oldest first."""
        if limit is not None and limit <= 0:
            return []  # the server answers a count of nothing with nil
        found = await self._stored(match, after, limit)
        if found or self._elsewhere is None:
            return found
        lines = await self._elsewhere.lines(match)
        return lines[after : None if limit is None else after + limit]

    async def _stored(self, match: str, after: int, limit: int | None) -> list[bytes]:
        count = () if limit is None else ("COUNT", limit)
        command = ("XRANGE", keys.log(match), f"{after + 1}-0", "+", *count)
        with reaching():
            if isinstance(self._client, Redis):
                # A name in bytes has no response callback: the entries come as they are, without a dict each.
                raw = await call(self._client, b"XRANGE", *command[1:])
                return [fields[1] for _, fields in raw]
            return [fields[b"e"] for _, fields in await call(self._client, *command)]

    async def length(self, match: str) -> int:
        """The seq of the last event; 0 for a match that does not exist."""
        with reaching():
            length = int(await call(self._client, "XLEN", keys.log(match)))
        return length or (0 if self._elsewhere is None else await self._elsewhere.length(match))

    async def announce(self, match: str, seq: int) -> None:
        """Ask whoever follows this match to look at it again, though nothing was appended."""
        where = keys.of_match(match)
        told = ("match", match, "first", seq + 1, "last", seq)
        with reaching():
            await call(self._client, "XADD", where.outbox, "*", *told)
            await channels.publish(self._client, channels.of_match(self._client, match), f"{match} {seq}")

    async def lookup(self, match: str, who: str, key: str) -> tuple[int, str] | None:
        """The seq and digest of a command that was done, if it is remembered."""
        field = Cmd(who, key, "").field
        where = keys.of_match(match)
        with reaching():
            found = await call(self._client, "HGET", where.commands, field)
        if found is not None and self._durability.waits:
            await self._again(where, field)
        if found is None:
            return None
        seq, _, digest = found.decode().partition(" ")
        return int(seq), digest

    async def forget_commands(self, matches: Sequence[str], seconds: int) -> None:
        """Let the memory of these matches' commands end so long after now; asked again, it ends no later."""
        pipe = self._client.pipeline(transaction=False)
        for match in matches:
            pipe.expire(keys.of_match(match).commands, seconds, nx=True)
        with reaching():
            await pipe.execute()

    async def displace(self, match: str, length: int) -> bool:
        """Make room for another log of that id: this one, and what lies beside it, goes. Only for lies."""
        where = keys.of_match(match)
        beside = (where.commands, keys.origin(match), keys.signed(match), keys.chat(match))
        touched = [where.log, where.due, where.archived, *beside]
        with reaching():
            return bool(await DISPLACE.run(self._client, touched, (match, length)))

    async def matches(self) -> AsyncIterator[str]:
        """The id of every match that has a log, wherever it lies, in no order."""
        seen = set()
        async for match in self.stored():
            seen.add(match)
            yield match
        if self._elsewhere is not None:
            async for match in self._elsewhere.matches():
                if match not in seen:  # one that moved between the two
                    yield match

    async def stored(self) -> AsyncIterator[str]:
        """The id of every match whose log is in the store itself, in no order."""
        seen = set()
        with reaching():
            async for key in self._client.scan_iter(match=keys.LOGS, count=1000):
                match = key.decode().split(":", 3)[3].removesuffix(":log")
                if match not in seen:  # a scan may show a key twice
                    seen.add(match)
                    yield match

    async def due_before(
        self, ms: int, limit: int, shards: Iterable[int] = range(keys.SHARDS)
    ) -> list[tuple[str, int]]:
        """Up to `limit` matches whose deadline is at or before that time, the earliest first."""
        pipe = self._client.pipeline(transaction=False)
        for n in shards:
            pipe.zrange(keys.due(n), "-inf", ms, byscore=True, withscores=True, offset=0, num=limit)
        with reaching():
            shards = await send(pipe)
        found = [(match.decode(), int(due)) for some in shards for match, due in some]
        return sorted(found, key=lambda pair: (pair[1], pair[0]))[:limit]

    async def set_due(self, match: str, due: int | None, expected: int | None = None) -> None:
        """Set or remove the deadline of a match, apart from any event.

        With `expected` only if the log still has that length: else a newer append has set its own.
        """
        where = keys.of_match(match)
        args = (match, _deadline(due), -1 if expected is None else expected)
        with reaching():
            await SET_DUE.run(self._client, [where.log, where.due], args)

    async def _again(self, where: keys.MatchKeys, field: str) -> None:
        """A repeat is answered once its first call is durable; that one may have failed at just this."""
        with reaching():
            await self._commits.call(AGAIN, AGAIN.short([where.commands], [field]))


def _outcome(status: int, seq: int) -> Appended:
    if status == CONFLICT:
        APPEND_CONFLICTS.inc()
        raise Conflict(seq)
    if status == REUSED:
        raise CommandReused(seq)
    (COUNT_REPEATED if status == REPEATED else COUNT_DONE).inc()
    return Appended(seq, status == REPEATED)


def _deadline(due: int | Keep | None) -> str | int:
    if due is None:
        return ""
    return due.value if isinstance(due, Keep) else due
