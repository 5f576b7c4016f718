"""What the server itself can take: bare sockets, requests packed beforehand, replies not even parsed."""

import select
import socket
import time
from urllib.parse import parse_qs, unquote, urlsplit

from infra.store import keys
from infra.store.eventstore import APPEND
from infra.store.redis import connect_sync

CLIENTS = 50
PACKED = 2000  # requests prepared for each client; more would only cost memory
EVENT = b"x" * 300


def appends(url: str, seconds: float) -> float:
    """Appends a second by 50 clients that do nothing else, each to a log of its own."""
    connect_sync(url).script_load(APPEND.text)
    clients = [_Client(url, f"raw{time.time_ns()}-{n}") for n in range(CLIENTS)]
    poll = select.poll()
    by_number = {client.number: client for client in clients}
    for client in clients:
        poll.register(client.number, select.POLLIN)
        client.send()
    started = time.perf_counter()
    done = 0
    while time.perf_counter() - started < seconds:
        for number, _ in poll.poll(100):
            done += by_number[number].turn()
    spent = time.perf_counter() - started
    for client in clients:
        client.close()
    return done / spent


class _Client:
    def __init__(self, url: str, match: str) -> None:
        self._socket = _connect(url)
        self._requests = iter(_requests(match))
        self.number = self._socket.fileno()

    def send(self) -> None:
        request = next(self._requests, None)
        if request is not None:
            self._socket.sendall(request)

    def turn(self) -> int:
        """Take a reply, send the next request; returns how many appends were done."""
        reply = self._socket.recv(4096)
        if b":0\r\n" not in reply:
            raise RuntimeError(f"the append was refused: {reply!r}")
        self.send()
        return 1

    def close(self) -> None:
        self._socket.close()


def _connect(url: str) -> socket.socket:
    parts = urlsplit(url)
    if parts.scheme == "unix":
        found = socket.socket(socket.AF_UNIX)
        found.connect(unquote(parts.path))
    else:
        found = socket.create_connection((parts.hostname or "127.0.0.1", parts.port or 6379))
    password = parts.password or parse_qs(parts.query).get("password", [""])[0]
    if password:
        found.sendall(_pack("AUTH", unquote(password)))
        found.recv(100)
    return found


def _requests(match: str) -> list[bytes]:
    where, channel = keys.of_match(match), keys.channel(keys.shard(match))
    fixed = ("EVALSHA", APPEND.sha, len(where), *where, match)
    return [_pack(*fixed, n, "", "", "keep", channel, "", EVENT) for n in range(PACKED)]


def _pack(*parts: str | bytes | int) -> bytes:
    raw = [part if isinstance(part, bytes) else str(part).encode() for part in parts]
    return b"*%d\r\n" % len(raw) + b"".join(b"$%d\r\n%s\r\n" % (len(part), part) for part in raw)
