"""Passwords: Argon2 in threads, a few at a time, because each takes 64 MiB and a core for a while."""

from __future__ import annotations

import asyncio
from functools import cached_property

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from infra.process.errors import Busy

AT_ONCE = 2
MAX_WAITING = 16  # more than a few seconds nobody should wait in a queue that strangers fill


class Lane:
    """So many at once, and so many waiting; whoever comes then is Busy."""

    def __init__(self, at_once: int, max_waiting: int = MAX_WAITING) -> None:
        self._turn, self._room = asyncio.Semaphore(at_once), at_once + max_waiting

    async def __aenter__(self) -> None:
        if not self._room:
            raise Busy("too many passwords at a time")
        self._room -= 1
        try:
            await self._turn.acquire()
        except BaseException:
            self._room += 1
            raise

    async def __aexit__(self, *_: object) -> None:
        self._room += 1
        self._turn.release()


class Passwords:
    """Hashes and verifies without blocking the event loop. Raises Busy."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher()
        self._lane = Lane(AT_ONCE)
        self._aside = Lane(1)  # for whom guessers must not hold up

    async def hash(self, password: str) -> str:
        """What may be stored."""
        async with self._lane:
            return await asyncio.to_thread(self._hasher.hash, _bytes(password))

    async def matches(self, stored: str | None, password: str, aside: bool = False) -> bool:
        """Compare; with nothing stored the same work is done, so that time tells nobody which names exist."""
        async with self._aside if aside else self._lane:
            return await asyncio.to_thread(self._compare, stored, password)

    def is_dated(self, stored: str) -> bool:
        """Whether it was hashed with other parameters than today's."""
        return self._hasher.check_needs_rehash(stored)

    @cached_property
    def _nobody(self) -> str:
        return self._hasher.hash("nobody has this password")

    def _compare(self, stored: str | None, password: str) -> bool:
        try:
            return self._hasher.verify(stored or self._nobody, _bytes(password)) and stored is not None
        except (VerificationError, InvalidHashError):
            return False


def _bytes(password: str) -> bytes:
    # JSON may carry half of a surrogate pair; as a password it is as good as any other.
    return password.encode("utf-8", "surrogatepass")
