"""Which shards a relay looks after: all living relays share them out among themselves.

Each shows for some seconds that it lives, and takes every so-manieth shard of the list. While a relay comes
or goes two of them may look after the same shard, or none for a moment: entries are taken once all the same.
"""

from __future__ import annotations

import time

from infra.store import keys
from infra.store.redis import Client, reaching
from infra.store.scripts import Script

LEASE_MS = 4000

RENEW = Script(
    "redis.call('ZADD', KEYS[1], ARGV[1] + ARGV[3], ARGV[2])"
    " redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[1])"
    " return redis.call('ZRANGE', KEYS[1], 0, -1)"
)
LEAVE = Script("return redis.call('ZREM', KEYS[1], ARGV[1])")


class Shares:
    def __init__(self, client: Client, name: str) -> None:
        self._client, self._name = client, name

    async def renew(self) -> set[int]:
        """Show that this relay lives; returns its shards."""
        args = (int(time.time() * 1000), self._name, LEASE_MS)
        with reaching():
            living: list[bytes] = await RENEW.run(self._client, [keys.RELAYS], args)
        return share(self._name, sorted(one.decode() for one in living))

    async def leave(self) -> None:
        """The others take over at once."""
        with reaching():
            await LEAVE.run(self._client, [keys.RELAYS], [self._name])


def share(name: str, living: list[str]) -> set[int]:
    """
    >>> sorted(share("b", ["a", "b", "c"]))[:3], len(share("a", ["a"]))
    ([1, 4, 7], 64)
    """
    return set(range(living.index(name), keys.SHARDS, len(living)))
