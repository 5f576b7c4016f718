"""A whole house for a benchmark: `turnlog up` on a port of its own."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

PATIENCE_S = 120.0  # until everything has stopped


@contextmanager
def house(folder: str, env: Mapping[str, str], said: Any = subprocess.DEVNULL) -> Iterator[int]:
    """Its port, once it is ready; `said` is where it complains."""
    with running(folder, env, (), said) as (port, _):
        yield port


@contextmanager
def running(
    folder: str, env: Mapping[str, str], options: Sequence[str], said: Any = subprocess.DEVNULL
) -> Iterator[tuple[int, int]]:
    """The port and the process of `turnlog up` with these options, once it is ready."""
    port = free_port()
    command = [sys.executable, "-m", "service.cli", "up", "--port", str(port), "--data", folder, *options]
    process = subprocess.Popen(command, env={**os.environ, **env}, stdout=subprocess.PIPE, stderr=said)
    try:
        assert process.stdout is not None
        if not process.stdout.readline().startswith(b"Turnlog is ready"):
            raise RuntimeError("the house did not start")
        yield port, process.pid
    finally:
        process.terminate()
        process.wait(PATIENCE_S)
        process.stdout.close() if process.stdout else None


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
