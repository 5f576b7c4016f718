"""Answers as long as a log: whoever asks a thousand times and reads nothing costs nobody anything."""

import asyncio
import json

import pytest

from infra.store.eventstore import EventStore
from service.api.frame import middleware
from service.api.matches import logs
from service.memory.answers import IN_HAND

pytestmark = pytest.mark.anyio
LONG = ("log", "views", "events")
ELSEWHERE = "198.51.100.7"


@pytest.fixture(autouse=True)
def everything_is_long(monkeypatch):
    monkeypatch.setattr(logs, "LONG", 1)


class Reader:
    """Asks the application itself, from an address, and reads nothing before it may."""

    def __init__(self, house, path, address="203.0.113.9"):
        self.status, self.body, self.may = 0, b"", asyncio.Event()
        self._scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "GET",
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "headers": [(b"host", b"house")],
            "client": (address, 1),
            "server": ("house", 80),
        }
        self.task = asyncio.create_task(house.app(self._scope, self._receive, self._send))

    async def _receive(self):
        return {"type": "http.request", "body": b"", "more_body": False}

    async def _send(self, message):
        if message["type"] == "http.response.start":
            self.status = message["status"]
            return
        self.body += message.get("body", b"")
        if self.status == 200:
            await self.may.wait()


async def until(wanted):
    for _ in range(1000):
        if wanted():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it never came to that")


async def settled(*readers):
    """Until each of them has begun to send, or given up."""
    await until(lambda: all(reader.body for reader in readers))


async def in_line(turns, count):
    await until(lambda: sum(map(len, turns._lines.values())) == count)


@pytest.mark.parametrize("what", LONG)
async def test_one_address_has_a_few_in_hand(house, guest, what):
    path = f"/api/matches/{(await guest.open())['id']}/{what}"
    slow = [Reader(house, path) for _ in range(IN_HAND)]
    await settled(*slow)
    assert {reader.status for reader in slow} == {200}
    one_more, other = Reader(house, path), Reader(house, path, ELSEWHERE)
    await settled(one_more, other)
    assert (one_more.status, json.loads(one_more.body)["code"]) == (429, "rate_limited")
    assert other.status == 200, "others have hands of their own"
    for reader in (*slow, other):
        reader.may.set()
    await asyncio.gather(*(reader.task for reader in (*slow, one_more, other)))
    again = Reader(house, path)
    again.may.set()
    await again.task
    assert (again.status, again.body) == (200, slow[0].body)


@pytest.mark.parametrize("what", LONG)
async def test_whoever_waits_has_nothing_in_memory_yet(house, guest, what, monkeypatch):
    match = await guest.open()
    read, lengths = EventStore.read, []

    async def noted(self, *args):
        lines = await read(self, *args)
        lengths.append(len(lines))
        return lines

    monkeypatch.setattr(EventStore, "read", noted)
    turns = house.deps.matches.turns
    await turns.enter("somebody else")
    readers = [Reader(house, f"/api/matches/{match['id']}/{what}") for _ in range(4)]
    await in_line(turns, 4)
    assert max(lengths) == 1, "whether something is new, and no more"
    turns.leave()
    for reader in readers:
        reader.may.set()
    await asyncio.gather(*(reader.task for reader in readers))
    assert max(lengths) == match["seq"]
    assert {reader.status for reader in readers} == {200}


async def test_turns_go_to_addresses_not_to_matches(house, guest):
    """Whoever leafs through many matches waits like whoever leafs through one."""
    paths = [f"/api/matches/{(await guest.open())['id']}/views" for _ in range(4)]
    turns = house.deps.matches.turns
    await turns.enter("somebody else")
    many = [Reader(house, path) for path in paths]
    await in_line(turns, 4)
    other = Reader(house, paths[0], ELSEWHERE)
    await in_line(turns, 5)
    order = []
    for reader in (*many, other):
        reader.may.set()
        reader.task.add_done_callback(lambda _, reader=reader: order.append(reader))
    turns.leave()
    await asyncio.gather(*(reader.task for reader in (*many, other)))
    assert order.index(other) <= 1


async def test_a_long_body_goes_out_in_pieces(house, guest, monkeypatch):
    """Each when the one before was taken: a server holds nothing for readers who do not read."""
    monkeypatch.setattr(middleware, "PIECE", 100)
    match = await guest.open()
    whole = (await guest.get(f"/api/matches/{match['id']}/log")).content
    reader = Reader(house, f"/api/matches/{match['id']}/log")
    await settled(reader)
    assert len(reader.body) == 100
    reader.may.set()
    await reader.task
    assert len(reader.body) > 500
    assert whole.splitlines()[0][:40] == reader.body[:40]
