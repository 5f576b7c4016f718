"""What is kept beside a log: where a match came from, the signature under its end, what a bot advised.

And what the store needs to know of logs that have left it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Protocol

import msgspec

from engine.match import Imported
from infra.store import keys
from infra.store.redis import Client, ask, reaching
from infra.store.scripts import Script

# Only where no log is: what is said of a match is not changed by an import that comes too late.
FIRST = Script(
    "if redis.call('EXISTS', KEYS[2]) + redis.call('HEXISTS', KEYS[3], ARGV[2]) > 0 then return end"
    " return redis.call('SET', KEYS[1], ARGV[1])"
)

_decode = msgspec.json.Decoder(Imported).decode
_decode_signature = msgspec.json.Decoder(tuple[str, str]).decode


ADVICE_S = 3600  # who comes back later asks again


class Elsewhere(Protocol):
    """Whoever keeps what has left. Raises BadLog for what is damaged there, ArchiveAway if it cannot tell."""

    async def lines(self, match: str) -> list[bytes]:
        """The whole log; empty if it is not there."""

    async def length(self, match: str) -> int:
        """How many events it has; 0 if it is not there."""

    async def origin(self, match: str) -> Imported | None: ...

    async def signature(self, match: str) -> tuple[str, str] | None: ...

    def matches(self) -> AsyncIterator[str]:
        """The ids of all that are there."""


class BesideLogs:
    def __init__(self, client: Client, elsewhere: Elsewhere | None = None) -> None:
        self._client, self._elsewhere = client, elsewhere

    async def origin(self, match: str) -> Imported | None:
        """Where a match came from; None: it was opened here."""
        raw = await ask(self._client, "GET", keys.origin(match))
        if raw or self._elsewhere is None:
            return _decode(raw) if raw else None
        return await self._elsewhere.origin(match)

    async def note_origin(self, match: str, origin: Imported) -> None:
        """Before the log is stored, so that no reader ever takes it for one of ours."""
        with reaching():
            where = [keys.origin(match), keys.log(match), keys.of_match(match).archived]
            await FIRST.run(self._client, where, [msgspec.json.encode(origin), match])

    async def keep_origin(self, match: str, origin: Imported) -> None:
        """By whoever stored the log: of several who noted something, this one counts."""
        await ask(self._client, "SET", keys.origin(match), msgspec.json.encode(origin))

    async def signature(self, match: str) -> tuple[str, str] | None:
        """The id of a key and its signature under the end of a match."""
        raw = await ask(self._client, "GET", keys.signed(match))
        if raw or self._elsewhere is None:
            return _decode_signature(raw) if raw else None
        return await self._elsewhere.signature(match)

    async def replace_signature(self, match: str, signed: tuple[str, str]) -> tuple[str, str]:
        """The key of the one that was kept is believed no longer."""
        await ask(self._client, "SET", keys.signed(match), msgspec.json.encode(signed))
        return signed

    async def keep_signature(self, match: str, signed: tuple[str, str]) -> tuple[str, str]:
        """Keep the first signature under an end; returns the one that is kept."""
        await ask(self._client, "SET", keys.signed(match), msgspec.json.encode(signed), "NX")
        return await self.signature(match) or signed

    async def keep_advice(self, match: str, since: int, advice: bytes) -> None:
        """Keep the advice that event `since` asked for: the latest alone, for a while."""
        await ask(self._client, "SET", keys.hint(match), b"%d %s" % (since, advice), "EX", ADVICE_S)

    async def advice(self, match: str, since: int) -> bytes | None:
        """The advice that event `since` asked for, if it is there."""
        kept: bytes | None = await ask(self._client, "GET", keys.hint(match))
        asked, _, advice = (kept or b"").partition(b" ")
        return advice if asked == b"%d" % since else None
