"""`turnlog up`: starts every role as a process of its own, keeps them alive, and ends them in order."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import infra.launch
from infra.embedded import Embedded, StoreNotStarted
from infra.limits import raise_open_files, too_few
from infra.settings import Settings
from service.cli.common import WrongUsage

READY_S = 30.0
STOP_S = 6.0
LOOK_EVERY_S = 0.1
LONGEST_PAUSE_S = 5.0
HEALTHY_S = 10.0  # a role that ran so long is restarted without a pause


class Role:
    """One child process that is restarted whenever it ends."""

    def __init__(self, name: str, arguments: list[str], env: dict[str, str]) -> None:
        self.name = name
        self._arguments, self._env = arguments, env
        self._process: subprocess.Popen[bytes] | None = None
        self._started = self._again_at = 0.0
        self._pause = 0.1

    def start(self) -> None:
        self._started = time.monotonic()
        # A session of its own: Ctrl-C reaches only us, and we end the roles in order.
        # The launcher ties each role to this process, so that none survives it.
        launcher = [sys.executable, infra.launch.__file__, str(os.getpid())]
        role = [sys.executable, "-m", "service.cli", *self._arguments]
        self._process = subprocess.Popen([*launcher, *role], env=self._env, start_new_session=True)

    def look(self) -> None:
        """Restart the role if it has ended, more slowly the sooner it ended."""
        if self._process is not None and self._process.poll() is None:
            return
        now = time.monotonic()
        if self._process is not None:
            code, self._process = self._process.returncode, None
            self._pause = 0.1 if now - self._started > HEALTHY_S else min(LONGEST_PAUSE_S, self._pause * 2)
            self._again_at = now + self._pause
            say(f"{self.name} ended with {code}; starting it again")
        if now >= self._again_at:
            self.start()

    def ask_to_stop(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()

    def wait(self, deadline: float) -> None:
        if self._process is None:
            return
        try:
            self._process.wait(max(0.1, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


class Stopped(Exception):
    """Somebody asked us to stop."""


def up(chosen: Settings) -> int:
    """Run everything until SIGINT or SIGTERM."""
    _check_port(chosen)
    few = too_few(raise_open_files())  # the roles inherit it
    if few is not None:
        say(few)
    with _signals(), _store(chosen) as (store, url), suppress(Stopped):
        roles = _roles(chosen, url)
        try:
            for role in roles:
                role.start()
            _wait_until_ready(chosen, roles, store)
            print(f"Turnlog is ready at {_address(chosen)}  (Ctrl-C stops it)", flush=True)
            while True:
                _look(roles, store)
        finally:
            say("stopping")
            _stop(roles)
    return 0


def say(text: str) -> None:
    with suppress(OSError):  # a log on a full disk
        print(f"turnlog: {text}", file=sys.stderr, flush=True)


@contextmanager
def _signals() -> Iterator[None]:
    def stop(*_: object) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)  # once is enough: stopping is under way
        raise Stopped

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    except Stopped:
        say("stopped before it was ready")
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _store(chosen: Settings) -> Iterator[tuple[Embedded | None, str]]:
    if chosen.redis_url is not None:
        yield None, chosen.redis_url
        return
    with Embedded(chosen.data, chosen.min_free) as server:
        _say_how_it_is(server)
        yield server, server.url


def _roles(chosen: Settings, url: str) -> list[Role]:
    env = {
        **os.environ,
        "TURNLOG_REDIS_URL": url,
        "TURNLOG_QUEUE_URL": chosen.queue_url or url,
        "TURNLOG_DATA": str(Path(chosen.data).absolute()),
        "TURNLOG_WORKERS": str(chosen.workers),
        "TURNLOG_HEAVY_WORKERS": str(chosen.heavy_workers),
        "TURNLOG_HOST": chosen.host,  # for links in letters
        "TURNLOG_PORT": str(chosen.port),
        "PYTHONUNBUFFERED": "1",
    }
    api = ["api", "--port", str(chosen.port), "--host", chosen.host]
    # Quick bots have processes of their own: one that thinks for seconds holds none of them up.
    workers = [Role(f"worker {n}", ["worker", "--queues", "bots"], env) for n in range(1, chosen.workers + 1)]
    heavy = ["worker", "--queues", "bots-heavy"]
    workers += [Role(f"heavy worker {n}", heavy, env) for n in range(1, chosen.heavy_workers + 1)]
    return [
        Role("api", api, env),
        Role("relay", ["relay"], env),
        *workers,
        Role("notifier", ["notifier"], env),
        Role("caller", ["worker", "--queues", "calls"], env),  # a slow bot elsewhere holds nobody else up
    ]


def _check_port(chosen: Settings) -> None:
    """A taken port is said at once, not found in a child's log."""
    family = socket.AF_INET6 if ":" in chosen.host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((chosen.host, chosen.port))
        except OSError as problem:
            raise WrongUsage(
                f"port {chosen.port} on {chosen.host} cannot be used: {problem.strerror}"
            ) from None


def _address(chosen: Settings) -> str:
    host = "127.0.0.1" if chosen.host in ("0.0.0.0", "::") else chosen.host
    return f"http://{f'[{host}]' if ':' in host else host}:{chosen.port}"


def _wait_until_ready(chosen: Settings, roles: list[Role], store: Embedded | None) -> None:
    deadline = time.monotonic() + READY_S
    while not _ready(chosen, "/health" if store is not None and store.room.low else "/ready"):
        if time.monotonic() > deadline:
            raise OSError(f"not ready after {READY_S:.0f} s; the lines above say why")
        _look(roles, store)


def _ready(chosen: Settings, path: str) -> bool:
    """Relay and workers cannot say that they live while nothing can be stored: then the API's word counts."""
    try:
        with urllib.request.urlopen(f"{_address(chosen)}{path}", timeout=2) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def _look(roles: list[Role], store: Embedded | None) -> None:
    time.sleep(LOOK_EVERY_S)
    if store is not None:
        _look_at_store(store)
    for role in roles:
        role.look()


def _look_at_store(store: Embedded) -> None:
    if not store.alive():
        say("the store ended; starting it again on the same data")
        _restart(store)
    if store.look_at_room():
        say(
            f"reading only: {store.room.sentence()}"
            if store.room.low
            else "there is room again: writing goes on"
        )


def _restart(store: Embedded) -> None:
    """A store that does not come up is tried again: a disk may be full now and not in a moment."""
    try:
        store.restart()
    except (StoreNotStarted, OSError) as problem:
        say(f"the store cannot be started: {problem}")
        time.sleep(LONGEST_PAUSE_S)
        return
    _say_how_it_is(store)


def _say_how_it_is(store: Embedded) -> None:
    """What a start of the store has found."""
    if store.lost is not None:
        say(store.lost)
    if store.room.low:
        say(f"reading only: {store.room.sentence()}")


def _stop(roles: list[Role]) -> None:
    deadline = time.monotonic() + STOP_S
    for role in roles:
        role.ask_to_stop()
    for role in roles:
        role.wait(deadline)
