"""The one way out: requests to addresses that users have chosen.

A name is resolved once, every address it has must be a public one, and the connection goes to that very
address, so that nothing can change in between. No redirects, bounded size, bounded time.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import ssl
from collections.abc import Awaitable, Callable, Mapping
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit

import httptools

from infra.process.errors import InfraError
from infra.process.settings import is_loopback

TIMEOUT_S = 10.0
MAX_ANSWER_BYTES = 64 * 1024  # bytes of an answer that are read
LONGEST_URL = 2000
Resolve = Callable[[str, int], Awaitable[list[str]]]
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Dial = Callable[[str, int, ssl.SSLContext | None, str | None], Awaitable[Streams]]
# Addresses that carry another one inside: what is inside may be private.
TUNNELS = [
    ipaddress.ip_network(net)
    for net in ("::/96", "::ffff:0:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32")
]
# Private or reserved, though not every Python knows it.
RESERVED = [ipaddress.ip_network(net) for net in ("192.0.0.0/24", "fec0::/10", "3fff::/20", "5f00::/16")]


class GuardedHttpError(InfraError):
    """It did not work out; asking again later may help."""


class OutwardRefused(GuardedHttpError):
    """We do not go there. `reason` is bad_url, not_https, not_found or private."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"this address cannot be used: {reason}")
        self.reason = reason


class Reply(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes


async def resolve(host: str, port: int) -> list[str]:
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


async def dial(address: str, port: int, tls: ssl.SSLContext | None, name: str | None) -> Streams:
    """Connect to an address; with `tls`, to whoever can prove to be `name`."""
    return await asyncio.open_connection(address, port, ssl=tls, server_hostname=name)


class GuardedHttp:
    """`lenient` is the operator's word that plain HTTP and private addresses are fine.

    `local`: nobody but this machine reaches the service, so that this machine, and it alone, may be called.
    """

    def __init__(
        self,
        lenient: bool = False,
        resolve: Resolve = resolve,
        timeout_s: float = TIMEOUT_S,
        dial: Dial = dial,
        local: bool = False,
    ) -> None:
        self._local = local
        self._lenient, self._resolve, self._timeout_s, self._dial = lenient, resolve, timeout_s, dial

    async def check(self, url: str) -> str:
        """The address that a request to this url would go to. Raises OutwardRefused."""
        parts = self._parts(url)
        assert parts.hostname is not None
        try:
            async with asyncio.timeout(self._timeout_s):
                found = await self._resolve(parts.hostname, _port(parts))
        except (OSError, UnicodeError, TimeoutError):
            raise OutwardRefused("not_found") from None
        if not found:
            raise OutwardRefused("not_found")
        here = self._local and all(map(is_loopback, found))
        if not (self._lenient or here or all(map(is_public, found))):
            raise OutwardRefused("private")
        if parts.scheme != "https" and not (self._lenient or here):
            raise OutwardRefused("not_https")
        return found[0]

    async def send(
        self, method: str, url: str, body: bytes, headers: Mapping[str, str], most: int = MAX_ANSWER_BYTES
    ) -> Reply:
        """One request and its answer. Raises GuardedHttpError; a redirect is an answer like any other."""
        address = await self.check(url)
        parts = self._parts(url)
        request = _request(method, parts, body, headers)
        try:
            async with asyncio.timeout(self._timeout_s):
                streams = await self._dial(address, _port(parts), *_proof(parts))
                return await _exchange(*streams, request, most)
        except (OSError, ssl.SSLError, TimeoutError, httptools.HttpParserError) as problem:
            raise GuardedHttpError(f"no answer: {problem or type(problem).__name__}") from None

    def _parts(self, url: str) -> SplitResult:
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError:
            raise OutwardRefused("bad_url") from None
        plain = url.isascii() and url.isprintable() and " " not in url and len(url) <= LONGEST_URL
        if not plain or not parts.hostname or parts.username or parts.password or port == 0:
            raise OutwardRefused("bad_url")
        if parts.scheme != "https" and not ((self._lenient or self._local) and parts.scheme == "http"):
            raise OutwardRefused("not_https")
        return parts


def is_public(address: str) -> bool:
    """
    >>> is_public("127.0.0.1"), is_public("::ffff:10.0.0.1"), is_public("fe80::1%eth0"), is_public("1.1.1.1")
    (False, False, False, True)
    """
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is not None:
            return is_public(str(found.ipv4_mapped))
        if any(found in net for net in TUNNELS):
            return False
    return found.is_global and not found.is_multicast and not any(found in net for net in RESERVED)


def _port(parts: SplitResult) -> int:
    return parts.port or (443 if parts.scheme == "https" else 80)


def _request(method: str, parts: SplitResult, body: bytes, headers: Mapping[str, str]) -> bytes:
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    host = parts.netloc.rpartition("@")[2]
    fields = {
        "Host": host,
        "Content-Length": str(len(body)),
        "User-Agent": "turnlog",
        "Connection": "close",
        **headers,
    }
    if any("\r" in value or "\n" in value for value in fields.values()):
        raise OutwardRefused("bad_url")
    lines = [f"{method} {target} HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items())]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


def _proof(parts: SplitResult) -> tuple[ssl.SSLContext | None, str | None]:
    return (ssl.create_default_context(), parts.hostname) if parts.scheme == "https" else (None, None)


async def _exchange(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: bytes, most: int
) -> Reply:
    try:
        writer.write(request)
        await writer.drain()
        return await _answer(reader, most)
    finally:
        writer.close()


async def _answer(reader: asyncio.StreamReader, most: int) -> Reply:
    collected = _Collected()
    parser = httptools.HttpResponseParser(collected)
    size = 0
    while not collected.complete and size <= most + MAX_ANSWER_BYTES:  # headers count too
        data = await reader.read(16 * 1024)
        if not data:
            break
        size += len(data)
        parser.feed_data(data)
    status = parser.get_status_code()
    if not status:
        raise GuardedHttpError("no answer: the connection was closed")
    return Reply(status, collected.headers, bytes(collected.body[:most]))


class _Collected:
    """What the parser has seen so far."""

    def __init__(self) -> None:
        self.headers: dict[str, str] = {}
        self.body = bytearray()
        self.complete = False

    def on_header(self, name: bytes, value: bytes) -> None:
        self.headers[name.decode("latin-1").lower()] = value.decode("latin-1")

    def on_body(self, body: bytes) -> None:
        self.body += body

    def on_message_complete(self) -> None:
        self.complete = True
