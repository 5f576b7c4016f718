"""Lists on many servers: told in steps, of which each may be lost, repeated or late; pages of all shards."""

from __future__ import annotations

import itertools

import msgspec
import pytest
from redis.asyncio.cluster import RedisCluster

from infra.store import keys
from infra.store.lists import pages, places
from infra.store.readmodel import ReadModel, Summary, WaitingTurn, placed
from infra.store.redis import ask

pytestmark = pytest.mark.anyio


@pytest.fixture
def model(client):
    return ReadModel(client)


def _summary(match, seq=1, who=(), turns=(), **changes):
    plain = Summary(match, seq, "machi-koro", "running", True, opened=1000, updated=1000)
    waited = [WaitingTurn(one, seat, since=seq) for seat, one in enumerate(turns)]
    return msgspec.structs.replace(plain, accounts=[*who], turns=waited, **changes)


async def _of(model, account):
    listed, _ = await model.list(account=account, listed=None)
    turns = [mine.summary.match for mine in await model.turns(account)]
    return [one.match for one in listed], turns, await model.active(account)


def _dies(monkeypatch, model, summary, instead=None):
    """The process ends before anybody is told."""

    async def died(*_):
        raise ConnectionError("died")

    class Dying:
        async def __aenter__(self):
            monkeypatch.setattr(places, "_tell", died)

        async def __aexit__(self, *problem):
            monkeypatch.undo()
            return problem[0] is not None

    async def run():
        async with Dying():
            await model.put(summary, instead)

    return run()


def _in_steps(client):
    """On a single server all lists change in one step; on a cluster somebody may die in between."""
    return isinstance(client, RedisCluster)


async def test_what_was_begun_before_a_crash_is_finished_by_the_next(model, client, monkeypatch):
    await _dies(monkeypatch, model, _summary("m", 2, ["ann", "bob"], ["ann"]))
    assert await model.active("bob") == (set() if _in_steps(client) else {"m"})
    assert await model.put(_summary("m", 2, ["ann", "bob"], ["ann"])) is None
    assert await _of(model, "ann") == (["m"], ["m"], {"m"})
    assert await _of(model, "bob") == (["m"], [], {"m"})


async def test_whoever_left_is_told_so_after_a_crash(model, client, monkeypatch):
    await model.put(_summary("m", 2, ["ann", "bob"], ["bob"]))
    await _dies(monkeypatch, model, _summary("m", 3, ["ann"], ["ann"]))
    assert await model.active("bob") == ({"m"} if _in_steps(client) else set())
    assert (await _of(model, "bob"))[:2] == ([], [])  # what a summary says counts, whatever lists have
    await model.put(_summary("m", 4, ["ann"], []))
    assert await _of(model, "bob") == ([], [], set())
    note = await ask(client, "GET", keys.placed("m"))
    assert b"bob" not in note, "nobody is told for ever"


async def test_who_comes_late_changes_nothing(model, client):
    old, new = _summary("m", 5, ["ann", "bob"], ["ann"]), _summary("m", 6, ["bob"], ["bob"])
    await model.put(old)
    await model.put(new)
    for who, lists in placed(old).accounts.items():  # a relay that slept since it took event 5
        await places.tell(client, who, placed(old), lists)
    assert await _of(model, "ann") == ([], [], set())
    assert await _of(model, "bob") == (["m"], ["m"], {"m"})


async def test_lists_follow_a_shorter_log_whoever_dies_meanwhile(model, monkeypatch):
    await model.put(_summary("m", 7, ["ann", "bob"], ["ann"]))
    await model.put(_summary("m", 9, ["bob"], ["bob"]))  # ann left with event 9
    assert await model.put(_summary("m", 7, ["ann", "bob"], ["ann"])) == 9
    await _dies(monkeypatch, model, _summary("m", 7, ["ann", "bob"], ["ann"]), 9)
    assert await model.put(_summary("m", 7, ["ann", "bob"], ["ann"])) is None
    assert await _of(model, "ann") == (["m"], ["m"], {"m"})
    assert await _of(model, "bob") == (["m"], [], {"m"})
    await model.put(_summary("m", 8, ["ann", "bob"], ["bob"]))
    assert await _of(model, "bob") == (["m"], ["m"], {"m"})


async def test_a_dropped_match_leaves_nothing_but_that_it_was_there(model, client):
    shown = _summary("m", 3, ["ann"], ["ann"])
    await model.put(shown)
    await model.drop(shown.match)
    assert await _of(model, "ann") == ([], [], set())
    assert (await model.list())[0] == []
    left = sorted([key async for key in client.scan_iter()])
    assert left == [keys.mine("ann", places.MATCHES).encode()]


@pytest.mark.parametrize("strange", ["a b", "a\nb", "a}b", "{", ""])
async def test_names_that_no_account_has_are_nobodys(model, strange):
    await model.put(_summary("m", 1, [strange, "ann"]))
    assert (await _of(model, "ann"))[0] == ["m"]
    assert [one.match for one in (await model.list())[0]] == ["m"]


async def test_no_key_is_everybodys(model, client):
    for n in range(40):
        await model.put(_summary(f"m{n}", 1, [f"a{n}"], [f"a{n}"]))
    tags = {keys.tag(key.decode()) for key in [key async for key in client.scan_iter()]}
    assert tags == {str(keys.shard(f"m{n}")) for n in range(40)} | {f"l:a{n}" for n in range(40)}


def _of_one_shard(count, n=7):
    names = (f"m{number}" for number in itertools.count())
    return [*itertools.islice((name for name in names if keys.shard(name) == n), count)]


@pytest.mark.parametrize("limit", [1, 7, 60, 200])
async def test_pages_are_whole_though_one_shard_has_them_all(model, limit):
    names = _of_one_shard(120)
    for n, name in enumerate(names):
        await model.put(_summary(name, opened=n))
    await model.put(_summary("other", opened=60))
    seen, cursor = [], None
    while True:
        page, cursor = await model.list(limit=limit, cursor=cursor)
        seen += [one.match for one in page]
        if cursor is None:
            break
        assert len(page) == limit
    assert len(seen) == 121
    assert [one for one in seen if one != "other"] == names[::-1]


async def test_a_page_costs_the_same_however_much_there_is(model, client, monkeypatch):
    asked = []

    async def counting(client, commands):
        commands = [*commands]
        asked.append(sum(command[-1] for command in commands))
        return await many(client, commands)

    many = pages.many
    monkeypatch.setattr(pages, "many", counting)
    costs = []
    for n in range(600):
        await model.put(_summary(f"m{n}", opened=n))
        if n in (299, 599):
            asked.clear()
            await model.list(limit=50)
            costs.append(sum(asked))
    assert max(costs) < 500  # of 600; eight times the page, spread over 64 shards
