"""Keys of the store as records of JSON, read and written in batches; none is understood here.

Every key is read in one step. A digest over all records does not depend on their order, so that it can be
made while they stream by: two stores have the same digest if and only if they hold the same.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, TypeVar

import msgspec

from infra.store.redis import Client, reaching, send
from infra.store.scripts import Script

T = TypeVar("T")
AT_ONCE = 50  # keys that are read together
PARTS = 1000  # members that are written together
SIZE = 2**256

# One key: what it is, what it holds, until when. A stream as a flat list of ids and bytes.
READ = Script(
    "local kind = redis.call('TYPE', KEYS[1]).ok"
    " local value = {}"
    " if kind == 'none' then return false"
    " elseif kind == 'string' then value = {redis.call('GET', KEYS[1])}"
    " elseif kind == 'hash' then value = redis.call('HGETALL', KEYS[1])"
    " elseif kind == 'set' then value = redis.call('SMEMBERS', KEYS[1])"
    " elseif kind == 'list' then value = redis.call('LRANGE', KEYS[1], 0, -1)"
    " elseif kind == 'zset' then value = redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES')"
    " elseif kind == 'stream' then"
    " for _, one in ipairs(redis.call('XRANGE', KEYS[1], '-', '+')) do"
    " value[#value + 1] = one[1] value[#value + 1] = one[2][2] end end"
    " return {kind, redis.call('PEXPIRETIME', KEYS[1]), value}"
)
WRITE = {"string": "SET", "hash": "HSET", "set": "SADD", "zset": "ZADD", "list": "RPUSH"}
PAIRED = ("hash", "zset", "stream")


class Record(msgspec.Struct, frozen=True, omit_defaults=True):
    """One key; its value in base64, because strings are bytes there, sorted where order means nothing."""

    key: str
    kind: str
    value: list[str]
    expires: int = 0  # ms since 1970

    @property
    def digest(self) -> int:
        return int.from_bytes(hashlib.sha256(msgspec.json.encode(self)).digest())


class Digest:
    """Of many things in any order."""

    def __init__(self) -> None:
        self._sum = self.count = 0

    def add(self, one: int) -> None:
        self._sum = (self._sum + one) % SIZE
        self.count += 1

    @property
    def text(self) -> str:
        return f"{self._sum:064x}"


def of_log(match: str, events: int, head: str) -> int:
    """The part of a sound log in a digest: its head stands for all of it."""
    return int.from_bytes(hashlib.sha256(f"{match} {events} {head}".encode()).digest())


def batches(some: Iterable[T], size: int) -> Iterator[list[T]]:
    """
    >>> [*batches("abcde", 2)]
    [['a', 'b'], ['c', 'd'], ['e']]
    """
    rest = iter(some)
    while batch := list(islice(rest, size)):
        yield batch


async def read(client: Client, keys: Sequence[bytes | str]) -> list[Record]:
    """The records of these keys, a few at a time; what is gone meanwhile is left out."""
    found = []
    for batch in batches(keys, AT_ONCE):
        with reaching():
            replies = await asyncio.gather(*(READ.run(client, [key], []) for key in batch))
        found += [record(key, reply) for key, reply in zip(batch, replies, strict=True) if reply]
    return found


def record(key: bytes | str, reply: Sequence[Any]) -> Record:
    kind, expires, value = reply[0].decode(), int(reply[1]), list(reply[2])
    if kind in PAIRED:
        pairs = list(zip(value[::2], value[1::2], strict=True))
        if kind != "stream":  # a stream has an order of its own
            pairs.sort()
        value = [part for pair in pairs for part in pair]
    elif kind == "set":
        value.sort()
    name = key.decode() if isinstance(key, bytes) else key
    return Record(name, kind, [base64.b64encode(part).decode() for part in value], max(0, expires))


def text(record: Record) -> str:
    """A record that is one string."""
    return base64.b64decode(record.value[0]).decode()


async def write(client: Client, some: Sequence[Record]) -> None:
    """Put keys there as they were, instead of whatever is there under their names."""
    pipe = client.pipeline(transaction=False)
    for record in some:
        pipe.execute_command("DEL", record.key)
        for command in _commands(record):
            pipe.execute_command(*command)
        if record.expires:
            pipe.execute_command("PEXPIREAT", record.key, record.expires)
    with reaching():
        await send(pipe)


def _commands(record: Record) -> Iterator[tuple[Any, ...]]:
    value = [base64.b64decode(part) for part in record.value]
    if record.kind == "stream":
        for ident, line in zip(value[::2], value[1::2], strict=True):
            yield "XADD", record.key, ident, "e", line
        return
    if record.kind == "zset":  # written the other way round: the score comes first
        value = [part for pair in zip(value[1::2], value[::2], strict=True) for part in pair]
    for some in batches(value, PARTS):
        yield WRITE[record.kind], record.key, *some
