"""What was told to whom: one entry for each notice and channel, so that nothing is sent twice."""

from __future__ import annotations

from typing import Literal

import msgspec

from infra.store import keys
from infra.store.redis import Client, ask, reaching
from infra.store.scripts import Script

KEPT = 1000  # entries of an account
CLAIM_MS = 20_000  # longer than any delivery may take

# An entry and its place in the order, and the oldest away: a kill in between leaves no half of it.
PUT = Script(
    "if ARGV[5] == '1' and redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then return 0 end"
    " redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])"
    " redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1])"
    " for _, old in ipairs(redis.call('ZRANGE', KEYS[2], 0, -ARGV[4] - 1)) do"
    " redis.call('HDEL', KEYS[1], old) redis.call('ZREM', KEYS[2], old) end"
    " return 1"
)
Outcome = Literal["sent", "retry", "failed", "cancelled"]


class LedgerEntry(msgspec.Struct, frozen=True):
    """One notice on one channel; times are milliseconds since 1970."""

    key: str  # kind, match, seat, seq of the turn's start, channel
    at: int
    outcome: Outcome
    subject: str
    tries: int = 1
    reason: str | None = None
    next: int | None = None


class Ledger:
    def __init__(self, client: Client, claim_ms: int = CLAIM_MS) -> None:
        self._client = client
        self._claim_ms = claim_ms

    async def get(self, account: str, key: str) -> LedgerEntry | None:
        raw = await ask(self._client, "HGET", _entries(account), key)
        return msgspec.json.decode(raw, type=LedgerEntry) if raw else None

    async def put(self, account: str, entry: LedgerEntry, fresh: bool = False) -> None:
        """Write an entry down, in one step; `fresh`: only if there is none yet."""
        args = (entry.key, msgspec.json.encode(entry), entry.at, KEPT, int(fresh))
        with reaching():
            await PUT.run(self._client, [_entries(account), _order(account)], args)

    async def history(self, account: str, limit: int = 100) -> list[LedgerEntry]:
        """The newest first."""
        newest = await ask(self._client, "ZRANGE", _order(account), 0, limit - 1, "REV")
        raw = await ask(self._client, "HMGET", _entries(account), *newest) if newest else []
        return [msgspec.json.decode(text, type=LedgerEntry) for text in raw if text]

    async def claim(self, account: str, key: str) -> bool:
        """Of several who want to send the same at once, one may. The claim of a dead one expires."""
        return bool(await ask(self._client, "SET", _claim(account, key), 1, "NX", "PX", self._claim_ms))

    async def release(self, account: str, key: str) -> None:
        await ask(self._client, "DEL", _claim(account, key))


def _entries(account: str) -> str:
    return keys.account(account, "notices")


def _order(account: str) -> str:
    return keys.account(account, "noticed")


def _claim(account: str, key: str) -> str:
    return keys.account(account, f"sending:{key}")
