"""Counts of what somebody did lately, kept in the store, so that all processes of a house count together."""

from __future__ import annotations

import hashlib
import ipaddress
import time
from collections.abc import Callable
from typing import NamedTuple

from infra.store import keys
from infra.store.redis import Client, call, reaching
from infra.store.scripts import Arg, Script

# KEYS 1 count   ARGV 1 most   2 seconds to keep it.   Gives 1 taken, 0 used up.
TAKE = Script(
    "local count = tonumber(redis.call('GET', KEYS[1]) or '0')"
    " if count >= tonumber(ARGV[1]) then return 0 end"
    " redis.call('INCR', KEYS[1]) redis.call('EXPIRE', KEYS[1], ARGV[2]) return 1"
)
GIVE_BACK = Script(
    "local count = tonumber(redis.call('GET', KEYS[1]) or '0')"
    " if count > 1 then redis.call('DECR', KEYS[1]) else redis.call('DEL', KEYS[1]) end return 1"
)
# KEYS 1 tries   ARGV 1 now (ms)   2 free tries   3 longest wait (ms)   4 seconds to keep it.
# Gives the milliseconds to wait; 0 if this try may be made, and it is counted then. After the free ones each
# try doubles the wait for the next, from one second on.
TRY = Script(
    "local kept = redis.call('HMGET', KEYS[1], 'tries', 'until')"
    " local now, left = tonumber(ARGV[1]), tonumber(kept[2] or '0') - tonumber(ARGV[1])"
    " if left > 0 then return left end"
    " local tries = tonumber(kept[1] or '0') + 1"
    " local over, wait = tries - tonumber(ARGV[2]), 0"
    " if over >= 0 then wait = math.min(1000 * 2 ^ math.min(over, 30), tonumber(ARGV[3])) end"
    " redis.call('HSET', KEYS[1], 'tries', tries, 'until', string.format('%d', now + wait))"
    " redis.call('EXPIRE', KEYS[1], ARGV[4]) return 0"
)
# KEYS 1 set   ARGV 1 member   2 score   3 most.   Gives 1 there now, 0 full.
JOIN = Script(
    "if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[3]) then return 0 end"
    " redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1]) return 1"
)
TRIES_KEPT_S = 3600


class Window(NamedTuple):
    """`most` of something in `seconds`."""

    what: str
    most: int
    seconds: int


class Quotas:
    """Windows are fixed: they begin on the hour or the day, so that a count is one number that expires."""

    def __init__(self, client: Client, clock: Callable[[], float] = time.time) -> None:
        self._client, self._clock = client, clock

    async def take(self, window: Window, who: str) -> int:
        """Count one more; 0 if it may be, else the seconds after which it may."""
        with reaching():
            taken = await TAKE.run(self._client, [self._key(window, who)], [window.most, window.seconds])
        return 0 if taken else window.seconds - int(self._clock()) % window.seconds

    async def give_back(self, window: Window, who: str) -> None:
        """What was counted did not come about."""
        with reaching():
            await GIVE_BACK.run(self._client, [self._key(window, who)], [])

    async def attempt(self, what: str, who: str, free: int, longest_s: int) -> int:
        """Try something that may be guessed at; 0 if it may be tried now, else the seconds to wait."""
        args = [int(self._clock() * 1000), free, longest_s * 1000, TRIES_KEPT_S]
        with reaching():
            left = int(await TRY.run(self._client, [_key(what, who)], args))
        return -(-left // 1000)

    async def forgive(self, what: str, who: str) -> None:
        """It was no guess: forget the tries before it."""
        with reaching():
            await call(self._client, "DEL", _key(what, who))

    async def join(self, account: str, match: str, most: int) -> bool:
        """Note a table that an account opens; False if it has `most` noted already."""
        args: list[Arg] = [match, int(self._clock()), most]
        with reaching():
            return bool(await JOIN.run(self._client, [_opened(account)], args))

    async def noted(self, account: str) -> list[str]:
        """The tables noted for an account."""
        with reaching():
            found = await call(self._client, "ZRANGE", _opened(account), 0, -1)
        return [member.decode() for member in found]

    async def strike(self, account: str, matches: list[str]) -> None:
        """Tables that are over, or did not come about."""
        if matches:
            with reaching():
                await call(self._client, "ZREM", _opened(account), *matches)

    def _key(self, window: Window, who: str) -> str:
        return _key(f"{window.what}:{int(self._clock()) // window.seconds}", who)


def _key(what: str, who: str) -> str:
    """Names and addresses of people are not written into keys."""
    return keys.quota(what, hashlib.sha256(who.encode("utf-8", "surrogatepass")).hexdigest()[:24])


def _opened(account: str) -> str:
    return keys.account(account, "opened")


def network(address: str) -> str:
    """What counts as one address: of IPv6 the half that a provider gives to one customer.

    >>> network("203.0.113.7"), network("2001:db8:1:2:3:4:5:6"), network("local")
    ('203.0.113.7', '2001:db8:1:2::/64', 'local')
    """
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    mapped = found.ipv4_mapped
    return str(mapped) if mapped else str(ipaddress.ip_network((found, 64), strict=False))
