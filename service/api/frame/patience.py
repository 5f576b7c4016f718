"""How long a request may take to arrive, and how many connections one address may hold.

Without this, a thousand requests that are sent by half hold a thousand sockets for ever.
"""

from __future__ import annotations

import asyncio
import resource
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from infra.people.quotas import network
from infra.process.settings import Settings

SLOWEST = 16 * 1024  # bytes a second of a body that may take longer than its first patience
SPARE = 128  # files that the process needs for itself: store, logs, names
HERE = ("127.0.0.1", "::1")  # a proxy on this machine brings everybody


class Patience(NamedTuple):
    """Seconds for the head of a request and for its body."""

    head_s: float
    body_s: float


class Crowd:
    """Who is connected, by address. Behind a proxy elsewhere the operator raises the bound."""

    def __init__(self, most: int, total: int) -> None:
        self._most, self._total = most, total
        self._here: Counter[str] = Counter()

    @classmethod
    def of(cls, settings: Settings) -> Crowd:
        files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        return cls(settings.connections, max(SPARE, files - SPARE))

    def enter(self, address: str) -> bool:
        """Count a connection; False if there is no room for it."""
        where = network(address)
        full = self._here[where] >= self._most and where not in HERE
        if full or self._here.total() >= self._total:
            return False
        self._here[where] += 1
        return True

    def leave(self, address: str) -> None:
        where = network(address)
        self._here[where] -= 1
        if not self._here[where]:
            del self._here[where]


class Arrival:
    """One request on its way in. Asked after each piece, so what comes whole costs no timer."""

    __slots__ = ("_began", "_got", "_late", "_loop", "_patience", "_timer", "heads", "waits")

    def __init__(self, patience: Patience, late: Callable[[], None]) -> None:
        self._patience, self._late = patience, late
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._began, self._got = 0.0, 0
        self.heads = True  # whether the head is still to come
        self.waits = False  # whether something is missing

    def goes_on(self, heads: bool, size: int) -> None:
        """A piece has come and more is missing, of the head or of the body: look again when it is due."""
        if not self.waits or heads != self.heads:
            self.ends()
            self.heads, self.waits = heads, True
            self._began, self._got = self._loop.time(), 0
        self._got += size
        self._watch()

    def _watch(self) -> None:
        if self._timer is None:
            self._timer = self._loop.call_at(self._until(), self._look)

    def ends(self) -> None:
        self.waits = False
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _until(self) -> float:
        if self.heads:
            return self._began + self._patience.head_s
        return self._began + self._patience.body_s + self._got / SLOWEST

    def _look(self) -> None:
        self._timer = None
        if self._loop.time() < self._until():  # more has come meanwhile
            self._watch()
        else:
            self._late()
