"""Server-sent events over a real server: no gap, no duplicate, whatever breaks in between."""

import asyncio
import json
from contextlib import asynccontextmanager
from random import Random

import pytest

from infra.process.metrics import WATCHERS

pytestmark = pytest.mark.anyio


class Stream:
    """What a browser's EventSource would do with the bytes."""

    def __init__(self, answer):
        self.answer = answer
        self._lines = answer.aiter_lines()

    async def next(self):
        """The next event as (id, data), a comment as text, None at the end."""
        ident = data = None
        async with asyncio.timeout(10):
            async for line in self._lines:
                if line.startswith(":"):
                    await anext(self._lines)
                    return line
                if line.startswith("id: "):
                    ident = int(line[4:])
                elif line.startswith("data: "):
                    data = json.loads(line[6:])
                elif not line and data is not None:
                    return ident, data
        return None

    async def event(self):
        while isinstance(found := await self.next(), str):
            pass
        return found

    async def upto(self, seq):
        found = []
        while not found or found[-1][0] < seq:
            found.append(await self.event())
        return found


@asynccontextmanager
async def watching(house, guest, match, after=None, last=None):
    headers = dict(guest.headers) | ({"Last-Event-ID": str(last)} if last is not None else {})
    query = "" if after is None else f"?after={after}"
    path = f"/api/matches/{match['id']}/stream{query}"
    async with house.client.stream("GET", path, headers=headers) as answer:
        yield Stream(answer)


@pytest.fixture
async def table(served):
    guest = await served.guest()
    return guest, await guest.open()


async def test_events_arrive_as_they_happen(served, table):
    guest, match = table
    async with watching(served, guest, match) as stream:
        assert stream.answer.headers["content-type"].startswith("text/event-stream")
        assert "content-encoding" not in stream.answer.headers
        before = await stream.upto(match["seq"])
        await guest.act(match)
        seq, event = await stream.event()
        assert [ident for ident, _ in before] == list(range(1, match["seq"] + 1))
        assert (seq, event["kind"], event["action"]) == (match["seq"] + 1, "acted", match["legal"][0])


async def test_a_stream_reads_like_the_events(served, table):
    guest, match = table
    for reader in (guest, served.nobody, await served.guest()):
        answer = await reader.get(f"/api/matches/{match['id']}/events")
        async with watching(served, reader, match) as stream:
            streamed = await stream.upto(match["seq"])
        assert [event for _, event in streamed] == [json.loads(line) for line in answer.content.splitlines()]


async def test_whoever_comes_back_misses_nothing_and_gets_nothing_twice(served, table):
    guest, match = table
    rng, seen, last = Random(2), [], 0
    while match["status"] == "running":
        resume = {"last": last} if rng.random() < 0.5 else {"after": last}
        async with watching(served, guest, match, **resume) as stream:
            for _ in range(rng.randrange(1, 4)):
                if match["status"] == "running":
                    match = await served.both_act(guest, match, rng)
            for _ in range(rng.randrange(0, 3)):
                if last < match["seq"]:
                    last, event = await stream.event()
                    seen.append(event["seq"])
    async with watching(served, guest, match, last=last) as stream:
        while (found := await stream.event()) is not None:
            seen.append(found[0])
    assert seen == list(range(1, match["seq"] + 1))


async def test_the_stream_ends_with_the_match_and_says_so(served, table):
    guest, match = table
    rng = Random(4)
    async with watching(served, guest, match, after=match["seq"]) as stream:
        over = await served.play_out(guest, match, rng)
        events = await stream.upto(over["seq"])
        assert events[-1][1]["kind"] == "finished"
        assert events[-1][1]["seed"]  # now it opens
        assert await stream.event() is None
    done = await guest.get(f"/api/matches/{match['id']}/stream", headers={"Last-Event-ID": str(over["seq"])})
    assert (done.status_code, done.content) == (204, b"")


async def test_the_browsers_mark_counts_before_the_address(served, table):
    guest, match = table
    async with watching(served, guest, match, after=0, last=match["seq"] - 1) as stream:
        assert (await stream.event())[0] == match["seq"]


async def test_a_quiet_stream_says_that_it_lives(served, table):
    guest, match = table
    served.app.streams._beat_s = 0.05
    async with watching(served, guest, match, after=match["seq"]) as stream:
        assert [await stream.next() for _ in range(4)] == [": hello", *[": still here"] * 3]


async def test_many_watchers_and_none_left_over(served, table):
    guest, match = table
    before = WATCHERS._value.get()

    async def watch():
        async with watching(served, guest, match, after=match["seq"]) as stream:
            return await stream.event()

    tasks = [asyncio.create_task(watch()) for _ in range(20)]
    async with asyncio.timeout(5):
        while WATCHERS._value.get() < before + 20:  # noqa: ASYNC110 - they come when they come
            await asyncio.sleep(0.01)
    assert served.deps.watch.listeners() == 1  # one for all of them
    await guest.act(match)
    assert {(await task)[0] for task in tasks} == {match["seq"] + 1}
    async with asyncio.timeout(5):
        while served.deps.watch.listeners():  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    assert WATCHERS._value.get() == before


async def test_a_stopping_server_ends_its_streams_at_once(served, table):
    guest, match = table
    async with watching(served, guest, match, after=match["seq"]) as stream:
        assert await stream.next() == ": hello"
        served.server.should_exit = True
        assert await stream.event() is None


async def test_head_says_what_it_would_be(served, table):
    guest, match = table
    answer = await guest.ask("HEAD", f"/api/matches/{match['id']}/stream")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/event-stream")
