"""What goes wrong with one match stays with that match: it is parked, named, and tried again."""

import asyncio

import pytest

from infra.store import keys
from infra.store import parked as module
from infra.store.eventstore import Conflict
from infra.store.parked import BACK_OFF_S, LONGEST, WHEN, Parked
from infra.store.redis import connect_sync
from service.commands import actions, tables
from service.commands.records import OpenMatch
from workers import clock
from workers.jobs import Jobs
from workers.relay import Relay

pytestmark = pytest.mark.anyio
SEATS = ({"kind": "me"}, {"kind": "bot", "bot": "random"})


class Poisoned(Exception):
    """A bug that only one match meets."""


@pytest.fixture
def relay(deps, embedded):
    connection = connect_sync(embedded.url)
    relay = Relay(deps, Jobs(connection))
    relay.queue = connection
    yield relay
    connection.close()


@pytest.fixture
def parked(deps):
    return Parked(deps.client)


async def opened(deps, **more):
    return await tables.open_match(
        deps, OpenMatch(who="account:anna", game="tides-of-time", seats=SEATS, **more)
    )


async def passed_on(relay):
    """All that is new; the first look at a fresh store only makes the groups."""
    return await relay.step() + await relay.step()


def poison(deps, monkeypatch, ident, method):
    """From now on this match, and only this one, cannot be worked with."""
    good = getattr(method[0], method[1])

    async def broken(first, *rest, **more):
        if ident in (first, getattr(first, "match", None), getattr(first, "id", None)):
            raise Poisoned("it hurts " * 100)
        return await good(first, *rest, **more)

    monkeypatch.setattr(*method, broken)


def queued(relay):
    """Matches whose turns are in the queue; ids may have dashes of their own."""
    jobs = relay.queue.lrange("rq:queue:bots", 0, -1)
    return {job.decode().partition("-")[2].rsplit("-", 2)[0] for job in jobs}


async def test_a_poisoned_match_is_parked_and_the_others_go_on(deps, relay, parked, monkeypatch):
    bad, good = await opened(deps), await opened(deps)
    poison(deps, monkeypatch, bad.id, (deps.readmodel, "put"))
    await passed_on(relay)
    (stuck,) = await parked.all()
    assert (stuck.match, stuck.where, stuck.error, stuck.tries) == (bad.id, "follow", "Poisoned", 1)
    assert len(stuck.sentence) == LONGEST
    assert await deps.readmodel.get(good.id) is not None
    assert queued(relay) == {good.id}


async def test_it_is_tried_again_later_and_later_and_then_goes_on(deps, relay, parked, monkeypatch):
    bad = await opened(deps)
    with monkeypatch.context() as patch:
        poison(deps, patch, bad.id, (deps.readmodel, "put"))
        await passed_on(relay)
        for tries, pause in enumerate((*BACK_OFF_S[1:], BACK_OFF_S[-1]), 2):
            assert await parked.again(bad.id)
            await relay.sweep()
            (stuck,) = await parked.all()
            assert (stuck.tries, stuck.next - stuck.last) == (tries, pause * 1000)
            assert stuck.first == 1
        await relay.sweep()
        assert (await parked.all()) == [stuck], "not before its time"
    assert await parked.again(bad.id)
    await relay.sweep()
    assert await parked.all() == []
    assert queued(relay) == {bad.id}


async def test_news_of_a_parked_match_frees_it_too(deps, relay, parked, monkeypatch):
    bad = await opened(deps)
    with monkeypatch.context() as patch:
        poison(deps, patch, bad.id, (deps.readmodel, "put"))
        await passed_on(relay)
    assert await parked.count() == 1
    action = {"type": "play", "card": bad.state.players[0].hand[0]}
    from service.commands.records import Act

    await actions.act(deps, Act(who="account:anna", match=bad.id, seq=bad.seq, action=action))
    await relay.step()
    assert await parked.count() == 0


async def test_a_clock_that_cannot_be_read_holds_no_other_up(deps, relay, parked, monkeypatch):
    wanted = {"kind": "per_move", "seconds": 60}
    bad, good = [await opened(deps, clock=wanted) for _ in range(2)]
    await passed_on(relay)
    for match in (bad, good):
        await deps.store.set_due(match.id, 1)
    look = clock.look

    async def broken(deps, ident):
        if ident == bad.id:
            raise Poisoned("no time")
        return await look(deps, ident)

    with monkeypatch.context() as patch:
        patch.setattr(clock, "look", broken)
        await relay.sweep()
    assert [stuck.where for stuck in await parked.all()] == ["clock"]
    left = dict(await deps.store.due_before(2**52, 10))
    assert list(left) == [good.id], "it must not stand before the others"
    await parked.again(bad.id)
    await relay.sweep()
    assert set(dict(await deps.store.due_before(2**52, 10))) == {bad.id, good.id}
    assert await parked.count() == 0


@pytest.mark.parametrize("part", ["_calls", "_notices"])
async def test_notes_of_a_poisoned_match_wait_and_the_others_go_on(deps, relay, parked, monkeypatch, part):
    bad, good = await opened(deps), await opened(deps)
    await passed_on(relay)
    plan, kind = (keys.CALLS if part == "_calls" else keys.NOTICES), "turn"
    for match in (bad, good):
        await deps.client.zadd(plan, {f"{kind} {match.id} 0 3": 1})
    poison(deps, monkeypatch, bad.id, (deps.matches, "now"))
    await getattr(relay, part).sweep()
    left = await deps.client.zrange(plan, 0, -1)
    assert left == [f"{kind} {bad.id} 0 3".encode()], "the other one was looked at, and is owed no more"
    assert await deps.client.zscore(plan, left[0]) > 1
    assert [stuck.match for stuck in await parked.all()] == [bad.id]


async def test_a_match_that_does_not_exist_is_not_kept(deps, relay, parked):
    await parked.park("nowhere", "follow", ("Poisoned", ""))
    await parked.again("nowhere")
    await relay.sweep()
    assert await parked.count() == 0


async def test_a_relay_full_of_poison_lives(deps, relay, parked, monkeypatch):
    """Whatever the error: a relay that ends would leave everybody's clocks and bots."""
    matches = [await opened(deps) for _ in range(4)]
    errors = [RecursionError("deep"), KeyError("x"), Conflict(3), asyncio.InvalidStateError("odd")]
    poisons = dict(zip((match.id for match in matches), errors, strict=True))

    async def broken(summary, instead=None):
        raise poisons[summary.match]

    monkeypatch.setattr(deps.readmodel, "put", broken)
    stop = asyncio.Event()
    running = asyncio.create_task(relay.run(stop))
    async with asyncio.timeout(30):
        while await parked.count() < 4:
            assert not running.done()
            await asyncio.sleep(0.02)
    stop.set()
    await running
    assert {stuck.error for stuck in await parked.all()} == {type(error).__name__ for error in errors}


async def test_one_relay_tries_a_parked_match(parked, monkeypatch):
    await parked.park("m1", "follow", ("Poisoned", ""))
    await parked.again("m1")
    assert [stuck.match for stuck in await parked.due()] == ["m1"]
    assert await parked.due() == []
    later = module._ms() + module.LEASE_MS
    monkeypatch.setattr(module, "_ms", lambda: later)
    assert [stuck.match for stuck in await parked.due()] == ["m1"], "who had it may have died"
    assert await parked._client.zcard(WHEN) == 1
