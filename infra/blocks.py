"""Whom an account does not want at its tables."""

from __future__ import annotations

from typing import Any

from infra.redis import Client, call, reaching

MOST = 1000


class Blocks:
    def __init__(self, client: Client) -> None:
        self._client = client

    async def of(self, account: str) -> list[str]:
        """The accounts that this one has blocked."""
        return sorted(member.decode() for member in await self._call("SMEMBERS", _key(account)))

    async def add(self, account: str, other: str) -> bool:
        """Block somebody; False if there are too many already."""
        if await self._call("SCARD", _key(account)) >= MOST:
            return False
        await self._call("SADD", _key(account), other)
        return True

    async def remove(self, account: str, other: str) -> bool:
        return bool(await self._call("SREM", _key(account), other))

    async def has(self, account: str, other: str) -> bool:
        return bool(await self._call("SISMEMBER", _key(account), other))

    async def _call(self, *command: Any) -> Any:
        with reaching():
            return await call(self._client, *command)


def _key(account: str) -> str:
    return f"tl:{{a:{account}}}:blocks"
