"""Results that count for ratings: one entry a match, in the order in which the matches ended.

Ratings themselves are never stored: they follow from these entries, and these from the logs.
"""

from __future__ import annotations

from typing import Any

import msgspec

from infra.store import keys
from infra.store.redis import Client, ask

UNRATED = keys.UNRATED


class RatedResult(msgspec.Struct, frozen=True):
    """Who met whom, and how it ended; `at` in milliseconds since 1970. A lower place is better."""

    match: str
    at: int
    players: list[str]
    places: list[int]


_decode = msgspec.json.Decoder(RatedResult).decode


class Ratings:
    def __init__(self, client: Client) -> None:
        self._client = client

    async def add(self, game: str, outcome: RatedResult) -> None:
        """Count a result. Counting it again changes nothing."""
        await ask(self._client, "ZADD", _key(game), outcome.at, msgspec.json.encode(outcome))

    async def after(self, game: str, count: int) -> list[RatedResult]:
        """All results but the first `count`, in their order."""
        raw: list[Any] = await ask(self._client, "ZRANGE", _key(game), count, -1)
        return [_decode(text) for text in raw]

    async def leave_out(self, match: str) -> None:
        """A match that was played elsewhere never counts here."""
        await ask(self._client, "SADD", UNRATED, match)

    async def is_left_out(self, match: str) -> bool:
        return bool(await ask(self._client, "SISMEMBER", UNRATED, match))


def _key(game: str) -> str:
    return keys.ratings(game)
