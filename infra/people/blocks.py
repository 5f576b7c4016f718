"""Whom an account does not want at its tables."""

from __future__ import annotations

from infra.store import keys
from infra.store.redis import Client, ask

MAX_BLOCKS = 1000


class Blocks:
    def __init__(self, client: Client) -> None:
        self._client = client

    async def of(self, account: str) -> list[str]:
        """The accounts that this one has blocked."""
        return sorted(member.decode() for member in await ask(self._client, "SMEMBERS", _key(account)))

    async def add(self, account: str, other: str) -> bool:
        """Block somebody; False if there are too many already."""
        if await ask(self._client, "SCARD", _key(account)) >= MAX_BLOCKS:
            return False
        await ask(self._client, "SADD", _key(account), other)
        return True

    async def remove(self, account: str, other: str) -> bool:
        return bool(await ask(self._client, "SREM", _key(account), other))

    async def has(self, account: str, other: str) -> bool:
        return bool(await ask(self._client, "SISMEMBER", _key(account), other))


def _key(account: str) -> str:
    return keys.account(account, "blocks")
