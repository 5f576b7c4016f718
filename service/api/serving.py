"""The HTTP server of one process."""

from __future__ import annotations

from types import FrameType
from typing import Any

import uvicorn
from fastapi import FastAPI

GRACE_S = 3
KEEP_ALIVE_S = 65  # longer than the proxies in front usually keep theirs


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


def server(app: FastAPI, host: str, port: int, **more: Any) -> Server:
    """A server with our habits; `more` goes to uvicorn (`fd`, `uds`, `workers` …)."""
    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        loop="uvloop",
        http="httptools",
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
