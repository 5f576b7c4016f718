"""Requests that never come whole, over real sockets: they are given up, and nobody else notices."""

import asyncio
import socket

import pytest

from service.api.frame.patience import Crowd, Patience
from service.api.frame.serving import Habits

pytestmark = pytest.mark.anyio
SOON_S = 20.0  # generous: the machine may be busy
HALF_HEAD = b"POST /api/accounts HTTP/1.1\r\nHost: house\r\nX-Slow: "
HALF_BODY = b"POST /api/accounts HTTP/1.1\r\nHost: house\r\nContent-Length: 5000\r\n\r\n{"
REFUSED_AT_ONCE = b"POST /api/matches/x/actions HTTP/1.1\r\nHost: house\r\nContent-Length: 50\r\n\r\n{"


@pytest.fixture
def impatient(served):
    habits = served.server.config
    assert isinstance(habits, Habits)
    habits.patience = Patience(0.3, 0.3)
    return served


async def connect(house, source=None):
    local = (source, 0) if source else None
    return await asyncio.open_connection("127.0.0.1", house.port, local_addr=local)


async def ended(reader):
    """What is said before the other side hangs up."""
    try:
        async with asyncio.timeout(SOON_S):
            return await reader.read()
    except ConnectionResetError:
        return b""


@pytest.mark.parametrize(
    ("part", "said"),
    [(b"", b"408"), (b"G", b"408"), (HALF_HEAD, b"408"), (HALF_BODY, b"408"), (REFUSED_AT_ONCE, b"401")],
)
async def test_half_a_request_is_given_up(impatient, part, said):
    """Also one that is refused before its body has come: the rest of it is not waited for either."""
    reader, writer = await connect(impatient)
    writer.write(part)
    answer = await ended(reader)
    writer.close()
    assert answer.startswith(b"HTTP/1.1 " + said)
    assert (await impatient.nobody.get("/health")).status_code == 200


async def test_a_second_request_of_a_connection_is_given_up_too(impatient):
    reader, writer = await connect(impatient)
    writer.write(b"GET /health HTTP/1.1\r\nHost: house\r\n\r\n")
    assert b" 200 " in await reader.readline()
    writer.write(HALF_HEAD)
    assert b"HTTP/1.1 408 " in await ended(reader)
    writer.close()


async def test_drop_by_drop_is_no_way_out(impatient):
    """A byte now and then keeps no connection open for ever."""
    reader, writer = await connect(impatient)
    writer.write(HALF_HEAD)
    gone = asyncio.create_task(ended(reader))
    while not gone.done():
        writer.write(b"x")
        await asyncio.sleep(0.05)
    # A byte that is under way when the line is cut takes the last word with it.
    assert gone.result().startswith(b"HTTP/1.1 408 ") or gone.result() == b""
    writer.close()


async def test_five_hundred_halves_are_all_given_up(impatient):
    held = [await connect(impatient) for _ in range(500)]
    for _, writer in held:
        writer.write(HALF_BODY)
    assert (await impatient.nobody.get("/health")).status_code == 200
    said = await asyncio.gather(*(ended(reader) for reader, _ in held))
    for _, writer in held:
        writer.close()
    # Whoever was given up before it wrote anything may find the line cut.
    assert all(text.startswith(b"HTTP/1.1 408 ") or text == b"" for text in said)


async def test_a_long_body_that_keeps_coming_is_waited_for(impatient):
    """More than the patience, because it comes fast enough."""
    body = b"x" * 60_000
    head = f"POST /api/accounts HTTP/1.1\r\nHost: house\r\nContent-Length: {len(body)}\r\n\r\n"
    reader, writer = await connect(impatient)
    impatient.server.config.patience = Patience(SOON_S, SOON_S)
    writer.write(head.encode())
    for start in range(0, len(body), 10_000):
        writer.write(body[start : start + 10_000])
        await writer.drain()
        await asyncio.sleep(0.1)
    assert b" 400 " in await reader.readline()
    writer.close()


async def test_one_address_holds_so_many_connections_and_others_come_in(served):
    served.server.config.crowd = Crowd(3, 10_000)
    held = [await connect(served, "127.0.0.2") for _ in range(3)]
    refused, writer = await connect(served, "127.0.0.2")
    assert await ended(refused) == b""
    writer.close()
    assert (await served.nobody.get("/health")).status_code == 200  # from another address
    for reader, writer in held:
        writer.write(b"GET /health HTTP/1.1\r\nHost: house\r\nConnection: close\r\n\r\n")
        assert b" 200 " in await ended(reader)
        writer.close()
    reader, writer = await connect(served, "127.0.0.2")  # there is room again
    writer.write(b"GET /health HTTP/1.1\r\nHost: house\r\nConnection: close\r\n\r\n")
    assert b" 200 " in await ended(reader)
    writer.close()


def test_a_crowd_counts_by_address_and_in_all():
    crowd = Crowd(2, 5)
    assert [crowd.enter("203.0.113.7") for _ in range(3)] == [True, True, False]
    assert [crowd.enter("127.0.0.1") for _ in range(3)] == [True, True, True]  # a proxy here brings everybody
    assert not crowd.enter("203.0.113.8")  # no files left
    crowd.leave("127.0.0.1")
    assert crowd.enter("203.0.113.8")


def test_sockets_have_sources_on_this_machine():
    """What the tests above rely on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.2", 0))
