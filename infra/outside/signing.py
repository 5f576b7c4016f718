"""The keys with which this server signs logs, and those of the servers that its operator trusts.

The newest key signs. A key that was replaced keeps its public half for ever, so that old logs can be told
from made-up ones; its secret half is forgotten. A key that somebody else may have is revoked: it stays
known as one whose word counts no longer. That is kept apart from the keys, so that no backup takes it back.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence

import msgspec

from infra.outside import ed25519
from infra.process.errors import BadSetting
from infra.store import keys
from infra.store.redis import Client, ask, reaching
from infra.store.scripts import Script

KEYS = keys.SIGNING_KEYS
REVOKED = keys.REVOKED_KEYS
TRUSTED = keys.TRUSTED_KEYS
SERVER_NAME = re.compile(r"[\w][\w .-]{0,39}")
MAX_KEYS = 100  # of one trusted server
TRIES = 10

# Of several processes that make a key at the same time one wins: the others see that there are more now.
ADD = Script(
    "if redis.call('HLEN', KEYS[1]) ~= tonumber(ARGV[1]) then return 0 end"
    " for i = 2, #ARGV, 2 do redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end return 1"
)


class Key(msgspec.Struct, frozen=True, omit_defaults=True):
    """One key of this server; `created` in milliseconds since 1970."""

    public: str
    created: int
    secret: str = ""

    @property
    def id(self) -> str:
        return ed25519.key_id(self.public)


_decode = msgspec.json.Decoder(Key).decode
_decode_list = msgspec.json.Decoder(list[str]).decode


class Signing:
    def __init__(self, client: Client, clock: Callable[[], float] = time.time) -> None:
        self._client, self._clock = client, clock

    async def keys(self) -> list[Key]:
        """Every key that ever signed here, the newest last. There is always one."""
        known = await self._known()
        return known if known else [await self._add(replace=False)]

    async def rotate(self) -> Key:
        """Sign with a new key from now on."""
        return await self._add(replace=True)

    async def revoke(self, ident: str) -> bool:
        """Believe a key of ours no longer, whatever it signed and signs; returns whether it is one of ours.

        If it is the one that signs, a new one does from now on.
        """
        known = await self.keys()
        if ident not in {key.id for key in known}:
            return False
        await ask(self._client, "HSETNX", REVOKED, ident, int(self._clock() * 1000))
        if known[-1].id == ident:
            await self.rotate()
        return True

    async def revoked(self) -> dict[str, int]:
        """Keys that were revoked, by id, and when."""
        raw: Mapping[bytes, bytes] = await ask(self._client, "HGETALL", REVOKED)
        return {ident.decode(): int(when) for ident, when in raw.items()}

    async def sign(self, text: bytes) -> tuple[str, str]:
        """The id of the key that signs now, and its signature."""
        key = (await self.keys())[-1]
        if not key.secret or key.id in await self.revoked():  # a backup brought it back
            key = await self._add(replace=True)
        return key.id, ed25519.sign(key.secret, text)

    async def trusted(self) -> dict[str, list[str]]:
        """The public keys of the servers that the operator trusts, by the name given to them."""
        raw: Mapping[bytes, bytes] = await ask(self._client, "HGETALL", TRUSTED)
        return {name.decode(): _decode_list(keys) for name, keys in sorted(raw.items())}

    async def trust(self, name: str, keys: Sequence[str]) -> None:
        """Believe what these keys sign, and call their server by this name. Raises BadSetting."""
        if not SERVER_NAME.fullmatch(name):
            raise BadSetting("name", "has 1 to 40 letters, digits, spaces, dots and dashes")
        if not 1 <= len(keys) <= MAX_KEYS or not all(map(ed25519.is_public_key, keys)):
            raise BadSetting("keys", "are public keys of 64 hex digits, at least one")
        await ask(self._client, "HSET", TRUSTED, name, msgspec.json.encode(list(keys)))

    async def distrust(self, name: str) -> bool:
        """Trust a server no longer; returns whether it was trusted."""
        return bool(await ask(self._client, "HDEL", TRUSTED, name))

    async def _known(self) -> list[Key]:
        raw: Mapping[bytes, bytes] = await ask(self._client, "HGETALL", KEYS)
        return sorted(map(_decode, raw.values()), key=lambda key: (key.created, key.public))

    async def _add(self, replace: bool) -> Key:
        """Make the newest key; without `replace` only if there is none."""
        for _ in range(TRIES):
            known = await self._known()
            if known and not replace:
                return known[-1]
            after = known[-1].created + 1 if known else 0
            pair = ed25519.make()
            fresh = Key(pair.public, max(after, int(self._clock() * 1000)), pair.secret)
            kept = [*(Key(key.public, key.created) for key in known), fresh]
            fields = [part for key in kept for part in (key.id, msgspec.json.encode(key))]
            with reaching():
                if await ADD.run(self._client, [KEYS], [len(known), *fields]):
                    return fresh
        raise RuntimeError("others made keys all the time")
