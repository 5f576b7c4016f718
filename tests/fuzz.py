"""Schemathesis over the OpenAPI document, every operation with a valid identity; `make fuzz`.

The API runs in this process on loopback with a real store. What it would send outside goes to a mail server
and a receiver here, whatever address was asked for. Only endless streams are left out.
"""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from infra.embedded.bundled import Embedded
from infra.outside.mail import Mail
from infra.outside.outward import GuardedHttp
from infra.process.bounds import Bounds
from infra.process.settings import Settings
from infra.store.redis import call
from service.api.app import create_app
from service.api.frame.serving import server
from service.bootstrap import wire
from tests.letterbox import Letterbox, Receiver

STREAMS = r"/stream$"  # they never end
PHASES = "examples,coverage,fuzzing,stateful"
CHECKS = (
    "not_a_server_error,status_code_conformance,content_type_conformance,"
    "response_headers_conformance,response_schema_conformance"
)
TIDES = {"game": "tides-of-time", "seats": [{"kind": "me"}, {"kind": "bot", "bot": "random"}]}
BOT = {"name": "robo", "games": ["tides-of-time"], "delivery": {"kind": "poll"}}
HOOK = {"kind": "webhook", "url": "https://example.org/hook"}
FAR_MS = int((time.time() + 10 * 365 * 24 * 3600) * 1000)


@contextmanager
def house(folder: Path) -> Iterator[str]:
    """The API on loopback; its address."""
    with Embedded(folder) as store, Letterbox() as box, Receiver() as receiver:
        started = threading.Event()
        found: dict[str, Any] = {}
        thread = threading.Thread(
            target=lambda: asyncio.run(_serve(store.url, folder, box, receiver, found, started))
        )
        thread.start()
        assert started.wait(30)
        try:
            yield f"http://127.0.0.1:{found['port']}"
        finally:
            found["server"].should_exit = True
            thread.join(30)


async def _serve(
    url: str, folder: Path, box: Letterbox, receiver: Receiver, found: dict[str, Any], started: Any
) -> None:
    async def resolve(host: str, port: int) -> list[str]:
        return ["127.0.0.1"]

    async def dial(*_: object) -> Any:
        return await asyncio.open_connection("127.0.0.1", receiver.port)

    settings = Settings(
        data=folder, given_secret="a secret of tests", rate_limit=1_000_000, bounds=Bounds.wide(),
        log_level="error",
    )  # fmt: skip
    deps = dataclasses.replace(
        wire(settings, url),
        mail=Mail(box.url, "house@example.org"),
        outward=GuardedHttp(True, resolve, dial=dial),
    )
    for part in ("relay", "worker"):  # they are not here, and nobody should be told that
        await call(deps.client, "HSET", "tl:beats", f"{part} here-1", FAR_MS)
    running = server(create_app(deps), "127.0.0.1", 0)
    serving = asyncio.create_task(running.serve())
    while not running.started:  # noqa: ASYNC110 - the server tells nobody
        await asyncio.sleep(0.01)
    found |= {"server": running, "port": running.servers[0].sockets[0].getsockname()[1]}
    started.set()
    await serving


def ask(base: str, method: str, path: str, body: Any, token: str = "") -> Any:
    request = urllib.request.Request(f"{base}/api{path}", json.dumps(body).encode(), method=method)
    if token:
        request.add_header("Authorization", f"Bearer {token}")
    with urllib.request.urlopen(request, timeout=20) as reply:
        return json.loads(reply.read())


def furnish(base: str) -> dict[str, str]:
    """Somebody with a password, a match, a bot and a channel: what parameters of paths can name."""
    made = ask(base, "POST", "/accounts", {"name": "Anna", "password": "a good password"})
    token = made["token"]
    match = ask(base, "POST", "/matches", TIDES, token)
    bot = ask(base, "POST", "/bots", BOT, token)
    ask(base, "PUT", "/me/channels/hook", HOOK, token)
    spare = ask(base, "POST", "/me/tokens", {"label": "spare", "scopes": ["read"]}, token)
    return {"token": token, "match": match["id"], "bot": bot["token"], "spare": spare["id"]}


def run(
    base: str, folder: Path, token: str, paths: dict[str, str], examples: int, seed: int, *more: str
) -> int:
    """One run of schemathesis; its exit code."""
    config = folder / "schemathesis.toml"
    config.write_text("[parameters]\n" + "".join(f'"path.{k}" = "{v}"\n' for k, v in paths.items()), "utf-8")
    command = [
        str(Path(sys.executable).with_name("schemathesis")), "--config-file", str(config), "run",
        f"{base}/api/openapi.json", "-H", f"Authorization: Bearer {token}", "--phases", PHASES,
        "--checks", CHECKS, "--max-examples", str(examples), "--seed", str(seed), "--continue-on-failure",
        "--request-timeout", "30", "--suppress-health-check", "all", "--no-color",
        "--generation-database", "none", "--no-shrink",
        "--generation-with-security-parameters", "false", *more,
    ]  # fmt: skip
    env = {**os.environ, "SCHEMATHESIS_HOOKS": "tests.fuzz_hooks", "PYTHONPATH": os.getcwd()}
    return subprocess.run(command, check=False, env=env).returncode


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--examples", type=int, default=100, help="for each operation and phase")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default=".", help="paths that match this")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, house(Path(name)) as base:
        folder, known = Path(name), furnish(base)
        # A spare token, or the identity itself would be ended on the way.
        named = {"match": known["match"], "game": "tides-of-time", "seat": "0", "token": known["spare"]}
        shared = (named, chosen.examples, chosen.seed)
        paths = ("--include-path-regex", chosen.only, "--exclude-path-regex", rf"{STREAMS}|^/api/bot/")
        people = run(base, folder, known["token"], *shared, *paths)
        bots = run(base, folder, known["bot"], *shared, "--include-path-regex", r"^/api/bot/turns$")
        return people or bots


if __name__ == "__main__":
    raise SystemExit(main())
