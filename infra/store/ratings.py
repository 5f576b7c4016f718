"""Results that count for ratings: one entry a match, in the order in which the matches ended.

Ratings themselves are never stored: they follow from these entries, and these from the logs.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, cast

import msgspec

from infra.store import keys
from infra.store.redis import Client, ask, reaching

PAGE = 500  # entries looked at in one step


class RatedResult(msgspec.Struct, frozen=True):
    """Who met whom, and how it ended; `at` in milliseconds since 1970. A lower place is better."""

    match: str
    at: int
    players: list[str]
    places: list[int]


_decode = msgspec.json.Decoder(RatedResult).decode


def read(entry: bytes) -> RatedResult | None:
    """An entry as it is kept; None if it is damaged."""
    try:
        return _decode(entry)
    except msgspec.DecodeError:
        return None


class Ratings:
    def __init__(self, client: Client) -> None:
        self._client = client

    async def add(self, game: str, outcome: RatedResult) -> None:
        """Count a result. Counting it again changes nothing."""
        await ask(self._client, "ZADD", keys.ratings(game), outcome.at, msgspec.json.encode(outcome))

    async def after(self, game: str, count: int) -> list[RatedResult]:
        """All results but the first `count`, in their order."""
        raw: list[Any] = await ask(self._client, "ZRANGE", keys.ratings(game), count, -1)
        return [_decode(text) for text in raw]

    async def gather(self, game: str, outcome: RatedResult) -> None:
        """While results are derived anew: count one, and note that it was derived."""
        await self.add(game, outcome)
        await ask(self._client, "ZADD", keys.counted_anew(game), outcome.at, msgspec.json.encode(outcome))

    async def gather_nothing(self) -> None:
        """Before results are derived anew, and afterwards."""
        with reaching():
            for key in [key async for key in self._client.scan_iter(match=keys.ANEW, count=1000)]:
                await ask(self._client, "UNLINK", key)

    async def underived(self, before: int) -> AsyncIterator[tuple[str, bytes]]:
        """Yield the game and the entry of results that were not derived anew though they are that old."""
        untyped = cast(Any, self._client)
        with reaching():
            found = [key.decode() async for key in self._client.scan_iter(match=keys.RESULTS, count=1000)]
        for game in map(keys.game_of, found):
            cursor = 0
            while True:
                with reaching():
                    cursor, page = await untyped.zscan(keys.ratings(game), cursor, count=PAGE)
                for entry in await self._not_derived(game, [entry for entry, _ in page]):
                    result = read(entry)
                    if result is None or result.at < before:
                        yield game, entry
                if int(cursor) == 0:
                    break

    async def _not_derived(self, game: str, entries: list[bytes]) -> list[bytes]:
        known = await ask(self._client, "ZMSCORE", keys.counted_anew(game), *entries) if entries else []
        return [entry for entry, score in zip(entries, known, strict=True) if score is None]

    async def remove(self, game: str, entry: bytes) -> None:
        """An entry that no log bears out."""
        await ask(self._client, "ZREM", keys.ratings(game), entry)

    async def leave_out(self, match: str) -> None:
        """A match that was played elsewhere never counts here."""
        await ask(self._client, "SET", keys.unrated(match), 1)

    async def is_left_out(self, match: str) -> bool:
        return bool(await ask(self._client, "EXISTS", keys.unrated(match)))
