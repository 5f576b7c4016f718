"""The commands of the units start the roles: together they make a house that is ready."""

import os
import signal
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager

import pytest

from tests.deploy.test_files import UNITS
from tests.house import House, free_port

pytestmark = pytest.mark.fault
ROLES = [path for path in UNITS if path.stem != "turnlog-up"]


@contextmanager
def running(unit, env, log):
    line = next(x for x in unit.read_text(encoding="utf-8").splitlines() if x.startswith("ExecStart="))
    with log.open("w", encoding="utf-8") as said:
        command = [sys.executable, "-m", "service.cli", *line.split()[1:]]
        process = subprocess.Popen(command, env={**os.environ, **env}, stderr=said, stdout=said)
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) in (0, -signal.SIGTERM), log.read_text(encoding="utf-8")[-2000:]


def test_the_units_make_a_house(embedded, tmp_path):
    port = free_port()
    env = {
        "TURNLOG_REDIS_URL": embedded.url,
        "TURNLOG_DATA": str(tmp_path),
        "TURNLOG_PORT": str(port),
        "TURNLOG_SECRET": "a secret for every role",
    }
    with ExitStack() as stack:
        for unit in ROLES:
            stack.enter_context(running(unit, env, tmp_path / f"{unit.stem}.log"))
        house = House(tmp_path, port)
        deadline = time.monotonic() + 120
        while (answer := house.call("GET", "/ready")).status != 200:
            assert time.monotonic() < deadline, answer.body
        assert answer.json["warnings"] == []
