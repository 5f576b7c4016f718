"""The contract of the event store, on every kind of server."""

from __future__ import annotations

import asyncio

import pytest

from infra.store import keys
from infra.store.eventstore import KEEP, Appended, Cmd, CommandReused, Conflict, EventStore

pytestmark = pytest.mark.anyio


@pytest.fixture
async def store(client):
    store = EventStore(client)
    yield store
    await store.aclose()


async def test_a_log_grows_from_nothing(store):
    assert await store.length("m") == 0
    assert await store.read("m") == []
    assert await store.append("m", 0, [b"one"]) == Appended(1, False)
    assert await store.append("m", 1, [b"two", b"three"]) == Appended(3, False)
    assert await store.length("m") == 3
    assert await store.read("m") == [b"one", b"two", b"three"]


async def test_reading_from_a_seq_and_up_to_a_limit(store):
    await store.append("m", 0, [b"%d" % n for n in range(1, 13)])
    assert await store.read("m", after=10) == [b"11", b"12"]
    assert await store.read("m", after=3, limit=2) == [b"4", b"5"]
    assert await store.read("m", after=12) == []
    assert await store.read("m", limit=0) == []


async def test_any_bytes_come_back_as_they_are(store):
    event = bytes(range(256)) * 20
    await store.append("m", 0, [event, b""])
    assert await store.read("m") == [event, b""]


@pytest.mark.parametrize("expected", [0, 1, 3, 7])
async def test_another_length_is_a_conflict_and_leaves_no_trace(store, client, expected):
    await store.append("m", 0, [b"a", b"b"], due=5)
    with pytest.raises(Conflict) as refused:
        await store.append("m", expected, [b"x"], cmd=Cmd("ann", "k", "d"), due=9)
    assert refused.value.actual == 2
    assert await store.read("m") == [b"a", b"b"]
    assert await store.lookup("m", "ann", "k") is None
    assert await store.due_before(100, 10) == [("m", 5)]
    assert await client.xlen(keys.of_match("m").outbox) == 1


async def test_a_repeated_command_gets_its_first_answer(store, client):
    cmd = Cmd("ann", "k1", "digest")
    assert await store.append("m", 0, [b"a", b"b"], cmd=cmd) == Appended(2, False)
    await store.append("m", 2, [b"c"])
    for expected in (0, 2, 3):
        assert await store.append("m", expected, [b"again"], cmd=cmd) == Appended(2, True)
    assert await store.length("m") == 3
    assert await client.xlen(keys.of_match("m").outbox) == 2


async def test_a_key_with_another_body_is_refused(store):
    await store.append("m", 0, [b"a"], cmd=Cmd("ann", "k", "this body"))
    with pytest.raises(CommandReused) as refused:
        await store.append("m", 1, [b"b"], cmd=Cmd("ann", "k", "that body"))
    assert refused.value.seq == 1
    assert await store.length("m") == 1


async def test_a_key_belongs_to_who_used_it_and_to_its_match(store):
    await store.append("m", 0, [b"a"], cmd=Cmd("ann", "k", "d"))
    assert await store.append("m", 1, [b"b"], cmd=Cmd("bob", "k", "d")) == Appended(2, False)
    assert await store.append("n", 0, [b"c"], cmd=Cmd("ann", "k", "d")) == Appended(1, False)


async def test_commands_are_looked_up_and_forgotten(store, client):
    await store.append("m", 0, [b"a"], cmd=Cmd("account:ann", "key with spaces", "a b"))
    assert await store.lookup("m", "account:ann", "key with spaces") == (1, "a b")
    assert await store.lookup("m", "account:ann", "other") is None
    await store.forget_commands(["m", "nothing was ever asked here"], 1000)
    assert await store.lookup("m", "account:ann", "key with spaces") == (1, "a b"), "not yet"
    await store.forget_commands(["m"], 2000)
    assert 990 <= await client.ttl(keys.of_match("m").commands) <= 1000, "no later than said first"
    await store.forget_commands([], 1)
    await client.expire(keys.of_match("m").commands, 0)
    assert await store.lookup("m", "account:ann", "key with spaces") is None
    assert await store.length("m") == 1


async def test_deadlines_are_kept_set_and_removed(store):
    await store.append("m", 0, [b"a"], due=1_700_000_000_123)
    await store.append("m", 1, [b"b"], due=KEEP)
    assert await store.due_before(1_700_000_000_123, 10) == [("m", 1_700_000_000_123)]
    assert await store.due_before(1_700_000_000_122, 10) == []
    await store.append("m", 2, [b"c"], due=None)
    assert await store.due_before(2**52, 10) == []


async def test_a_deadline_reckoned_from_an_older_log_is_not_set(store):
    await store.append("m", 0, [b"a", b"b"], due=5)
    await store.set_due("m", 9, expected=1)
    await store.set_due("m", None, expected=3)
    assert await store.due_before(100, 10) == [("m", 5)]
    await store.set_due("m", 9, expected=2)
    assert await store.due_before(100, 10) == [("m", 9)]


async def test_due_matches_of_all_shards_come_earliest_first(store):
    for n in range(30):
        await store.set_due(f"m{n}", 1000 - n)
    await store.set_due("m29", None)
    assert await store.due_before(2000, 3) == [("m28", 972), ("m27", 973), ("m26", 974)]
    assert len(await store.due_before(990, 100)) == 19


async def test_every_match_is_listed_once(store):
    names = {f"match-{n}" for n in range(40)}
    for name in names:
        await store.append(name, 0, [b"a"], cmd=Cmd("ann", "k", "d"))
    found = [match async for match in store.matches()]
    assert len(found) == 40
    assert set(found) == names


async def test_an_append_tells_the_outbox_what_is_new(store, client):
    await store.append("m", 0, [b"a"])
    await store.append("m", 1, [b"b", b"c"])
    entries = [fields for _, fields in await client.xrange(keys.of_match("m").outbox)]
    assert entries == [
        {b"match": b"m", b"first": b"1", b"last": b"1"},
        {b"match": b"m", b"first": b"2", b"last": b"3"},
    ]


async def test_an_append_of_nothing_is_a_mistake(store):
    with pytest.raises(ValueError, match="at least one event"):
        await store.append("m", 0, [])


async def test_a_script_that_the_server_forgot_is_sent_again(store, client):
    await store.append("m", 0, [b"a"])
    await client.script_flush()
    results = await asyncio.gather(*(store.append(f"m{n}", 0, [b"b"]) for n in range(5)))
    assert results == [Appended(1, False)] * 5


async def test_of_many_at_once_each_gets_its_own_outcome(store):
    await store.append("used", 0, [b"a"], cmd=Cmd("ann", "k", "d"))
    outcomes = await asyncio.gather(
        *(store.append(f"m{n}", 0, [b"a", b"b"]) for n in range(300)),
        store.append("used", 9, [b"x"]),
        store.append("used", 1, [b"x"], cmd=Cmd("ann", "k", "other")),
        store.append("used", 1, [b"x"], cmd=Cmd("ann", "k", "d")),
        return_exceptions=True,
    )
    assert outcomes[:300] == [Appended(2, False)] * 300
    assert isinstance(outcomes[300], Conflict)
    assert isinstance(outcomes[301], CommandReused)
    assert outcomes[302] == Appended(1, True)


async def test_a_caller_that_gives_up_disturbs_nobody(store):
    tasks = [asyncio.create_task(store.append(f"m{n}", 0, [b"a"])) for n in range(10)]
    await asyncio.sleep(0)
    tasks[3].cancel()
    outcomes = await asyncio.gather(*tasks, return_exceptions=True)
    assert isinstance(outcomes.pop(3), asyncio.CancelledError)
    assert outcomes == [Appended(1, False)] * 9
