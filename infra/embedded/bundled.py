"""The bundled store: started with a data directory, supervised, and never left behind.

What lives in the data directory:
    up.lock        locked while somebody supervises it; a second start is refused
    server.json    who runs and where (pid, its mark, url), for other commands; its owner alone may read it
    password       of the store, because whoever can write to the job queue runs code
    store/         the append-only file, the socket, the log, and store.lock, which the server keeps locked

Linux ends the server when its supervisor dies, however it dies. macOS cannot: there the next start finds the
orphan by server.json and store.lock and ends it first.
"""

from __future__ import annotations

import errno
import fcntl
import os
import secrets
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import unquote, urlsplit

import msgspec
from redis.exceptions import RedisError

from infra.embedded import aof
from infra.embedded.server import DURABLE, RELAXED, choose_address, config, spawn, wait_until_ready
from infra.process import processes
from infra.process.errors import DataDirInUse, StoreNotStarted
from infra.process.files import kept, private_dir, write_private
from infra.process.room import FLOOR_MB, Room, hold

__all__ = ["DataDirInUse", "Embedded", "StoreNotStarted", "running"]

STOP_S = 10.0


class Running(msgspec.Struct, frozen=True):
    """The content of server.json."""

    pid: int
    mark: str
    supervisor: int
    url: str


def running(data: Path) -> str | None:
    """The address of the store that runs on this data directory, if one does."""
    note = _read_note(data)
    return note.url if note and processes.is_same(note.pid, note.mark) else None


class Embedded:
    """A store of our own on a data directory.

    >>> import tempfile
    >>> with Embedded(Path(tempfile.mkdtemp())) as server:
    ...     server.alive()
    True
    """

    name = "the store"
    with_what = "on the same data"

    def __init__(self, data: Path | str, min_free: int = FLOOR_MB, relaxed: bool = False) -> None:
        self.data = Path(data).absolute()
        self.room = Room(self.data, min_free)
        self._settings = RELAXED if relaxed else DURABLE
        self.url = ""
        self.lost: str | None = None  # what the last start had to cut off, as a sentence
        self._home = self.data / "store"
        self._supervising: int | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.RLock()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    @property
    def pid(self) -> int | None:
        """The server's process, while it lives."""
        return self._process.pid if self._process and self.alive() else None

    def start(self) -> None:
        """Take the data directory, end what a dead supervisor left, and wait until the store answers."""
        with self._lock:
            self._take_directory()
            try:
                _end_orphan(self.data)
                self.url = choose_address(self._home, _password(self.data))
                self._run()
            except BaseException:
                self.stop()
                raise

    def stop(self) -> None:
        """End the server in order; what it has acknowledged is on disk either way."""
        with self._lock:
            self._end_server()
            if self._supervising is not None:
                (self.data / "server.json").unlink(missing_ok=True)
                os.close(self._supervising)
                self._supervising = None

    def restart(self) -> None:
        """Run the server again, at the same address with the same data, whatever became of it."""
        with self._lock:
            if self._supervising is None:
                raise StoreNotStarted("The store was never started, so it cannot be restarted.")
            self._end_server()
            self._run()

    def look_at_room(self) -> bool:
        """Refuse writes while the disk is nearly full, take them again after; says whether that changed."""
        before = self.room.low
        if self.room.look() is before:
            return False
        try:
            hold(self.url, self.room.low)
        except (RedisError, OSError):
            self.room.low = before  # it has just ended, or is busy: the next look tries again
            return False
        return True

    def alive(self) -> bool:
        """Whether the server's process runs."""
        return self._process is not None and self._process.poll() is None

    def _take_directory(self) -> None:
        if self._supervising is not None:
            raise DataDirInUse(f"This process already runs a store on {self.data}.")
        private_dir(self.data)
        private_dir(self._home)
        self._supervising = _locked(self.data / "up.lock", wait_s=0.0)
        if self._supervising is None:
            raise DataDirInUse(_who_holds(self.data))

    def _run(self) -> None:
        """Start the server; a tail that was cut off by a loss of power is cut in order, and told."""
        self.lost = None
        try:
            self._run_once()
        except StoreNotStarted as problem:
            self._end_server()
            self.lost = aof.mend_tail(self._home)
            if self.lost is None:
                raise StoreNotStarted(f"{problem}{_advice(self.data)}") from None
            self._run_once()

    def _run_once(self) -> None:
        held = _locked(self._home / "store.lock", wait_s=STOP_S)
        if held is None:
            raise DataDirInUse(f"Another store still writes to {self._home} and does not end.")
        try:
            self._process = spawn(self._home, self._config(_password(self.data)), held)
        finally:
            os.close(held)  # the server's own copy keeps the lock, as long as it lives
        self._note(self._process.pid)
        wait_until_ready(self.url, self._process, self._home / "server.log")

    def _config(self, password: str) -> str:
        return config(self.url, password, self.room.look(), self._settings)

    def _note(self, pid: int) -> None:
        note = Running(pid, processes.mark(pid) or "", os.getpid(), self.url)
        _write_note(self.data / "server.json", msgspec.json.encode(note))

    def _end_server(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.terminate()
        try:
            process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()  # every acknowledged write is already on disk
            process.wait()


@contextmanager
def alone(data: Path) -> Iterator[None]:
    """Nobody runs a store on this directory meanwhile."""
    handle = _locked(data / "up.lock", wait_s=0.0)
    if handle is None:
        raise DataDirInUse(_who_holds(data))
    try:
        yield
    finally:
        os.close(handle)


def _advice(data: Path) -> str:
    """What can be done about it with what is installed."""
    damages = aof.check(data / "store")
    if not damages:
        return ""
    commands = f"`turnlog store check --data {data}` says more, `turnlog store repair --data {data}` mends it"
    return f" {damages[0].sentence}. {commands}: it keeps a copy and leaves out only what is damaged."


def _password(data: Path) -> str:
    return kept(data / "password", lambda: secrets.token_hex(32))


def _read_note(data: Path) -> Running | None:
    try:
        return msgspec.json.decode((data / "server.json").read_bytes(), type=Running)
    except (FileNotFoundError, msgspec.MsgspecError):
        return None


def _write_note(path: Path, text: bytes) -> None:
    """On a full disk into the file that is there: its place on the disk is ours already."""
    try:
        write_private(path, text)
    except OSError as problem:
        if problem.errno != errno.ENOSPC:
            raise
        with suppress(OSError), path.open("r+b") as old:  # else commands beside us do not find the store
            old.write(text.ljust(path.stat().st_size))


def _locked(path: Path, wait_s: float) -> int | None:
    """Open and lock a file, writing our pid into it; None if somebody else keeps it locked."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    deadline = time.monotonic() + wait_s
    while not _try_lock(handle):
        if time.monotonic() >= deadline:
            os.close(handle)
            return None
        time.sleep(0.02)
    with suppress(OSError):  # it is locked all the same; a full disk cannot say by whom
        os.pwrite(handle, str(os.getpid()).ljust(20).encode(), 0)
    return handle


def _try_lock(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _who_holds(data: Path) -> str:
    holder = (data / "up.lock").read_text(encoding="ascii").strip() or "unknown"
    url = running(data)
    where = f", its store listens at {_without_password(url)}" if url else ""
    return f"The data directory {data} is in use by process {holder}{where}."


def _without_password(url: str) -> str:
    parts = urlsplit(url)
    return unquote(parts.path) if parts.scheme == "unix" else f"{parts.hostname}:{parts.port}"


def _end_orphan(data: Path) -> None:
    """End the server of a supervisor that died. We hold its lock, so nobody else cares for that server."""
    note = _read_note(data)
    if note is None:
        return
    if not processes.end(note.pid, note.mark, signal.SIGTERM, STOP_S):
        processes.end(note.pid, note.mark, signal.SIGKILL, STOP_S)
    (data / "server.json").unlink(missing_ok=True)
