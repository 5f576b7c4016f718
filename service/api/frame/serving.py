"""The HTTP server of one process."""

from __future__ import annotations

import asyncio
import math
import time
from types import FrameType
from typing import Any, cast

import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from infra.process.settings import Settings
from service.api.frame.patience import HERE, Arrival, Crowd, Patience

GRACE_S = 3
KEEP_ALIVE_S = 65  # longer than the proxies in front usually keep theirs
TOO_LATE = b"HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


class Joining:
    """A transport that sends what is written in one go as one packet: a head and its body, mostly.

    uvicorn writes the two apart, and a system call each costs a sixth of a small answer's time.
    """

    __slots__ = ("_loop", "_parts", "_transport")

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self._loop = asyncio.get_running_loop()
        self._parts: list[bytes] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        if not self._parts:
            self._loop.call_soon(self._flush)
        self._parts.append(data)

    def close(self) -> None:
        self._flush()
        self._transport.close()

    def _flush(self) -> None:
        parts, self._parts = self._parts, []
        if parts and not self._transport.is_closing():
            self._transport.write(b"".join(parts))


class Habits(uvicorn.Config):
    """uvicorn's settings, with what our protocol needs to know."""

    patience = Patience(15, 30)
    crowd = Crowd(1000, 1000)


class Protocol(HttpToolsProtocol):
    """HTTP as uvicorn speaks it, on a transport that joins writes, for requests that arrive in time."""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(Joining(transport))  # type: ignore[arg-type] # it behaves like one
        habits: Any = self.config
        self.app_state = {**self.app_state, "abort": transport.abort}  # for streams that nobody reads
        self._arrival = Arrival(habits.patience, self._too_late)
        self._crowd: Crowd = habits.crowd
        self._where = str((transport.get_extra_info("peername") or HERE)[0])
        self._inside = self._crowd.enter(self._where)
        if self._inside:
            self._arrival.goes_on(True, 0)  # whoever connects says something
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._arrival.ends()
        if self._inside:
            self._inside = False
            self._crowd.leave(self._where)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Looks once at each piece, not in every callback of the parser: actions pay for those."""
        super().data_received(data)
        scope = self.scope
        head = scope is None or "method" not in scope  # uvicorn puts it there when the head is complete
        if head or (self.cycle is not None and self.cycle.more_body):
            self._arrival.goes_on(head, len(data))
        elif self._arrival.waits:
            self._arrival.ends()

    def _too_late(self) -> None:
        """Say so, unless an answer has begun, and hang up."""
        if self.transport.is_closing():
            return
        if self._arrival.heads or not self.cycle.response_started:
            self.transport.write(TOO_LATE)
        self.transport.close()


class Server(uvicorn.Server):
    """Ends the streams when it is told to stop: they would hold the process up until its patience ends."""

    drain_s = 0.0
    _leave_at = math.inf

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """`/ready` turns at once; the listener goes on until whoever balances has seen that. Twice is now."""
        app: Any = self.config.app
        if self.drain_s and not app.draining:
            app.draining, self._leave_at = True, time.monotonic() + self.drain_s
            return
        self._end_streams()
        super().handle_exit(sig, frame)

    async def on_tick(self, counter: int) -> bool:
        if time.monotonic() >= self._leave_at and not self.should_exit:
            self._end_streams()
            self.should_exit = True
        return await super().on_tick(counter)

    async def shutdown(self, sockets: Any = None) -> None:
        self._end_streams()
        await super().shutdown(sockets)

    def _end_streams(self) -> None:
        app: Any = self.config.app
        app.streams.stop()
        app.bot_streams.stop()


def server(app: FastAPI, host: str, port: int, **more: Any) -> Server:
    """A server with our habits; `more` goes to uvicorn (`fd`, `uds`, `workers` …)."""
    config = Habits(
        app,
        host=host,
        port=port,
        loop="uvloop",
        http=Protocol,
        ws="none",
        lifespan="on",
        access_log=False,  # the gate writes its own line
        log_config=None,
        server_header=False,
        timeout_graceful_shutdown=GRACE_S,
        timeout_keep_alive=KEEP_ALIVE_S,
        **more,
    )
    settings: Settings = cast(Any, app).deps.settings
    config.patience = Patience(settings.head_timeout, settings.body_timeout)
    config.crowd = Crowd.of(settings)
    made = Server(config)
    made.drain_s = settings.drain
    return made
