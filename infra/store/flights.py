"""Group commit: calls that come while one batch is on its way travel together in the next.

A server that syncs every write to disk does so once for all that it read together, so a busy process pays
for the disk once a batch instead of once a call. The same holds for replicas that are waited for.
"""

from __future__ import annotations

import asyncio
import math
from collections import deque
from collections.abc import Callable
from typing import Any

import hiredis
import structlog
from redis.asyncio import Redis
from redis.exceptions import NoScriptError, ResponseError

from infra.process.errors import NotDurable, StoreUnavailable
from infra.store.durability import LOCAL, Durability
from infra.store.redis import BROKEN, TIMEOUT_S
from infra.store.scripts import Command, Script

log = structlog.get_logger(__name__)
MAX_TOGETHER = 256

# In C: redis-py's asynchronous connections pack in Python, which takes a third of an append's time. The stub
# of hiredis means any tuple but says a tuple of one.
PACK: Callable[[Command], bytes] = hiredis.pack_command  # type: ignore[assignment]
ASKING = PACK(("ASKING",))


class PendingCall:
    """One call of a script, and the future that waits for its reply."""

    __slots__ = ("answer", "asking", "call", "reply", "script")

    def __init__(self, script: Script, call: Command, asking: bool) -> None:
        self.script, self.call, self.asking = script, call, asking
        self.answer: Any = None  # what the server said, until it is known to last
        self.reply: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

    def packed(self) -> bytes:
        return ASKING + PACK(self.call) if self.asking else PACK(self.call)

    def settle(self, reply: Any) -> None:
        """Give the caller its outcome, unless it stopped waiting."""
        if self.reply.done():
            return
        if isinstance(reply, Exception):
            self.reply.set_exception(reply)
        else:
            self.reply.set_result(reply)


class GroupCommit:
    """Sends calls of scripts to a single server, never twice.

    The client's own retries are left aside on purpose: after a broken connection nobody knows what was done,
    and only the caller, with its command key, can ask again safely.
    """

    def __init__(self, client: Redis, durability: Durability = LOCAL) -> None:
        self._pool: Any = client.connection_pool
        self._durability = durability
        self._fsync = True  # until the server says that it knows no WAITAOF
        self._waiting: deque[PendingCall] = deque()
        self._flying: asyncio.Task[None] | None = None

    async def call(self, script: Script, call: Command, asking: bool = False) -> Any:
        """Send one call with the next batch and return its reply. `asking`: its slot is just moving here."""
        passenger = PendingCall(script, call, asking)
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
            _strand(self._waiting, StoreUnavailable("The process is stopping."))

    def _board(self) -> list[PendingCall]:
        count = min(len(self._waiting), MAX_TOGETHER)
        batch = [self._waiting.popleft() for _ in range(count)]
        return [passenger for passenger in batch if not passenger.reply.done()]

    async def _fly(self, batch: list[PendingCall]) -> None:
        try:
            unknown = await self._exchange(batch)
            for passenger in unknown:
                passenger.call = passenger.script.full(passenger.call)
            await self._exchange(unknown)
        except BROKEN as error:
            _strand(batch, StoreUnavailable(f"The store did not answer: {error}"))
        finally:
            _strand(batch, StoreUnavailable("The process is stopping."))

    async def _exchange(self, batch: list[PendingCall]) -> list[PendingCall]:
        """Send all, then read all; return those whose script the server did not know: they did nothing."""
        if not batch:
            return []
        connection = await self._pool.get_connection()
        try:
            packed = [passenger.packed() for passenger in batch]
            if self._durability.waits:
                packed.append(PACK(self._durability.question(self._fsync)))
            await connection.send_packed_command(packed)
            async with asyncio.timeout(TIMEOUT_S):
                if not self._durability.waits:
                    return [p for p in batch if not await _arrive(connection, p)]
                unknown = [p for p in batch if not await _read(connection, p)]
                lasts = await self._lasts(connection)
        finally:
            await self._pool.release(connection)
        for passenger in batch:
            if passenger not in unknown:
                passenger.settle(passenger.answer if lasts or _is_refusal(passenger.answer) else _unsure())
        return unknown

    async def _lasts(self, connection: Any) -> bool:
        """Whether what this connection wrote has reached as many replicas as it should."""
        try:
            return self._durability.is_enough(await connection.read_response(timeout=math.inf))
        except ResponseError as refused:
            if not (self._fsync and "unknown command" in str(refused)):
                log.warning("cannot wait for replicas", reason=str(refused))
                return False
        self._fsync = False  # an older server: it knows what replicas received, not what they synced
        await connection.send_packed_command([PACK(self._durability.question(fsync=False))])
        return await self._lasts(connection)


async def _arrive(connection: Any, passenger: PendingCall) -> bool:
    """The reply goes to its caller as it comes; False if the server did not know the script."""
    known = await _read(connection, passenger)
    if known:
        passenger.settle(passenger.answer)
    return known


async def _read(connection: Any, passenger: PendingCall) -> bool:
    try:
        if passenger.asking:
            await connection.read_response(timeout=math.inf)
        # One timeout around the whole batch is cheaper than one for each reply.
        passenger.answer = await connection.read_response(timeout=math.inf)
    except NoScriptError:
        return False
    except ResponseError as refused:
        passenger.answer = refused
    return True


def _is_refusal(answer: Any) -> bool:
    """The server did nothing, so nothing of it has to last."""
    return isinstance(answer, ResponseError)


def _unsure() -> NotDurable:
    return NotDurable("It was written, but not enough replicas have confirmed it in time: ask again.")


def _strand(passengers: list[PendingCall] | deque[PendingCall], why: StoreUnavailable) -> None:
    for passenger in passengers:
        passenger.settle(why)
