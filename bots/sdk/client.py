"""The service over HTTP: kept-open connections, and one sort of failure for everything worth a retry."""

import http.client
import json
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple
from urllib.parse import urlsplit

QUIET = 20.0  # the stream sends an empty line every 7 s: after this much silence it is dead
ANSWER = 30.0
LETTING_GO = 0.05  # seconds after which a reader that did not wake up is woken once more


class Unreachable(Exception):
    """Nobody answered, or with an error of the server's own: try again later."""

    def __init__(self, reason: str, retry_after: float = 0.0) -> None:
        super().__init__(reason)
        self.retry_after = retry_after


class Refused(Exception):
    """The service does not know this token, or it may not do this: trying again does not help."""


class Reply(NamedTuple):
    status: int
    body: Any  # JSON, or None

    @property
    def code(self) -> str:
        """The stable code of a problem."""
        return self._field("code")

    @property
    def reason(self) -> str:
        """The game's own code, if the rules refused."""
        return self._field("reason")

    def _field(self, name: str) -> str:
        return str(self.body.get(name, "")) if isinstance(self.body, dict) else ""


class _Kept:
    """A connection that stays open, of one thread; another thread may end it."""

    def __init__(self, connection: http.client.HTTPConnection) -> None:
        self.connection = connection
        self.used = threading.Lock()  # while a request is under way

    def end(self) -> None:
        """Wake whoever reads, and close it when nobody does: a response must not vanish under its reader."""
        while not self.used.acquire(timeout=LETTING_GO):
            if (used := self.connection.sock) is not None:
                with suppress(OSError):  # its thread has closed it meanwhile
                    socket.socket.shutdown(
                        used, socket.SHUT_RDWR
                    )  # below TLS, whose own would confuse a reader
        try:
            self.connection.close()
        finally:
            self.used.release()


class Client:
    """One bot's way to its service. Safe for several threads: each has a connection of its own."""

    def __init__(self, url: str, token: str) -> None:
        self.token = token
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"{url} is not an address like https://games.example.org")
        self._secure = parts.scheme == "https"
        self._host, self._port = parts.hostname, parts.port
        self._prefix = parts.path.rstrip("/")
        self._headers = {"User-Agent": "turnlog-bot"} | (
            {"Authorization": f"Bearer {token}"} if token else {}
        )
        self._local = threading.local()
        self._opened: list[_Kept] = []
        self._closed = threading.Event()

    def close(self) -> None:
        """Close every connection that is kept open; requests that are under way fail, and later ones too."""
        self._closed.set()
        for kept in self._opened:
            kept.end()

    def get(self, path: str, timeout: float = ANSWER) -> Reply:
        return self._ask("GET", path, None, {}, timeout)

    def post(self, path: str, body: Any, headers: Mapping[str, str]) -> Reply:
        return self._ask("POST", path, json.dumps(body).encode(), headers, ANSWER)

    @contextmanager
    def lines(self, path: str) -> Iterator[Iterator[bytes]]:
        """The lines of an answer that does not end."""
        connection = self._connect(QUIET)
        try:
            connection.request("GET", self._prefix + path, headers=self._headers)
            with connection.getresponse() as response:
                if response.status != 200:
                    _judge(response, response.read(65536))
                    raise Unreachable(f"{path} answered {response.status}")
                yield iter(response.readline, b"")
        except (OSError, http.client.HTTPException) as problem:
            raise Unreachable(_reason(problem)) from problem
        finally:
            connection.close()

    def _ask(
        self, method: str, path: str, body: bytes | None, headers: Mapping[str, str], timeout: float
    ) -> Reply:
        kept = self._kept()
        sent = {**self._headers, **headers}
        if body is not None:
            sent["Content-Type"] = "application/json"
        with kept.used:
            if self._closed.is_set():
                raise Unreachable("this client was closed")
            connection = kept.connection
            connection.timeout = timeout
            try:
                if connection.sock is not None:
                    connection.sock.settimeout(timeout)
                connection.request(method, self._prefix + path, body=body, headers=sent)
                response = connection.getresponse()
                return _judge(response, response.read())
            except (OSError, http.client.HTTPException) as problem:
                connection.close()  # the next request opens it anew
                raise Unreachable(_reason(problem)) from problem

    def _kept(self) -> _Kept:
        kept: _Kept | None = getattr(self._local, "kept", None)
        if kept is None:
            kept = self._local.kept = _Kept(self._connect(ANSWER))
            self._opened.append(kept)
        return kept

    def _connect(self, timeout: float) -> http.client.HTTPConnection:
        kind = http.client.HTTPSConnection if self._secure else http.client.HTTPConnection
        return kind(self._host, self._port, timeout=timeout)


def _judge(response: http.client.HTTPResponse, raw: bytes) -> Reply:
    if response.status == 429 or response.status >= 500:
        wait = response.headers.get("Retry-After", "")
        raise Unreachable(f"the service answered {response.status}", float(wait) if wait.isdigit() else 0.0)
    try:
        reply = Reply(response.status, json.loads(raw) if raw else None)
    except ValueError:
        reply = Reply(response.status, None)
    if reply.status in (401, 403) and reply.code != "not_your_seat":
        raise Refused(f"the service refuses this token ({reply.code or reply.status})")
    return reply


def _reason(problem: Exception) -> str:
    return f"{type(problem).__name__}: {problem}" if str(problem) else type(problem).__name__
