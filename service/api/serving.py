"""The HTTP server of one process."""

from __future__ import annotations

import asyncio
from types import FrameType
from typing import Any

import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

GRACE_S = 3
KEEP_ALIVE_S = 65  # longer than the proxies in front usually keep theirs


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


class Protocol(HttpToolsProtocol):
    """HTTP as uvicorn speaks it, on a transport that joins writes."""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(Joining(transport))  # type: ignore[arg-type] # it behaves like one

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self.scope["abort"] = self.transport.abort  # type: ignore[typeddict-unknown-key] # for who reads nothing


class Server(uvicorn.Server):
    """Ends the streams when it is told to stop: they would hold the process up until its patience ends."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._end_streams()
        super().handle_exit(sig, frame)

    async def shutdown(self, sockets: Any = None) -> None:
        self._end_streams()
        await super().shutdown(sockets)

    def _end_streams(self) -> None:
        app: Any = self.config.app
        app.streams.stop()
        app.bot_streams.stop()


def server(app: FastAPI, host: str, port: int, **more: Any) -> Server:
    """A server with our habits; `more` goes to uvicorn (`fd`, `uds`, `workers` …)."""
    config = uvicorn.Config(
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
    return Server(config)
