"""Whatever happens to the supervisor, no server is left behind and no second one joins."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest

from infra.embedded.bundled import Embedded, Running
from infra.process import processes
from infra.store.redis import connect_sync

pytestmark = pytest.mark.fault

SUPERVISE = """
import sys, time
from infra.embedded.bundled import Embedded
with Embedded(sys.argv[1]) as server:
    print(server.pid, flush=True)
    time.sleep(60)
"""


@pytest.fixture
def supervisor(tmp_path):
    process = subprocess.Popen([sys.executable, "-c", SUPERVISE, str(tmp_path)], stdout=subprocess.PIPE)
    with process:
        yield process, int(process.stdout.readline())
        process.kill()


def _gone(pid: int) -> bool:
    deadline = time.monotonic() + 10
    while processes.mark(pid) is not None and time.monotonic() < deadline:
        time.sleep(0.02)
    return processes.mark(pid) is None


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ties a child to its parent's life")
def test_a_killed_supervisor_takes_its_server_along(supervisor):
    process, server = supervisor
    process.kill()
    assert _gone(server)


def test_the_next_start_takes_over_after_a_kill(supervisor, tmp_path):
    process, _ = supervisor
    process.kill()
    process.wait()
    with Embedded(tmp_path) as server:
        assert connect_sync(server.url).ping()


@pytest.fixture
def orphan(tmp_path):
    """A server that lost its supervisor and lived on, as on macOS."""
    server = Embedded(tmp_path)
    server.start()
    connect_sync(server.url).set("kept", "yes")
    os.close(server._supervising)
    server._supervising = None
    yield server
    server.stop()


def test_an_orphan_is_ended_and_its_data_taken_over(orphan, tmp_path):
    before = orphan.pid
    with Embedded(tmp_path) as server:
        assert _gone(before)
        assert server.pid != before
        assert connect_sync(server.url).get("kept") == b"yes"


def test_a_stranger_with_the_same_number_is_left_alone(tmp_path):
    with subprocess.Popen(["sleep", "30"]) as stranger:
        note = Running(stranger.pid, "a mark of an earlier process", 1, "unix:///nowhere")
        Path(tmp_path, "server.json").write_bytes(msgspec.json.encode(note))
        with Embedded(tmp_path) as server:
            assert connect_sync(server.url).ping()
            assert stranger.poll() is None
        stranger.send_signal(signal.SIGKILL)
