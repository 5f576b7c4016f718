"""News of appends: one subscription for the whole process, fanned out to whoever listens to a match.

A notice carries no event, only the newest seq: who is woken reads the log. So a lost notice costs nothing but
time, and after every (re)connection all listeners are woken, because nobody knows what they missed.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Generator
from contextlib import asynccontextmanager, suppress
from typing import Any

from infra.store import channels
from infra.store.redis import Client, reaching


class Subscription:
    """What one listener has not heard yet; `await` it for the newest known seq (0: look yourself).

    `look`: something besides the log may have changed, such as what is said at the table.
    """

    __slots__ = ("_news", "look", "seq")

    def __init__(self) -> None:
        self.seq = 0
        self.look = False
        self._news = asyncio.Event()

    def __await__(self) -> Generator[Any, None, int]:
        return self.wait().__await__()

    async def wait(self) -> int:
        """Wait for news since the last time and return the newest known seq."""
        await self._news.wait()
        self._news.clear()
        return self.seq

    def tell(self, seq: int) -> None:
        """Wake the listener; an older notice never hides a newer one."""
        self.look = self.look or seq == 0
        self.seq = max(self.seq, seq)
        self._news.set()


async def wake(client: Client, who: str) -> None:
    """Tell whoever listens to an account's turns, in any process, to look again."""
    with reaching():
        await channels.publish(client, channels.of_match(client, who), f"{who} 0")


class Watch:
    """All listeners of this process."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._listeners: dict[str, set[Subscription]] = {}
        self._task: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def listen(self, match: str) -> AsyncIterator[Subscription]:
        """Hear of every append to a match, or of an account's turns, from now on.

        Read the log after this, and nothing is missed.
        """
        notices = Subscription()
        self._listeners.setdefault(match, set()).add(notices)
        self._ensure_running()
        try:
            yield notices
        finally:
            self._forget(match, notices)

    def listeners(self) -> int:
        """How many listen now."""
        return sum(map(len, self._listeners.values()))

    async def aclose(self) -> None:
        """End the subscription."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    def _forget(self, match: str, notices: Subscription) -> None:
        listeners = self._listeners[match]
        listeners.discard(notices)
        if not listeners:
            del self._listeners[match]

    def _ensure_running(self) -> None:
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run(), name="watch")

    async def _run(self) -> None:
        async for told in channels.follow(self._client):
            self._pass_on(told)

    def _pass_on(self, told: bytes | None) -> None:
        if told is None:
            self._wake_all()
            return
        match, _, seq = told.decode().rpartition(" ")
        for notices in self._listeners.get(match, ()):
            notices.tell(int(seq))

    def _wake_all(self) -> None:
        for listeners in self._listeners.values():
            for notices in listeners:
                notices.tell(0)
