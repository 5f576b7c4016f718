"""A real S3-compatible server for tests: rclone's, with a key of its own, on a folder and a free port."""

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from infra.archive.s3 import Credentials
from tests.house import free_port

WHO = Credentials("turnlog-tests", "a secret that only tests know")
BUCKET = "matches"
READY_S = 20.0


@contextmanager
def s3_server(folder: Path) -> Iterator[str]:
    """Its address; it knows one bucket and one key, and checks every signature."""
    beside = Path(sys.executable).parent  # an environment that nobody has activated has it, too
    program = shutil.which("rclone", path=os.pathsep.join([str(beside), os.environ["PATH"]]))
    assert program is not None, "rclone comes with the `dev` extra"
    (folder / BUCKET).mkdir(parents=True)
    port = free_port()
    options = ["--addr", f"127.0.0.1:{port}", "--auth-key", f"{WHO.key},{WHO.secret}"]
    command = [program, "serve", "s3", str(folder), *options, "--config", "", "--vfs-cache-mode", "off"]
    with (folder.parent / "s3.log").open("w", encoding="utf-8") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        _wait(port, process)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(10)


def _wait(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + READY_S
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            assert process.poll() is None, "it ended"
            assert time.monotonic() < deadline, "it does not listen"
            time.sleep(0.05)
