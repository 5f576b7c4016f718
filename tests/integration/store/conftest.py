"""The contract suites run on a fake, on a real server and on a cluster of one server."""

from __future__ import annotations

import socket
import subprocess
import time

import pytest
import redis
from fakeredis import FakeAsyncRedis

from infra.embedded.server import find_binary
from infra.store.redis import connect


@pytest.fixture(scope="session")
def cluster_url(request, tmp_path_factory):
    """One server that owns all slots: it refuses what no cluster would do; or the real one."""
    if request.config.getoption("--on-cluster"):
        yield request.getfixturevalue("store_url")
        return
    port, bus = _free_ports()
    options = ["--port", str(port), "--bind", "127.0.0.1", "--cluster-enabled", "yes", "--save", ""]
    # The bus needs a port of its own; the default (+10000) may not exist.
    options += ["--cluster-port", str(bus), "--appendonly", "no", "--logfile", "server.log"]
    with subprocess.Popen([find_binary(), *options], cwd=tmp_path_factory.mktemp("cluster")) as process:
        try:
            _own_all_slots(port)
            yield f"redis+cluster://127.0.0.1:{port}"
        finally:
            process.terminate()


def _free_ports():
    with socket.socket() as one, socket.socket() as other:
        for probe in (one, other):
            probe.bind(("127.0.0.1", 0))
        return one.getsockname()[1], other.getsockname()[1]


def _own_all_slots(port):
    client = redis.Redis(port=port)  # retries until it listens
    client.execute_command("CLUSTER ADDSLOTSRANGE 0 16383")
    deadline = time.monotonic() + 10
    while client.execute_command("CLUSTER INFO")["cluster_state"] != "ok":
        assert time.monotonic() < deadline
        time.sleep(0.05)
    client.close()


@pytest.fixture(params=["fake", "embedded", "cluster"])
async def client(request, anyio_backend):
    if request.param == "fake":
        client = FakeAsyncRedis()
    elif request.param == "embedded":
        client = connect(request.getfixturevalue("embedded").url)
    else:
        client = connect(request.getfixturevalue("cluster_url"))
    await client.flushall()
    yield client
    await client.aclose()
