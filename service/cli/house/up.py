"""`turnlog up`: starts every role as a process of its own, keeps them alive, and ends them in order."""

import os
import signal
import socket
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from infra.embedded.bundled import Embedded, StoreNotStarted
from infra.embedded.volatile import Volatile
from infra.process import addresses
from infra.process.limits import raise_open_files, too_few
from infra.process.settings import Settings
from service.cli.common import WrongUsage
from service.cli.house.fitting import links, wait_for_store
from service.cli.house.role import Role, say

READY_S = 60.0
STOP_S = 6.0
BACKLOG = 2048
LOOK_EVERY_S = 0.1
LONGEST_PAUSE_S = 5.0


class Stopped(Exception):
    """Somebody asked us to stop."""


def up(chosen: Settings) -> int:
    """Run everything until SIGINT or SIGTERM."""
    _check_queue(chosen)
    listener = _listen(chosen)
    few = too_few(raise_open_files())  # the roles inherit it
    for warning in (few, links(chosen)):
        if warning is not None:
            say(warning)
    with (
        _signals(),
        _store(chosen) as (store, url),
        _queue(chosen, url) as (queue, queue_url),
        suppress(Stopped),
    ):
        roles, servers = (
            _roles(chosen, url, queue_url, listener),
            [one for one in (store, queue) if one is not None],
        )
        try:
            for role in roles:
                role.start()
            _wait_until_ready(chosen, roles, servers)
            print(f"Turnlog is ready at {_address(chosen)}  (Ctrl-C stops it)", flush=True)
            while True:
                _look(roles, servers)
        finally:
            say("stopping")
            _stop(roles, chosen.drain)
            listener.close()
    return 0


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
        wait_for_store(chosen, chosen.redis_url)
        yield None, chosen.redis_url
        return
    if chosen.durability == "replicated":
        raise WrongUsage(
            "TURNLOG_DURABILITY=replicated: the embedded store has no replicas, set TURNLOG_REDIS_URL"
        )
    with Embedded(chosen.data, chosen.min_free, chosen.durability == "relaxed") as server:
        _say_how_it_is(server)
        wait_for_store(chosen, server.url)
        yield server, server.url


@contextmanager
def _queue(chosen: Settings, store: str) -> Iterator[tuple[Volatile | None, str]]:
    if chosen.queue_url not in (None, "embedded"):
        yield None, chosen.queue_at(store)
        return
    with Volatile(chosen.data) as server:
        yield server, server.url


def _check_queue(chosen: Settings) -> None:
    """Machines that share a cluster must share a queue, too: which one, only their operator knows."""
    if (
        chosen.redis_url is not None
        and addresses.is_cluster(chosen.redis_url)
        and chosen.queue_url != "embedded"
    ):
        try:
            chosen.queue_at(chosen.redis_url)
        except ValueError as problem:
            raise WrongUsage(f"{problem} TURNLOG_QUEUE_URL=embedded if this is the only machine.") from None


def _roles(chosen: Settings, url: str, queue_url: str, listener: socket.socket) -> list[Role]:
    env = {
        **os.environ,
        "TURNLOG_REDIS_URL": url,
        "TURNLOG_QUEUE_URL": queue_url,
        "TURNLOG_DATA": str(Path(chosen.data).absolute()),
        "TURNLOG_WORKERS": str(chosen.workers),
        "TURNLOG_HEAVY_WORKERS": str(chosen.heavy_workers),
        "TURNLOG_HOST": chosen.host,  # for links in letters
        "TURNLOG_PORT": str(chosen.port),
        "TURNLOG_ARCHIVE": chosen.archive_at or "",
        "PYTHONUNBUFFERED": "1",
    }
    api = ["api", "--port", str(chosen.port), "--host", chosen.host, "--listener", str(listener.fileno())]
    # Quick bots have processes of their own: one that thinks for seconds holds none of them up.
    workers = [Role(f"worker {n}", ["worker", "--queues", "bots"], env) for n in range(1, chosen.workers + 1)]
    heavy = ["worker", "--queues", "bots-heavy"]
    workers += [Role(f"heavy worker {n}", heavy, env) for n in range(1, chosen.heavy_workers + 1)]
    return [
        *(Role(_named("api", n), api, env, listener) for n in range(1, chosen.apis + 1)),
        *(Role(_named("relay", n), ["relay"], env) for n in range(1, chosen.relays + 1)),
        *workers,
        Role("notifier", ["notifier"], env),
        Role("caller", ["worker", "--queues", "calls"], env),  # a slow bot elsewhere holds nobody else up
    ]


def _listen(chosen: Settings) -> socket.socket:
    """A taken port is said at once, not found in a child's log.

    All APIs listen on this one socket, which stays open while they come and go: who connects meanwhile waits.
    """
    family = socket.AF_INET6 if ":" in chosen.host else socket.AF_INET
    listener = socket.socket(family)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((chosen.host, chosen.port))
        listener.listen(BACKLOG)
    except OSError as problem:
        listener.close()
        raise WrongUsage(f"port {chosen.port} on {chosen.host} cannot be used: {problem.strerror}") from None
    return listener


def _named(role: str, n: int) -> str:
    return role if n == 1 else f"{role} {n}"


def _address(chosen: Settings) -> str:
    host = "127.0.0.1" if chosen.host in ("0.0.0.0", "::") else chosen.host
    return f"http://{f'[{host}]' if ':' in host else host}:{chosen.port}"


def _wait_until_ready(chosen: Settings, roles: list[Role], servers: list[Embedded]) -> None:
    deadline = time.monotonic() + READY_S
    while not _ready(chosen, "/health" if any(one.room.low for one in servers) else "/ready"):
        if time.monotonic() > deadline:
            raise OSError(f"not ready after {READY_S:.0f} s; the lines above say why")
        _look(roles, servers)


def _ready(chosen: Settings, path: str) -> bool:
    """Relay and workers cannot say that they live while nothing can be stored: then the API's word counts."""
    try:
        with urllib.request.urlopen(f"{_address(chosen)}{path}", timeout=2) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def _look(roles: list[Role], servers: list[Embedded]) -> None:
    time.sleep(LOOK_EVERY_S)
    for server in servers:
        _look_at(server)
    for role in roles:
        role.look()


def _look_at(server: Embedded) -> None:
    if not server.alive():
        say(f"{server.name} ended; starting it again {server.with_what}")
        _restart(server)
    if server.look_at_room():
        say(
            f"reading only: {server.room.sentence()}"
            if server.room.low
            else "there is room again: writing goes on"
        )


def _restart(store: Embedded) -> None:
    """A store that does not come up is tried again: a disk may be full now and not in a moment."""
    try:
        store.restart()
    except (StoreNotStarted, OSError) as problem:
        say(f"{store.name} cannot be started: {problem}")
        time.sleep(LONGEST_PAUSE_S)
        return
    _say_how_it_is(store)


def _say_how_it_is(store: Embedded) -> None:
    """What a start of the store has found."""
    if store.lost is not None:
        say(store.lost)
    if store.room.low:
        say(f"reading only: {store.room.sentence()}")


def _stop(roles: list[Role], drain: int) -> None:
    deadline = time.monotonic() + STOP_S + drain
    for role in roles:
        role.ask_to_stop()
    for role in roles:
        role.wait(deadline)
