"""Costly answers about what never changes: worked out once, a few at a time, and whoever asks has a turn.

Nobody waits behind all that one caller asks: places go to callers in turn. Who asks for what is being worked
out already waits for the same answer. What was begun is finished and kept, also if whoever asked has gone,
so that nobody gets more places by hanging up.

What is as long as a log is read only when its turn has come, and one caller has a few of those in hand, until
the last byte is sent: whoever asks a thousand times and reads nothing costs no memory.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

from service.basics.bounded import Bounded
from service.basics.errors import Problem

T = TypeVar("T")
R = TypeVar("R")
EACH = 4  # of a caller, waiting or worked out
IN_HAND = 16  # long answers of a caller: waiting, worked out, or on their way
PATIENCE_S = 60.0  # how long a request waits; the answer is there for the next one


class Turns:
    """So many places; callers who wait get them in turn."""

    def __init__(self, at_once: int = 1) -> None:
        self._free = at_once
        self._lines: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    async def enter(self, who: str) -> None:
        if self._free:
            self._free -= 1
            return
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._lines.setdefault(who, deque()).append(place)
        await place

    async def run(self, who: str, work: Callable[[], Awaitable[R]]) -> R:
        """Work in turn. The place is taken until it is done, also if whoever asked has gone."""
        task = asyncio.create_task(self._run(who, work))
        task.add_done_callback(noticed)
        return await asyncio.shield(task)

    async def _run(self, who: str, work: Callable[[], Awaitable[R]]) -> R:
        await self.enter(who)
        try:
            return await work()
        finally:
            self.leave()

    def leave(self) -> None:
        """The place goes to the next caller, who then is the last in line with whatever else they want."""
        while self._lines:
            who, line = self._lines.popitem(last=False)
            place = line.popleft()
            if line:
                self._lines[who] = line
            if not place.done():  # else it was given up: the process stops
                place.set_result(None)
                return
        self._free += 1


class Hands:
    """How many long answers each caller has in hand."""

    def __init__(self, each: int = IN_HAND) -> None:
        self._each = each
        self._full: Counter[str] = Counter()

    @contextmanager
    def one(self, who: str) -> Iterator[None]:
        """One more, as long as it takes. Raises Problem rate_limited."""
        if self._full[who] >= self._each:
            raise Problem("rate_limited")
        self._full[who] += 1
        try:
            yield
        finally:
            self._full[who] -= 1
            if not self._full[who]:
                del self._full[who]


class Answers(Generic[T]):
    """The last `kept` answers of one kind, by what they are about."""

    def __init__(self, turns: Turns, kept: int, patience_s: float = PATIENCE_S, each: int = EACH) -> None:
        self._turns, self._patience_s, self._each = turns, patience_s, each
        self._kept: Bounded[Any, T] = Bounded(kept)
        self._begun: dict[Any, asyncio.Task[T]] = {}
        self._asking: dict[str, int] = {}

    async def of(self, what: Any, who: str, work: Callable[[], Awaitable[T]]) -> T:
        """The answer to `what`; `work` finds it. Raises Problem rate_limited, and what `work` raises."""
        if what in self._kept:
            self._kept.move_to_end(what)
            return self._kept[what]
        task = self._begun.get(what) or self._begin(what, who, work)
        try:
            async with asyncio.timeout(self._patience_s):
                return await asyncio.shield(task)
        except TimeoutError:
            raise Problem("rate_limited") from None

    def _begin(self, what: Any, who: str, work: Callable[[], Awaitable[T]]) -> asyncio.Task[T]:
        if self._asking.get(who, 0) >= self._each:
            raise Problem("rate_limited")
        self._asking[who] = self._asking.get(who, 0) + 1
        task = self._begun[what] = asyncio.create_task(self._work(what, who, work))
        task.add_done_callback(noticed)
        return task

    async def _work(self, what: Any, who: str, work: Callable[[], Awaitable[T]]) -> T:
        try:
            await self._turns.enter(who)
            try:
                answer = await work()
            finally:
                self._turns.leave()
        finally:
            del self._begun[what]
            self._asking[who] -= 1
            if not self._asking[who]:
                del self._asking[who]
        return self._kept.keep(what, answer)


def noticed(task: asyncio.Task[Any]) -> None:
    """Whoever asked is told of a failure; if they have gone, it is nobody's."""
    if not task.cancelled():
        task.exception()
