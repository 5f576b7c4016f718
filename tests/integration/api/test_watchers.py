"""Many watch one match: it is read once for all and made out once a seat; nobody hears more than they may."""

import asyncio
import json
from contextlib import asynccontextmanager
from random import Random

import pytest

from infra.process.metrics import WATCHERS
from service.api.frame import auth
from service.api.matches import stream
from service.bench.watchers import all_heard, watch
from service.views import feeds, sight
from tests.integration.api.test_stream import watching

pytestmark = pytest.mark.anyio

MANY = 300


@pytest.fixture
async def table(served):
    guest = await served.guest()
    return guest, await guest.open()


async def _reads(deps):
    found = await deps.client.info("commandstats")
    return sum(found.get(f"cmdstat_{name}", {"calls": 0})["calls"] for name in ("xrange", "zrange", "get"))


async def test_an_event_is_read_once_for_all_and_made_out_once_a_seat(served, table, monkeypatch):
    guest, match = table
    made = []
    event_for = sight.event_for
    monkeypatch.setattr(sight, "event_for", lambda *args: made.append(args[1:]) or event_for(*args))

    async def cost_of_an_event(now):
        before = await _reads(served.deps)
        after = (await guest.act(now, now["legal"][0])).json()
        await all_heard(crowd, after["seq"])
        return after, await _reads(served.deps) - before

    crowd = await watch(served.port, match["id"], match["seq"], 1)
    match, alone = await cost_of_an_event(match)
    crowd += await watch(served.port, match["id"], match["seq"], MANY)
    async with watching(served, guest, match, after=match["seq"]) as own:
        assert await own.next() == ": hello"
        made.clear()
        before = await _reads(served.deps)
        bot = await served.bots_act(match["id"], Random(1))
        assert bot.seq > match["seq"]
        await all_heard(crowd, bot.seq)
        assert (await own.upto(bot.seq))[-1][0] == bot.seq
        together = await _reads(served.deps) - before
    assert all(set(range(match["seq"] + 1, bot.seq + 1)) <= set(watcher.heard) for watcher in crowd)
    assert together <= alone + 20  # not a read for each of three hundred
    assert len(made) == 2 * (bot.seq - match["seq"])  # spectators, and the guest's seat
    for watcher in crowd:
        watcher.transport.close()


async def test_what_is_said_is_read_once_for_all(served, table):
    guest, match = table
    crowd = await watch(served.port, match["id"], match["seq"], 100)
    async with watching(served, guest, match, after=match["seq"]) as own:
        assert await own.next() == ": hello"
        before = await _reads(served.deps)
        await guest.post(f"/api/matches/{match['id']}/chat", {"text": "Dobrý den"})
        assert (await own.event())[1]["text"] == "Dobrý den"
        assert await _reads(served.deps) - before < 30
    for watcher in crowd:
        watcher.transport.close()


async def test_a_stream_ends_with_its_token(served, table, monkeypatch):
    guest, match = table
    monkeypatch.setattr(auth, "FRESH_S", 0.0)  # revoked elsewhere: this process is not told
    served.app.streams._beat_s = 0.05
    async with watching(served, guest, match, after=match["seq"]) as own:
        assert [await own.next() for _ in range(2)] == [": hello", ": still here"]
        for token in await served.deps.tokens.list(guest.account["id"]):
            await served.deps.tokens.revoke(guest.account["id"], token.id)
        assert await own.event() is None


async def test_a_stream_ends_with_its_account(served, table):
    guest, match = table
    served.app.streams._beat_s = 0.05
    async with watching(served, guest, match, after=match["seq"]) as own:
        assert await own.next() == ": hello"
        gone = await guest.ask("DELETE", "/api/me", json={"confirm": guest.account["name"]})
        assert gone.status_code == 204
        while (found := await own.event()) is not None:
            assert found[1]["kind"] == "handed_over"  # a caretaker took the seat


def test_the_beat_and_the_doorman_together_keep_the_promise():
    assert stream.BEAT_S + auth.FRESH_S <= 15


async def test_who_may_not_read_any_more_hears_no_more(served):
    opener, visitor = await served.guest(), await served.guest()
    seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}]
    match = await opener.open(game="machi-koro", seats=seats, listed=False)
    path = f"/api/matches/{match['id']}"
    sat = await visitor.post(f"{path}/seats/1", {"invite": match["invite"].partition("invite=")[2]})
    assert sat.status_code == 200, sat.text
    async with watching(served, visitor, match, after=sat.json()["seq"]) as own:
        assert await own.next() == ": hello"
        left = await visitor.ask("DELETE", f"{path}/seats/1")
        assert left.status_code == 200, left.text
        assert await own.event() is None  # not even that they left: to them there is no such match


@asynccontextmanager
async def by_hand(house, guest, match, send):
    """The stream without a server, for readers of every kind."""
    left, aborted = asyncio.Event(), []

    async def receive():
        await left.wait()
        return {"type": "http.disconnect"}

    scope = {
        "type": "http", "method": "GET", "path": f"/api/matches/{match['id']}/stream", "root_path": "",
        "query_string": b"after=%d" % match["seq"], "state": {"abort": lambda: aborted.append(True)},
        "headers": [(name.lower().encode(), value.encode()) for name, value in guest.headers.items()],
    }  # fmt: skip
    task = asyncio.create_task(house.app(scope, receive, send))
    try:
        yield task, aborted
    finally:
        left.set()
        await task


async def test_who_takes_nothing_is_cut_off(served, table, monkeypatch):
    guest, match = table
    before = WATCHERS._value.get()
    monkeypatch.setattr(stream, "STALLED_S", 0.05)
    stuck = asyncio.Event()

    async def send(message):
        if b"id: " in message.get("body", b""):
            await stuck.wait()

    async with by_hand(served, guest, match, send) as (task, aborted), asyncio.timeout(10):
        while WATCHERS._value.get() == before:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        await guest.act(match)
        await task
        assert aborted == [True]
    assert WATCHERS._value.get() == before


async def test_who_lags_behind_gets_everything_in_order(served, table, monkeypatch):
    guest, match = table
    monkeypatch.setattr(feeds, "KEPT", 2)
    slow, told, bodies = asyncio.Event(), asyncio.Event(), []

    async def send(message):
        body = message.get("body", b"")
        bodies.append(body)
        if b"id: " in body:
            told.set()
            await slow.wait()

    rng = Random(5)
    async with (
        asyncio.timeout(20),
        by_hand(served, guest, match, send),
        watching(served, served.nobody, match, after=match["seq"]) as other,
    ):
        assert await other.next() == ": hello"
        for _ in range(4):
            match = await served.both_act(guest, match, rng)
        seen = await other.upto(match["seq"])
        await told.wait()
        slow.set()
        while b"id: %d\n" % match["seq"] not in b"".join(bodies):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    ids = [int(line[4:]) for line in b"".join(bodies).splitlines() if line.startswith(b"id: ")]
    assert ids == [seq for seq, _ in seen]
    assert len(ids) > 2 * feeds.KEPT
    assert json.loads(b"".join(bodies).split(b"data: ", 1)[1].splitlines()[0])["seq"] == ids[0]


async def test_each_seat_hears_its_own_and_nobody_elses(served, rng):
    """What all share is shared by seat: side by side, everybody hears what their own list of events says."""
    first, second = await served.guest(), await served.guest()
    table = await first.open(seats=[{"kind": "me"}, {"kind": "open"}])
    path = f"/api/matches/{table['id']}"
    match = (await second.post(f"{path}/seats/1")).json()
    async with (
        watching(served, first, match, after=0) as one,
        watching(served, second, match, after=0) as two,
        watching(served, served.nobody, match, after=0) as three,
    ):
        for player in (first, second, first, second):
            now = await player.look(match)
            assert (await player.act(now, rng.choice(now["legal"]))).status_code == 200
        last = (await first.look(match))["seq"]
        heard = [[event for _, event in await stream.upto(last)] for stream in (one, two, three)]
    for events, guest in zip(heard, (first, second, served.nobody), strict=True):
        listed = (await guest.get(f"{path}/events")).text.splitlines()
        assert events == [json.loads(line) for line in listed]
    assert heard[0] != heard[1] != heard[2] != heard[0]
