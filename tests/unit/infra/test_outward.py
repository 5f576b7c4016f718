"""The way out is guarded. Nothing here connects to anything but loopback: names are resolved by a stub."""

import asyncio
from contextlib import asynccontextmanager

import pytest

from infra.outside.outward import GuardedHttp, GuardedHttpError, OutwardRefused, is_public
from tests.letterbox import Receiver

pytestmark = pytest.mark.anyio


def resolving(*addresses: str):
    async def resolve(host: str, port: int) -> list[str]:
        if not addresses:
            raise OSError("no such host")
        return list(addresses)

    return resolve


@pytest.fixture
def no_connections(monkeypatch):
    async def refuse(*args, **kwargs):
        raise AssertionError(f"a connection was tried: {args}")

    monkeypatch.setattr(asyncio, "open_connection", refuse)


@pytest.mark.parametrize(
    ("url", "addresses", "reason"),
    [
        ("https://example.org/hook", ["127.0.0.1"], "private"),
        ("https://example.org/hook", ["10.1.2.3"], "private"),
        ("https://example.org/hook", ["169.254.169.254"], "private"),
        ("https://example.org/hook", ["100.64.0.1"], "private"),
        ("https://example.org/hook", ["0.0.0.0"], "private"),
        ("https://example.org/hook", ["224.0.0.1"], "private"),
        ("https://example.org/hook", ["::1"], "private"),
        ("https://example.org/hook", ["fe80::1%eth0"], "private"),
        ("https://example.org/hook", ["fd00::1"], "private"),
        ("https://example.org/hook", ["::ffff:192.168.0.1"], "private"),
        ("https://example.org/hook", ["64:ff9b::a00:1"], "private"),
        ("https://example.org/hook", ["2002:a00:1::"], "private"),
        ("https://example.org/hook", ["::127.0.0.1"], "private"),
        ("https://example.org/hook", ["::ffff:0:127.0.0.1"], "private"),
        ("https://example.org/hook", ["fec0::1"], "private"),
        ("https://example.org/hook", ["3fff::1"], "private"),
        ("https://example.org/hook", ["192.0.0.8"], "private"),
        ("https://example.org/hook", ["93.184.216.34", "127.0.0.1"], "private"),  # one of several is enough
        ("https://example.org/hook", [], "not_found"),
        ("http://example.org/hook", ["93.184.216.34"], "not_https"),
        ("file:///etc/passwd", ["93.184.216.34"], "bad_url"),
        ("ftp://example.org/", ["93.184.216.34"], "not_https"),
        ("https://user:pass@example.org/", ["93.184.216.34"], "bad_url"),
        ("https://example.org:99999/", ["93.184.216.34"], "bad_url"),
        ("https://exa mple.org/", ["93.184.216.34"], "bad_url"),
        ("https://example.org/\r\nHost: evil", ["93.184.216.34"], "bad_url"),
        ("https:///path", ["93.184.216.34"], "bad_url"),
        ("not a url", ["93.184.216.34"], "bad_url"),
        ("https://[::1", ["93.184.216.34"], "bad_url"),
        ("https://example.org/" + "x" * 3000, ["93.184.216.34"], "bad_url"),
    ],
)
async def test_where_we_do_not_go(url, addresses, reason, no_connections):
    outward = GuardedHttp(resolve=resolving(*addresses))
    with pytest.raises(OutwardRefused) as refusal:
        await outward.send("POST", url, b"{}", {})
    assert refusal.value.reason == reason


@pytest.mark.parametrize(
    ("url", "addresses", "reason"),
    [
        ("http://localhost:9000/hook", ["127.0.0.1", "::1"], None),
        ("https://localhost/hook", ["::1"], None),
        ("https://example.org/hook", ["93.184.216.34"], None),
        ("http://example.org/hook", ["93.184.216.34"], "not_https"),
        ("http://example.org/hook", ["127.0.0.1", "93.184.216.34"], "private"),
        ("http://example.org/hook", ["127.0.0.1", "192.168.0.1"], "private"),
        ("https://example.org/hook", ["192.168.0.1"], "private"),
        ("ftp://localhost/hook", ["127.0.0.1"], "not_https"),
    ],
)
async def test_a_house_that_only_its_own_machine_reaches_may_call_that_machine(url, addresses, reason):
    outward = GuardedHttp(resolve=resolving(*addresses), local=True)
    if reason is None:
        assert await outward.check(url) == addresses[0]
        return
    with pytest.raises(OutwardRefused) as refusal:
        await outward.check(url)
    assert refusal.value.reason == reason


async def test_the_connection_goes_to_the_address_that_was_checked(monkeypatch):
    asked = []

    async def connect(address, port, ssl, server_hostname):
        asked.append((address, port, server_hostname))
        raise OSError("enough")

    monkeypatch.setattr(asyncio, "open_connection", connect)
    with pytest.raises(GuardedHttpError, match="enough"):
        await GuardedHttp(resolve=resolving("93.184.216.34")).send("POST", "https://example.org/x", b"", {})
    assert asked == [("93.184.216.34", 443, "example.org")]


async def test_a_redirect_is_not_followed_and_headers_cannot_be_smuggled():
    outward = GuardedHttp(lenient=True)
    with Receiver() as receiver:
        receiver.status = 302
        reply = await outward.send("POST", f"{receiver.url}/hook?x=1", b"hello", {"X-Id": "7"})
        assert reply.status == 302
        assert [path for path, _, _ in receiver.requests] == ["/hook?x=1"]
        assert receiver.requests[0][1]["X-Id"] == "7"
        assert receiver.requests[0][2] == b"hello"
        with pytest.raises(OutwardRefused):
            await outward.send("POST", receiver.url, b"", {"X-Id": "7\r\nX-Other: 8"})


@asynccontextmanager
async def serving(answer):
    """A server that says what it is told to, and is gone afterwards."""
    tasks = []

    async def handle(reader, writer):
        tasks.append(asyncio.current_task())
        try:
            await answer(writer)
        except OSError:
            pass  # the other side has heard enough
        finally:
            writer.transport.abort()

    server = await asyncio.start_server(handle, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.sleep(0.05)


async def test_an_endless_answer_is_cut():
    async def endless(writer):
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:
            writer.write(b"x" * 65536)
            await writer.drain()

    async with serving(endless) as url:
        reply = await GuardedHttp(lenient=True).send("POST", url, b"", {}, most=1000)
    assert len(reply.body) == 1000


async def test_a_slow_answer_is_given_up():
    async def slow(writer):
        while True:
            writer.write(b"H")
            await writer.drain()
            await asyncio.sleep(0.05)

    async with serving(slow) as url:
        with pytest.raises(GuardedHttpError):
            await GuardedHttp(lenient=True, timeout_s=0.4).send("POST", url, b"", {})


async def test_what_is_no_http_is_an_error():
    async def rude(writer):
        writer.write(b"220 smtp here\r\n")
        await writer.drain()

    async with serving(rude) as url:
        with pytest.raises(GuardedHttpError):
            await GuardedHttp(lenient=True).send("POST", url, b"", {})


def test_public_addresses():
    assert is_public("93.184.216.34")
    assert is_public("2606:4700:4700::1111")
    assert not is_public("not an address")
