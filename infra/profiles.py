"""When people are awake: kept with the time from which it holds, because running turns use what held then.

Times are seconds since 1970. What was true once is never changed, only followed by something newer.
"""

from __future__ import annotations

from datetime import date

import msgspec

from infra.redis import Client, call, reaching


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
        with reaching():
            await call(self._client, "SET", _key(account), msgspec.json.encode(times))


def _key(account: str) -> str:
    return f"tl:{{a:{account}}}:times"
