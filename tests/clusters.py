"""A real cluster on loopback: three masters, a replica of each, ready in a second or two.

Every server is told in its own file who the others are, instead of being introduced to them one by one.
`python -m tests.clusters` runs one until Ctrl-C and prints its address.
"""

import hashlib
import os
import shutil
import signal
import socket
import subprocess
import time
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Self

import pytest
import redis

SLOTS = 16384
MASTERS = 3
NEED = "TURNLOG_NEED_REDIS"
PATIENCE_S = 60.0
NODE_TIMEOUT_MS = 2000


def program() -> str:
    """Debian's server. Where it is missing such tests are skipped, unless somebody insists on them."""
    found = shutil.which("redis-server")
    if found is None:
        if os.environ.get(NEED):
            pytest.fail(f"{NEED} is set and there is no redis-server on this machine")
        pytest.skip("there is no redis-server on this machine: apt-get install redis-server")
    return found


def free_ports(count: int) -> list[int]:
    with ExitStack() as stack:
        probes = [stack.enter_context(socket.socket()) for _ in range(count)]
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [probe.getsockname()[1] for probe in probes]


class Node:
    """One server; `n` below three is a master at first, the others follow them."""

    def __init__(self, n: int, port: int, bus: int, folder: Path) -> None:
        self.n, self.port, self.bus, self.folder = n, port, bus, folder
        self.id = hashlib.sha1(f"{n} {port}".encode(), usedforsecurity=False).hexdigest()
        self.process: subprocess.Popen[bytes] | None = None
        folder.mkdir()

    def line(self, of: Self, followed: Self | None) -> str:
        """How `of` knows this one."""
        flags = ("myself," if of is self else "") + ("slave" if followed else "master")
        leader = followed.id if followed else "-"
        share = SLOTS // MASTERS
        last = SLOTS - 1 if self.n == MASTERS - 1 else (self.n + 1) * share - 1
        slots = "" if followed else f" {self.n * share}-{last}"
        epoch = (followed or self).n + 1
        where = f"127.0.0.1:{self.port}@{self.bus}"
        return f"{self.id} {where} {flags} {leader} 0 0 {epoch} connected{slots}\n"

    def start(self, binary: str, options: list[str]) -> None:
        ports = ["--port", str(self.port), "--cluster-port", str(self.bus), "--bind", "127.0.0.1"]
        cluster = ["--cluster-enabled", "yes", "--cluster-config-file", "nodes.conf"]
        waits = ["--cluster-node-timeout", str(NODE_TIMEOUT_MS), "--repl-diskless-sync-delay", "0"]
        keeps = ["--save", "", "--appendonly", "yes", "--logfile", "server.log"]
        command = [binary, *ports, *cluster, *waits, *keeps, *options]
        self.process = subprocess.Popen(command, cwd=self.folder, start_new_session=True)

    def kill(self, number: int = signal.SIGKILL) -> None:
        assert self.process is not None
        self.process.send_signal(number)
        if number == signal.SIGKILL:
            self.process.wait()

    def ask(self, *command: Any) -> Any:
        with redis.Redis(port=self.port, socket_timeout=5, decode_responses=True) as client:
            return client.execute_command(*command)


class Cluster:
    """Three masters and three replicas, each syncing every write unless `options` say otherwise."""

    def __init__(self, folder: Path, *options: str) -> None:
        self._binary = program()
        self._options = list(options or ("--appendfsync", "always"))
        ports = free_ports(4 * MASTERS)
        both = zip(ports[::2], ports[1::2], strict=True)
        self.nodes = [Node(n, port, bus, folder / f"node-{n}") for n, (port, bus) in enumerate(both)]

    @property
    def url(self) -> str:
        return f"redis+cluster://127.0.0.1:{self.nodes[0].port}"

    def __enter__(self) -> Self:
        for node in self.nodes:
            lines = [one.line(node, self._leader(one)) for one in self.nodes]
            told = "".join(lines) + f"vars currentEpoch {MASTERS} lastVoteEpoch 0\n"
            (node.folder / "nodes.conf").write_text(told, encoding="ascii")
        for node in self.nodes:
            node.start(self._binary, self._options)
        self.wait_until_well()
        return self

    def __exit__(self, *_: object) -> None:
        for node in self.nodes:
            if node.process is not None and node.process.poll() is None:
                node.process.send_signal(signal.SIGCONT)
                node.process.kill()
                node.process.wait()

    def again(self, node: Node) -> None:
        """Start a server that was killed: it comes back as whatever the others say."""
        node.start(self._binary, self._options)

    def wait_until_well(self, replicas: int = MASTERS) -> None:
        """Everybody agrees on who is who, and every master has its replica."""
        self.until(lambda: all(_is_ok(node) for node in self.nodes))
        self.until(lambda: sum(_replicas(node) for node in self.nodes) >= replicas)

    @staticmethod
    def until(what: Any, patience_s: float = PATIENCE_S) -> None:
        deadline = time.monotonic() + patience_s
        while True:
            try:
                if what():
                    return
            except (redis.RedisError, OSError):
                pass
            assert time.monotonic() < deadline, "the cluster never came to that"
            time.sleep(0.05)

    def _leader(self, node: Node) -> Node | None:
        return self.nodes[node.n - MASTERS] if node.n >= MASTERS else None

    def master_of(self, key: str) -> Node:
        """Whoever has a key's slot now, as the first who answers says."""
        slot = int(self._living().ask("CLUSTER", "KEYSLOT", key))
        for low, high, (_, port, *_), *_ in self._slots():
            if low <= slot <= high:
                return next(node for node in self.nodes if node.port == port)
        raise LookupError(key)

    def replica_of(self, master: Node) -> Node:
        found: list[int] = []

        def look() -> bool:
            shares = self._slots()
            found[:] = [
                after[0][1] for _, _, (_, port, *_), *after in shares if port == master.port and after
            ]
            return bool(found)

        self.until(look)
        return next(node for node in self.nodes if node.port == found[0])

    def _slots(self) -> Any:
        with redis.Redis(port=self._living().port, socket_timeout=5) as client:
            found = client.execute_command("CLUSTER SLOTS")
        if isinstance(found, dict):  # as the library prefers to see them
            return [
                (low, high, ("", one["primary"][1]), *(("", other[1]) for other in one["replicas"]))
                for (low, high), one in found.items()
            ]
        return found

    def _living(self) -> Node:
        return next(node for node in self.nodes if node.process is not None and node.process.poll() is None)

    def move_slot(self, key: str, to: Node) -> None:
        """Migrate the slot of a key, key by key, as an operator would, while everybody works on it."""
        source = self.master_of(key)
        slot = int(source.ask("CLUSTER", "KEYSLOT", key))
        to.ask("CLUSTER", "SETSLOT", slot, "IMPORTING", source.id)
        source.ask("CLUSTER", "SETSLOT", slot, "MIGRATING", to.id)
        while found := source.ask("CLUSTER", "GETKEYSINSLOT", slot, 20):
            source.ask("MIGRATE", "127.0.0.1", to.port, "", 0, 5000, "KEYS", *found)
        for node in (to, source, *(one for one in self.nodes if one not in (to, source))):
            if "role:master" in _info(node):
                node.ask("CLUSTER", "SETSLOT", slot, "NODE", to.id)


def _is_ok(node: Node) -> bool:
    with redis.Redis(port=node.port, socket_timeout=2) as client:
        found: Any = client.execute_command("CLUSTER INFO")
        return bool(found["cluster_state"] == "ok" and int(found["cluster_known_nodes"]) == 2 * MASTERS)


def _info(node: Node) -> str:
    with redis.Redis(port=node.port, socket_timeout=2) as client:
        found: Any = client.info("replication")
        return "".join(f"{name}:{value}\n" for name, value in found.items())


def _replicas(node: Node) -> int:
    return _info(node).count("'state': 'online'")


def main() -> None:
    with TemporaryDirectory() as folder, Cluster(Path(folder)) as cluster:
        print(cluster.url, flush=True)  # noqa: T201
        try:
            signal.pause()
        except KeyboardInterrupt:
            return


if __name__ == "__main__":
    main()
