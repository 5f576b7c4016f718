"""A whole `turnlog up` for tests: real processes on a free port, with a patient HTTP client."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPException
from pathlib import Path
from typing import Any

from redis.cluster import RedisCluster

from infra.embedded.volatile import FOLDER
from infra.process.bounds import Bounds

READY_S = 40.0
STORE = "TESTS_STORE_URL"  # where houses keep their matches, if not in their own data directory
UNBOUNDED = dict.fromkeys(Bounds.names().values(), "1000000")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Answer:
    def __init__(self, status: int, body: bytes) -> None:
        self.status, self.body = status, body

    @property
    def json(self) -> Any:
        return json.loads(self.body)


SERVERS = {"store": ".", "queue": FOLDER}  # where each keeps its note, in the data directory


class House:
    def __init__(self, data: Path, port: int, process: Any = None) -> None:
        self.data, self.port, self.process = data, port, process
        self.url = f"http://127.0.0.1:{port}"

    def call(self, method: str, path: str, body: Any = None, token: str = "", key: str = "") -> Answer:
        """One request; a refused connection, a 503 or a 429 is asked again, as a client should."""
        deadline = time.monotonic() + READY_S
        while True:
            try:
                answer = self.once(method, path, body, token, key)
            except (urllib.error.URLError, HTTPException, OSError):
                if time.monotonic() > deadline:
                    raise
            else:
                if answer.status not in (429, 503) or time.monotonic() > deadline:
                    return answer
            time.sleep(0.1)

    def once(self, method: str, path: str, body: Any = None, token: str = "", key: str = "") -> Answer:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, method=method)
        request.add_header("Content-Type", "application/json")
        if token:
            request.add_header("Authorization", f"Bearer {token}")
        if key:
            request.add_header("Idempotency-Key", key)
        try:
            with urllib.request.urlopen(request, timeout=10) as reply:
                return Answer(reply.status, reply.read())
        except urllib.error.HTTPError as problem:
            with problem:
                return Answer(problem.code, problem.read())

    def guest(self, name: str, **more: str) -> str:
        answer = self.call("POST", "/api/accounts", {"name": name, **more})
        assert answer.status == 201, answer.body
        token: str = answer.json["token"]
        return token

    def role(self, name: str) -> int:
        """The process of a role: `api`, `relay`, `worker`, `bots` (a worker), `store` or `queue`."""
        if name in SERVERS:
            note = json.loads((self.data / SERVERS[name] / "server.json").read_text(encoding="utf-8"))
            return int(note["pid"])
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            for child in _children(self.process.pid):
                words = _words(child)
                if "service.cli" in words and name in words and "launch.py" not in " ".join(words):
                    return child
            time.sleep(0.05)
        raise LookupError(name)

    def until_there_are(self, role: str, count: int) -> None:
        """A house is ready with the first of each role; others of it may still be starting."""
        deadline = time.monotonic() + READY_S
        while (found := self.call("GET", "/ready").json["processes"].get(role, 0)) != count:
            assert time.monotonic() < deadline, f"{found} of {role}"
            time.sleep(0.1)

    def kill(self, name: str) -> None:
        os.kill(self.role(name), signal.SIGKILL)

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(15)


def _children(pid: int) -> list[int]:
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
    return [int(word) for word in text.split()]


def _words(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text(encoding="utf-8").split("\0")
    except OSError:
        return []


@contextmanager
def house(data: Path, said: Path | None = None, **env: str) -> Iterator[House]:
    """Runs until the block ends; ready when it begins. What it says goes beside the data, or to `said`."""
    port = free_port()
    env = {**_elsewhere(), **env}
    said = said or data.parent / f"{data.name}.log"
    with said.open("w", encoding="utf-8") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "service.cli", "up", "--port", str(port), "--data", str(data)],
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            env={**os.environ, "TURNLOG_LOG_LEVEL": "info", **UNBOUNDED, **env},
        )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith("Turnlog is ready at http://127.0.0.1:"), _log(said)
        yield House(data, port, process)
    except BaseException:
        sys.stderr.write(_log(said))  # pytest shows it beside the failure: why a role died stands there
        raise
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        assert process.stdout is not None
        process.stdout.close()


def _elsewhere() -> dict[str, str]:
    """A cluster for all houses of a run: each begins with an empty one."""
    url = os.environ.get(STORE)
    if url is None:
        return {}
    with RedisCluster.from_url(url.replace("redis+cluster", "redis")) as client:
        client.flushall()
    return {"TURNLOG_REDIS_URL": url, "TURNLOG_QUEUE_URL": "embedded"}


def _log(said: Path) -> str:
    return said.read_text(encoding="utf-8")[-3000:]


def play(
    house: House, token: str, match: dict[str, Any], between: Any = lambda number: None
) -> dict[str, Any]:
    """Play a match to its end with the first legal action; `between` is called before every action."""
    number = 0
    deadline = time.monotonic() + 240
    while match["status"] == "running":
        assert time.monotonic() < deadline, match
        if match["you"] not in match["to_act"]:
            time.sleep(0.02)
            match = house.call("GET", f"/api/matches/{match['id']}?labels=0", token=token).json
            continue
        between(number)
        body = {"seq": match["seq"], "action": match["legal"][0]}
        answer = house.call("POST", f"/api/matches/{match['id']}/actions", body, token, f"k{number}")
        if answer.status == 409:  # the match moved on while we looked away
            match = house.call("GET", f"/api/matches/{match['id']}", token=token).json
            continue
        assert answer.status == 200, answer.body
        number += 1
        match = answer.json
    return match
