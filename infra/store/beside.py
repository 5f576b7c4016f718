"""What is kept beside a log: where a match came from, the signature under its end, what a bot advised."""

from __future__ import annotations

import msgspec

from engine.match import Imported
from infra.store import keys
from infra.store.redis import Client, ask, reaching
from infra.store.scripts import Script

# Only where no log is: what is said of a match is not changed by an import that comes too late.
FIRST = Script("if redis.call('EXISTS', KEYS[2]) == 0 then return redis.call('SET', KEYS[1], ARGV[1]) end")

_decode = msgspec.json.Decoder(Imported).decode
_decode_signature = msgspec.json.Decoder(tuple[str, str]).decode


ADVICE_S = 3600  # who comes back later asks again


class BesideLogs:
    def __init__(self, client: Client) -> None:
        self._client = client

    async def origin(self, match: str) -> Imported | None:
        """Where a match came from; None: it was opened here."""
        raw = await ask(self._client, "GET", keys.origin(match))
        return _decode(raw) if raw else None

    async def note_origin(self, match: str, origin: Imported) -> None:
        """Before the log is stored, so that no reader ever takes it for one of ours."""
        with reaching():
            where = [keys.origin(match), keys.log(match)]
            await FIRST.run(self._client, where, [msgspec.json.encode(origin)])

    async def keep_origin(self, match: str, origin: Imported) -> None:
        """By whoever stored the log: of several who noted something, this one counts."""
        await ask(self._client, "SET", keys.origin(match), msgspec.json.encode(origin))

    async def signature(self, match: str) -> tuple[str, str] | None:
        """The id of a key and its signature under the end of a match."""
        raw = await ask(self._client, "GET", keys.signed(match))
        return _decode_signature(raw) if raw else None

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
