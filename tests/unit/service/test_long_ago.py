"""Looking far back into a long log is done aside, in turn, and once."""

import asyncio

import pytest

from engine.table import act
from service.memory import matches as memory
from service.memory.matches import Matches
from tests.tables import seated

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend():
    return "asyncio"


class Store:
    """A log that only grows in this test's hands."""

    def __init__(self, lines):
        self.lines = lines

    async def read(self, match, after=0, limit=None):
        return self.lines[after:][:limit]

    async def origin(self, match):
        return None


@pytest.fixture
def far(monkeypatch):
    """Matches in memory over a log of forty events; from twenty on it is a long one."""
    monkeypatch.setattr(memory, "LONG", 20)
    writer = seated("tides-of-time")
    while len(writer.lines) < 40:
        writer.by = "account:a"
        act(writer, 0, writer.match.rules.legal(writer.match.state, 0)[len(writer.lines) % 2])
    store = Store(writer.lines)
    return Matches(store, store)


async def test_a_moment_is_folded_once_off_the_loop(far, monkeypatch):
    folded = []
    load = memory.load

    def noted(lines):
        with pytest.raises(RuntimeError):
            asyncio.get_running_loop()  # in a thread there is none
        folded.append(len(lines))
        return load(lines)

    monkeypatch.setattr(memory, "load", noted)
    found = await asyncio.gather(*(far.at("m1", 30) for _ in range(5)), far.at("m1", 31))
    assert [match.seq for match in found] == [30] * 5 + [31]
    assert (await far.at("m1", 30)).seq == 30
    assert sorted(folded) == [30, 31]


async def test_what_is_near_the_beginning_is_folded_in_passing(far, monkeypatch):
    async def never(*_):
        raise AssertionError("no thread is needed for that")

    monkeypatch.setattr(far, "_long_ago", never)
    assert (await far.at("m1", 19)).seq == 19


async def test_another_log_of_the_same_length_has_other_moments(far):
    """A restored backup: what is kept belongs to the event that it ends with."""
    then = await far.at("m1", 30)
    writer = seated("tides-of-time")
    while len(writer.lines) < 40:
        writer.by = "account:b"
        act(writer, 1, writer.match.rules.legal(writer.match.state, 1)[0])
    far._store.lines = writer.lines
    assert (await far.at("m1", 30)).head != then.head


async def test_a_match_that_nobody_remembers_is_folded_once_however_many_ask(far, monkeypatch):
    folded, reads = [], []
    latest, read = memory.latest, far._store.read

    def noted(lines, *more):
        folded.append(len(lines))
        return latest(lines, *more)

    async def counted(match, after=0, limit=None):
        reads.append(after)
        await asyncio.sleep(0)
        return await read(match, after, limit)

    monkeypatch.setattr(memory, "latest", noted)
    monkeypatch.setattr(far._store, "read", counted)
    found = await asyncio.gather(*(far.now("m1") for _ in range(50)))
    assert {match.seq for match in found} == {40}
    assert (folded, reads.count(0)) == ([40], 1)
    assert not far._loading


async def test_who_waits_for_a_reading_hears_what_came_meanwhile(far, monkeypatch):
    """An event that was there before somebody asked is in what they are told."""
    everything, read, may = far._store.lines, far._store.read, asyncio.Event()
    far._store.lines = everything[:39]

    async def slow(match, after=0, limit=None):
        lines = await read(match, after, limit)
        if after == 0:
            await may.wait()
        return lines

    monkeypatch.setattr(far._store, "read", slow)
    first = asyncio.create_task(far.now("m1"))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    far._store.lines = everything
    second = asyncio.create_task(far.now("m1"))
    await asyncio.sleep(0)
    may.set()
    assert [(await first).seq, (await second).seq] == [39, 40]
