"""Matches that something went wrong with: set aside, named, and tried again later and later.

Nothing is lost by it: a match that can be followed again is followed from its log. One small record a match.
"""

from __future__ import annotations

import time

import msgspec

from infra.store import keys
from infra.store.redis import Client, ask, reaching
from infra.store.scripts import Script

WHEN = keys.PARKED_WHEN
WHY = keys.PARKED_WHY
BACK_OFF_S = (5, 30, 120, 600, 3600, 21600)
LEASE_MS = 60_000  # whoever tries a match again has so long before another one does
LONGEST = 300  # characters of a sentence
MAX_TRIED = 100  # in one sweep

DUE = Script(
    "local due = redis.call('ZRANGE', KEYS[1], '-inf', ARGV[1], 'BYSCORE', 'LIMIT', 0, ARGV[3])"
    " for _, one in ipairs(due) do redis.call('ZADD', KEYS[1], ARGV[2], one) end"
    " return due"
)
PARK = Script(
    "redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1]) return redis.call('HSET', KEYS[2], ARGV[1], ARGV[3])"
)
CLEAR = Script(
    "redis.call('HDEL', KEYS[2], ARGV[1]) return redis.call('ZREM', KEYS[1], ARGV[1])"
)  # of a match that is not parked: reads only, nothing for the disk


class Stuck(msgspec.Struct, frozen=True):
    """Why a match is parked; times are milliseconds since 1970."""

    match: str
    where: str  # follow, clock, turn, call, notice
    error: str  # the error's class
    sentence: str
    since: int
    last: int
    next: int
    tries: int = 1
    first: int | None = None  # events from this one on are news that nobody was told of


class Parked:
    def __init__(self, client: Client) -> None:
        self._client = client

    async def park(self, match: str, where: str, problem: tuple[str, str], first: int | None = None) -> Stuck:
        """Set a match aside, or note that it failed again. `problem` is the error's class and sentence."""
        now, known = _ms(), await self.get(match)
        tries = known.tries + 1 if known else 1
        stuck = Stuck(
            match=match,
            where=where,
            error=problem[0],
            sentence=problem[1][:LONGEST],
            since=known.since if known else now,
            last=now,
            next=now + 1000 * BACK_OFF_S[min(tries, len(BACK_OFF_S)) - 1],
            tries=tries,
            first=min((n for n in (first, known.first if known else None) if n is not None), default=None),
        )
        with reaching():
            await PARK.run(self._client, [WHEN, WHY], (match, stuck.next, msgspec.json.encode(stuck)))
        return stuck

    async def get(self, match: str) -> Stuck | None:
        raw = await ask(self._client, "HGET", WHY, match)
        return msgspec.json.decode(raw, type=Stuck) if raw else None

    async def due(self) -> list[Stuck]:
        """Those to try again now; nobody else gets them for a while."""
        now = _ms()
        with reaching():
            matches = await DUE.run(self._client, [WHEN], (now, now + LEASE_MS, MAX_TRIED))
        return await self._of(matches)

    async def clear(self, match: str) -> bool:
        """It can be followed again; says whether it was parked."""
        with reaching():
            return bool(await CLEAR.run(self._client, [WHEN, WHY], (match,)))

    async def again(self, match: str) -> bool:
        """Try it as soon as possible; says whether it is parked."""
        if await ask(self._client, "ZSCORE", WHEN, match) is None:
            return False
        await ask(self._client, "ZADD", WHEN, "XX", 0, match)
        return True

    async def count(self) -> int:
        return int(await ask(self._client, "ZCARD", WHEN))

    async def all(self, limit: int = 1000) -> list[Stuck]:
        """Those that are tried again first."""
        return await self._of(await ask(self._client, "ZRANGE", WHEN, 0, limit - 1))

    async def _of(self, matches: list[bytes]) -> list[Stuck]:
        raw = await ask(self._client, "HMGET", WHY, *matches) if matches else []
        return [msgspec.json.decode(text, type=Stuck) for text in raw if text]


def _ms() -> int:
    return int(time.time() * 1000)
