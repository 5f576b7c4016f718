"""The contract of the outbox: every append is passed on, also when a relay dies with it."""

from __future__ import annotations

import asyncio

import pytest

from infra.store import keys
from infra.store.eventstore import EventStore
from infra.store.outbox import Outbox

pytestmark = pytest.mark.anyio
# fakeredis does not block on several streams and words a missing group in its own way.
on_real_servers = pytest.mark.parametrize("client", ["embedded", "cluster"], indirect=True)


@pytest.fixture
async def store(client):
    store = EventStore(client)
    yield store
    await store.aclose()


@pytest.fixture
async def outbox(client):
    outbox = Outbox(client)
    await outbox.ensure_groups()
    return outbox


def _brief(entries):
    return sorted((entry.match, entry.first, entry.last) for entry in entries)


async def test_new_appends_of_all_shards_are_taken_once(store, outbox):
    await store.append("m1", 0, [b"a", b"b"])
    await store.append("m2", 0, [b"a"])
    taken = await outbox.take("r1", 0, 10)
    assert _brief(taken) == [("m1", 1, 2), ("m2", 1, 1)]
    assert {entry.shard for entry in taken} == {keys.shard("m1"), keys.shard("m2")}
    assert await outbox.take("r2", 0, 10) == []


@on_real_servers
async def test_what_was_appended_before_the_group_existed_is_not_lost(store, client):
    await store.append("m1", 0, [b"a"])
    outbox = Outbox(client)
    assert await outbox.take("r1", 0, 10) == []
    assert _brief(await outbox.take("r1", 0, 10)) == [("m1", 1, 1)]


@on_real_servers
@pytest.mark.parametrize("first", ["claim", "trim"])
async def test_whoever_comes_first_makes_the_groups(store, client, first):
    """Of a fresh store a relay may ask anything first: it must not end because of that."""
    await store.append("m1", 0, [b"a"])
    outbox = Outbox(client)
    assert not await (outbox.claim("r1", 0) if first == "claim" else outbox.trim())
    assert _brief(await outbox.take("r1", 0, 10)) == [("m1", 1, 1)]


async def test_groups_are_made_once(store, outbox):
    await store.append("m1", 0, [b"a"])
    await outbox.ack(await outbox.take("r1", 0, 10))
    await outbox.ensure_groups()
    assert await outbox.take("r1", 0, 10) == []


async def test_the_count_bounds_each_shard(store, outbox):
    for n in range(5):
        await store.append("m1", n, [b"a"])
    assert len(await outbox.take("r1", 0, 2)) == 2
    assert len(await outbox.take("r1", 0, 10)) == 3


@on_real_servers
async def test_waiting_ends_with_the_first_append(store, outbox):
    """And with nothing else: not with the first look around, which finds nothing here."""
    async with asyncio.timeout(30):
        waiting = asyncio.create_task(outbox.take("r1", 20_000, 10))
        await asyncio.sleep(1)
        assert not waiting.done()
        await store.append("m1", 0, [b"a"])
        assert _brief(await waiting) == [("m1", 1, 1)]


async def test_waiting_in_vain_gives_nothing(outbox):
    assert await outbox.take("r1", 30, 10) == []


async def test_the_entries_of_a_dead_relay_are_claimed(store, outbox):
    await store.append("m1", 0, [b"a"])
    await store.append("m2", 0, [b"a"])
    taken = await outbox.take("dead", 0, 10)
    await outbox.ack([entry for entry in taken if entry.match == "m2"])
    assert await outbox.claim("alive", 60_000) == []
    claimed = await outbox.claim("alive", 0)
    assert _brief(claimed) == [("m1", 1, 1)]
    await outbox.ack(claimed)
    assert await outbox.claim("alive", 0) == []


async def test_lag_counts_until_acknowledged(store, outbox):
    assert await outbox.lag() == 0
    for n in range(3):
        await store.append("m1", n, [b"a"])
    assert await outbox.lag() == 3
    taken = await outbox.take("r1", 0, 2)
    assert await outbox.lag() == 3
    await outbox.ack(taken)
    assert await outbox.lag() == 1
    await outbox.ack([])


async def test_trimming_spares_whatever_is_still_needed(store, outbox, client):
    for n in range(5):
        await store.append("m1", n, [b"a"])
    assert await outbox.trim() == 0
    first, second, third = await outbox.take("r1", 0, 3)
    await outbox.ack([first, third])
    assert await outbox.trim() == 1
    await outbox.ack([second])
    assert await outbox.trim() == 2
    assert await client.xlen(keys.of_match("m1").outbox) == 2
    assert _brief(await outbox.take("r1", 0, 10)) == [("m1", 4, 4), ("m1", 5, 5)]
