"""Group commit: calls that come while one batch is on its way travel together in the next.

A server that syncs every write to disk does so once for all that it read together, so a busy process pays
for the disk once a batch instead of once a call.
"""

from __future__ import annotations

import asyncio
import math
from collections import deque
from collections.abc import Callable
from typing import Any

import hiredis
from redis.asyncio import Redis
from redis.exceptions import NoScriptError, ResponseError

from infra.errors import StoreUnavailable
from infra.redis import BROKEN, TIMEOUT_S, passing
from infra.scripts import Command, Script

MOST_TOGETHER = 256

# In C: redis-py's asynchronous connections pack in Python, which takes a third of an append's time. The stub
# of hiredis means any tuple but says a tuple of one.
PACK: Callable[[Command], bytes] = hiredis.pack_command  # type: ignore[assignment]


class Passenger:
    """One call of the script, and the future that waits for its reply."""

    __slots__ = ("call", "reply")

    def __init__(self, call: Command) -> None:
        self.call = call
        self.reply: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

    def settle(self, reply: Any) -> None:
        """Give the caller its outcome, unless it stopped waiting."""
        if self.reply.done():
            return
        if isinstance(reply, ResponseError):
            reply = passing(reply) or reply
        if isinstance(reply, Exception):
            self.reply.set_exception(reply)
        else:
            self.reply.set_result(reply)


class Flights:
    """Sends the calls of one script to a single server, never twice.

    The client's own retries are left aside on purpose: after a broken connection nobody knows what was done,
    and only the caller, with its command key, can ask again safely.
    """

    def __init__(self, client: Redis, script: Script) -> None:
        self._pool: Any = client.connection_pool
        self._script = script
        self._waiting: deque[Passenger] = deque()
        self._flying: asyncio.Task[None] | None = None

    async def call(self, call: Command) -> Any:
        """Send one call with the next batch and return its reply."""
        passenger = Passenger(call)
        self._waiting.append(passenger)
        if self._flying is None:
            self._flying = asyncio.create_task(self._fly_all())
        return await passenger.reply

    async def _fly_all(self) -> None:
        try:
            while self._waiting:
                await self._fly(self._board())
        finally:
            self._flying = None
            _strand(self._waiting, "The process is stopping.")

    def _board(self) -> list[Passenger]:
        count = min(len(self._waiting), MOST_TOGETHER)
        batch = [self._waiting.popleft() for _ in range(count)]
        return [passenger for passenger in batch if not passenger.reply.done()]

    async def _fly(self, batch: list[Passenger]) -> None:
        try:
            unknown = await self._exchange(batch)
            for passenger in unknown:
                passenger.call = self._script.full(passenger.call)
            await self._exchange(unknown)
        except BROKEN as error:
            _strand(batch, f"The store did not answer: {error}")
        finally:
            _strand(batch, "The process is stopping.")

    async def _exchange(self, batch: list[Passenger]) -> list[Passenger]:
        """Send all, then read all; return those whose script the server did not know: they did nothing."""
        if not batch:
            return []
        connection = await self._pool.get_connection()
        try:
            packed = [PACK(passenger.call) for passenger in batch]
            await connection.send_packed_command(packed)
            async with asyncio.timeout(TIMEOUT_S):
                return [p for p in batch if not await _arrive(connection, p)]
        finally:
            await self._pool.release(connection)


async def _arrive(connection: Any, passenger: Passenger) -> bool:
    try:
        # One timeout around the whole batch is cheaper than one for each reply.
        reply = await connection.read_response(timeout=math.inf)
    except NoScriptError:
        return False
    except ResponseError as refused:
        reply = refused
    passenger.settle(reply)
    return True


def _strand(passengers: list[Passenger] | deque[Passenger], why: str) -> None:
    for passenger in passengers:
        passenger.settle(StoreUnavailable(why))
