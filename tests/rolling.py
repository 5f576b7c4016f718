"""Every role is restarted, one after the other, while people play through a real proxy and never ask twice.

`python -m tests.rolling` needs Caddy (Debian: `apt-get install caddy`) and prints what came of it.
"""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import orjson

from infra.embedded.bundled import Embedded
from infra.embedded.volatile import Volatile
from tests.house import UNBOUNDED, free_port

PLAYERS = 6
DRAIN_S = 4
HEALTH_S = 0.5  # how often the proxy asks
PATIENCE_S = 300.0
TIDES = {"game": "tides-of-time", "seats": [{"kind": "me"}, {"kind": "bot", "bot": "random"}]}
PROXY = """{{
  admin off
  auto_https off
}}
http://127.0.0.1:{port} {{
  reverse_proxy 127.0.0.1:{one} 127.0.0.1:{two} {{
    health_uri /ready?part=api
    health_interval 500ms
    health_timeout 20s
    lb_policy round_robin
  }}
}}
"""


class Process:
    """A role that can be told to end and is started again."""

    def __init__(self, words: list[str], env: dict[str, str]) -> None:
        self.words, self._env = words, env
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "service.cli", *self.words]
        self._process = subprocess.Popen(command, env=self._env, stderr=subprocess.DEVNULL)

    def stop(self) -> None:
        self._process.send_signal(signal.SIGTERM)
        self._process.wait(60)


class Player:
    """Plays match after match. Every request on a connection of its own, and none of them twice."""

    def __init__(self, port: int, seen: Counter[str]) -> None:
        self._port, self._seen, self._token = port, seen, ""

    async def ask(self, method: str, path: str, body: Any = None) -> Any:
        payload = b"" if body is None else orjson.dumps(body)
        auth = f"Authorization: Bearer {self._token}\r\n" if self._token else ""
        head = f"{method} {path} HTTP/1.0\r\nHost: 127.0.0.1\r\nConnection: close\r\n{auth}"
        head += f"Content-Type: application/json\r\nContent-Length: {len(payload)}\r\n\r\n"
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
            writer.write(head.encode() + payload)
            answer = await asyncio.wait_for(reader.read(), PATIENCE_S)
            writer.close()
            status = int(answer[9:12])
        except (OSError, ValueError, TimeoutError) as problem:
            self._seen[f"{method} broken: {type(problem).__name__}"] += 1
            return None
        self._seen[f"{method} {status}"] += 1
        return orjson.loads(answer.partition(b"\r\n\r\n")[2]) if status < 300 else None

    async def run(self, n: int, stop: asyncio.Event) -> None:
        made = await self.ask("POST", "/api/accounts", {"name": f"Player {n}"})
        self._token = made["token"]
        while not stop.is_set():
            match = await self.ask("POST", "/api/matches", TIDES)
            while match and match["status"] == "running" and not stop.is_set():
                match = await self._step(match)

    async def _step(self, match: Any) -> Any:
        path = f"/api/matches/{match['id']}"
        if match["you"] in match["to_act"]:
            body = {"seq": match["seq"], "action": match["legal"][0]}
            return await self.ask("POST", f"{path}/actions?labels=0", body)
        await asyncio.sleep(0.05)
        return await self.ask("GET", f"{path}?labels=0")


async def play(port: int, apis: list[int], roles: list[Process]) -> Counter[str]:
    seen: Counter[str] = Counter()
    await _until_whole(port, apis)
    stop = asyncio.Event()
    tasks = [asyncio.create_task(Player(port, seen).run(n, stop)) for n in range(PLAYERS)]
    await asyncio.sleep(3)
    for role in roles:
        await asyncio.to_thread(role.stop)
        role.start()
        await _until_whole(port, apis)  # the next one may go
    stop.set()
    await asyncio.gather(*tasks)
    return seen


async def _until_whole(port: int, apis: list[int]) -> None:
    """Each API is ready and has heard two of every role, and the proxy has had the time to see that."""
    for one in (*apis, port):
        probe, deadline = Player(one, Counter()), time.monotonic() + PATIENCE_S
        while not _is_whole(await probe.ask("GET", "/ready")):
            if time.monotonic() > deadline:
                raise RuntimeError("the house does not become ready")
            await asyncio.sleep(0.2)
    await asyncio.sleep(4 * HEALTH_S)


def _is_whole(ready: Any) -> bool:
    return bool(ready) and all(ready["processes"].get(role, 0) >= 2 for role in ("relay", "worker"))


def main() -> int:
    port, one, two = free_port(), free_port(), free_port()
    with TemporaryDirectory() as folder, ExitStack() as stack:
        store = stack.enter_context(Embedded(Path(folder) / "data"))
        queue = stack.enter_context(Volatile(Path(folder) / "data"))
        env = {**os.environ, **UNBOUNDED, "TURNLOG_REDIS_URL": store.url, "TURNLOG_QUEUE_URL": queue.url}
        env |= {"TURNLOG_DRAIN": str(DRAIN_S), "TURNLOG_LOG_LEVEL": "error", "TURNLOG_DATA": folder}
        words = [["api", "--port", str(one)], ["api", "--port", str(two)], ["relay"], ["relay"]]
        words += [["worker"], ["worker"]]
        roles = [Process(some, env) for some in words]
        for role in roles:
            stack.callback(role.stop)
        file = Path(folder) / "Caddyfile"
        file.write_text(PROXY.format(port=port, one=one, two=two), encoding="ascii")
        proxy = ["caddy", "run", "--config", str(file), "--adapter", "caddyfile"]
        home = {**os.environ, "HOME": folder, "XDG_DATA_HOME": folder, "XDG_CONFIG_HOME": folder}
        caddy = subprocess.Popen(proxy, env=home, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        stack.callback(caddy.wait)
        stack.callback(caddy.terminate)
        seen = asyncio.run(play(port, [one, two], roles))
    for what, count in sorted(seen.items()):
        sys.stdout.write(f"{count:>8}  {what}\n")
    return int(any(_failed(what) for what in seen))


def _failed(what: str) -> bool:
    return "broken" in what or what[-3:] >= "500"


if __name__ == "__main__":
    sys.exit(main())
