"""Accounts, their tokens and settings, and what was said at tables, as lines of JSON: what no log holds.

Every key under an account, whatever it is for, every taken name, every chat, which results count for ratings
(a log that comes back from a file is an import, and those do not count), the keys that sign logs, and what is
kept beside logs: signatures, and where they came from. None is understood here.
"""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator
from typing import Any

import msgspec

from infra.store import keys
from infra.store.redis import Client, call, many, reaching

FILE = "accounts.ndjson"
# Lists of all: what is there already does not make them complete.
MERGED = (keys.BOTS, keys.GUESTS, keys.SIGNING_KEYS, keys.REVOKED_KEYS)


class Record(msgspec.Struct, omit_defaults=True):
    """One key: its value in base64, because Redis strings are bytes."""

    key: str
    kind: str
    value: list[str]
    expires: int = 0  # ms since 1970


async def dump(client: Client) -> bytes:
    """Everything about accounts, one record a line, sorted by key."""
    records = [record async for record in _records(client)]
    records.sort(key=lambda record: record.key)
    return b"".join(msgspec.json.encode(record) + b"\n" for record in records)


async def restore(client: Client, data: bytes) -> int:
    """Bring back what is not there; what is there stays as it is. Returns how many keys came back."""
    count = 0
    for line in data.splitlines():
        record = msgspec.json.decode(line, type=Record)
        with reaching():
            count += await _restore(client, record)
    return count


async def _records(client: Client) -> AsyncIterator[Record]:
    for pattern in keys.BACKED_UP:
        with reaching():
            async for key in client.scan_iter(match=pattern, count=1000):
                record = await _record(client, key)
                if record is not None:
                    yield record


async def _record(client: Client, key: bytes) -> Record | None:
    kind = (await call(client, "TYPE", key)).decode()
    read = _READ.get(kind)
    if read is None:
        return None  # gone since the scan saw it
    value = _flat(await call(client, *read(key)))
    expires = await call(client, "PEXPIRETIME", key)
    return Record(key.decode(), kind, [base64.b64encode(part).decode() for part in value], max(0, expires))


_READ: dict[str, Any] = {
    "string": lambda key: ("GET", key),
    "hash": lambda key: ("HGETALL", key),
    "set": lambda key: ("SMEMBERS", key),
    "zset": lambda key: ("ZRANGE", key, 0, -1, "WITHSCORES"),
    "list": lambda key: ("LRANGE", key, 0, -1),
}
_WRITE = {"string": ("SET",), "hash": ("HSET",), "set": ("SADD",), "zset": ("ZADD",), "list": ("RPUSH",)}


def _flat(reply: Any) -> list[bytes]:
    """The reply as one list of bytes, in the order in which it is written back."""
    if isinstance(reply, bytes):
        return [reply]
    if isinstance(reply, dict):
        return [part for pair in reply.items() for part in pair]
    parts: list[bytes] = []
    for item in reply:
        if isinstance(item, (tuple, list)):  # a member and its score
            parts += [str(item[1]).encode(), item[0]]
        else:
            parts.append(item)
    return parts


async def _restore(client: Client, record: Record) -> int:
    if record.key == f"{keys.OLD_RESULTS}unrated":  # as a store of format 1 kept it
        old = [base64.b64decode(part).decode() for part in record.value]
        replies = await many(client, [("SET", keys.unrated(match), 1, "NX") for match in old])
        return sum(map(bool, replies))
    if record.key.startswith(keys.OLD_RESULTS):
        record.key = keys.ratings(record.key.removeprefix(keys.OLD_RESULTS))
    if record.key not in MERGED and await call(client, "EXISTS", record.key):
        return 0
    value = [base64.b64decode(part) for part in record.value]
    await call(client, *_WRITE[record.kind], record.key, *value)
    if record.expires:
        await call(client, "PEXPIREAT", record.key, record.expires)
    return 1
