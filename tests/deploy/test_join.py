"""join.sh makes one cluster of six servers, and leaves it alone the second time."""

import subprocess
import time
from contextlib import ExitStack, contextmanager

from tests.deploy.test_files import DEPLOY, tool
from tests.house import free_port

HIGHEST = 55_000  # a server of a cluster listens on its port and 10,000 above it


@contextmanager
def store(program, port, folder):
    folder.mkdir()
    options = ("--cluster-enabled", "yes", "--save", "", "--dir", str(folder))
    command = [program, "--bind", "127.0.0.1", "--port", str(port), *options]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.terminate()
        process.wait(30)


def said(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout


def low_port():
    while (port := free_port()) > HIGHEST:
        pass
    return port


def until(true):
    deadline = time.monotonic() + 60
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def test_six_servers_become_one_cluster_once(tmp_path):
    program, cli = tool("redis-server"), tool("redis-cli")
    ports = {low_port() for _ in range(12)}
    ports = sorted(ports)[:6]
    join = ("sh", str(DEPLOY / "compose" / "join.sh"), *(f"127.0.0.1:{port}" for port in ports))

    def ask(port, *words):
        found = subprocess.run([cli, "-p", str(port), *words], capture_output=True, text=True, check=False)
        return found.stdout

    with ExitStack() as stack:
        for port in ports:
            stack.enter_context(store(program, port, tmp_path / str(port)))
        until(lambda: all(ask(port, "ping") == "PONG\n" for port in ports))
        said(*join)
        until(lambda: "cluster_state:ok" in ask(ports[0], "cluster", "info"))
        assert "exists already" in said(*join)
        until(lambda: _roles(ask(ports[0], "cluster", "nodes")) == {"master": 3, "slave": 3})


def _roles(nodes):
    flags = [line.split()[2].split(",") for line in nodes.splitlines()]
    return {role: sum(role in found for found in flags) for role in ("master", "slave")}
