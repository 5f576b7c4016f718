"""When people are awake: kept with the time from which it holds, because running turns use what held then.

Times are seconds since 1970. What was true once is never changed, only followed by something newer.
"""

from __future__ import annotations

import time
from datetime import date
from typing import Any

import msgspec

from infra.store import keys
from infra.store.redis import Client, call, reaching
from infra.store.scripts import Script

MOVED = keys.MOVED
SEEN = Script(
    "if tonumber(redis.call('ZSCORE', KEYS[1], ARGV[1])) == tonumber(ARGV[2])"
    " then return redis.call('ZREM', KEYS[1], ARGV[1]) end return 0"
)


class Hours(msgspec.Struct, frozen=True):
    """From `since` on: awake from `wake` to `sleep`, in minutes of the local day.

    Equal: always awake; wake > sleep: over midnight.
    """

    since: float = 0.0
    tz: str = "UTC"
    wake: int = 0
    sleep: int = 0


class Vacation(msgspec.Struct, frozen=True):
    """Whole local days, both ends included; it counts from its announcement until it is withdrawn."""

    first: date
    last: date
    announced: float
    withdrawn: float | None = None


class Times(msgspec.Struct, frozen=True):
    """All that is known of an account's time, oldest first."""

    hours: tuple[Hours, ...] = ()
    vacations: tuple[Vacation, ...] = ()


class Profiles:
    def __init__(self, client: Client) -> None:
        self._client = client

    async def of(self, account: str) -> Times:
        """The times of an account; of one that never said anything: always awake, in UTC."""
        with reaching():
            raw = await call(self._client, "GET", _key(account))
        return msgspec.json.decode(raw, type=Times) if raw else Times()

    async def put(self, account: str, times: Times) -> None:
        """Keep the times of an account. Noted first, so that a relay sees to clocks if we die after it."""
        with reaching():
            await call(self._client, "ZADD", MOVED, _ms(), account)
            await call(self._client, "SET", _key(account), msgspec.json.encode(times))

    async def moved(self, age_s: float) -> list[tuple[str, int]]:
        """Accounts whose times changed so long ago that the change is kept, and when; until `seen`."""
        with reaching():
            until = _ms() - int(age_s * 1000)
            raw: Any = await self._client.zrange(MOVED, "-inf", until, byscore=True, withscores=True)
        return [(account.decode(), int(score)) for account, score in raw]

    async def seen(self, account: str, when: int) -> None:
        """Done with a change, unless there was another one since."""
        with reaching():
            await SEEN.run(self._client, [MOVED], (account, when))


def _ms() -> int:
    return int(time.time() * 1000)


def _key(account: str) -> str:
    return keys.account(account, "times")
