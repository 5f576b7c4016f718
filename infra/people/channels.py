"""Where an account wants to be told: named channels, kept under the account."""

from __future__ import annotations

from typing import Any

import msgspec

from infra.store import keys
from infra.store.redis import Client, ask

MAX_CHANNELS = 10
DEAD_AFTER = 8  # failures in a row


class Channel(msgspec.Struct, frozen=True):
    """One channel. `config` depends on the kind; `reason` says why it is off."""

    name: str
    kind: str
    config: dict[str, Any]
    created: int
    enabled: bool = True
    confirmed: bool = True
    reason: str | None = None
    failures: int = 0


class Channels:
    def __init__(self, client: Client) -> None:
        self._client = client

    async def of(self, account: str) -> list[Channel]:
        raw = await ask(self._client, "HVALS", _key(account))
        return sorted((msgspec.json.decode(text, type=Channel) for text in raw), key=lambda c: c.name)

    async def get(self, account: str, name: str) -> Channel | None:
        raw = await ask(self._client, "HGET", _key(account), name)
        return msgspec.json.decode(raw, type=Channel) if raw else None

    async def put(self, account: str, channel: Channel) -> bool:
        """Keep a channel; False if there are too many."""
        known = await ask(self._client, "HKEYS", _key(account))
        if channel.name.encode() not in known and len(known) >= MAX_CHANNELS:
            return False
        await ask(self._client, "HSET", _key(account), channel.name, msgspec.json.encode(channel))
        return True

    async def remove(self, account: str, name: str) -> bool:
        return bool(await ask(self._client, "HDEL", _key(account), name))

    async def note(
        self, account: str, name: str, error: str | None, permanent: bool = False
    ) -> Channel | None:
        """How a delivery went. A channel that is dead is turned off, with the reason for its owner."""
        channel = await self.get(account, name)
        if channel is None:
            return None
        failures = 0 if error is None else channel.failures + 1
        dead = error is not None and (permanent or failures >= DEAD_AFTER)
        changed = msgspec.structs.replace(
            channel,
            failures=failures,
            enabled=channel.enabled and not dead,
            reason=error if dead else channel.reason if error else None,
        )
        if changed != channel:
            await self.put(account, changed)
        return changed


def _key(account: str) -> str:
    return keys.account(account, "channels")
