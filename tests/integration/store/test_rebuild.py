"""Lists and results follow from the logs alone: whatever is damaged in them, a rebuild makes them again."""

import dataclasses
import json
from random import Random

import msgspec
import pytest

from engine import codec
from engine.table import LogWriter
from infra.store import keys
from infra.store.lists.places import MATCHES
from infra.store.outbox import Outbox
from infra.store.redis import ask, connect_sync
from tests.tables import seated, step
from workers.jobs import Jobs
from workers.rebuild import rebuild_lists, rebuild_ratings
from workers.relay import Relay

pytestmark = pytest.mark.anyio
GAMES = ("tides-of-time", "machi-koro", "akropolis")
PROJECTED = (keys.SHOWN, keys.PLACED, keys.INDEXES, keys.MY_LISTS, keys.RESULTS)


async def _people(deps):
    """Accounts with passwords: what guests play is not rated."""
    for ident in "ab":
        await ask(
            deps.client, "HSET", keys.account(ident, "account"), "name", ident, "created", 1, "password", "x"
        )


async def _store(deps, number, rng):
    """A match of two people, over or not."""
    writer = seated(GAMES[number % len(GAMES)], seats=2)
    steps = 400 if number % 3 else rng.randrange(8)
    while writer.match.status == "running" and steps:
        step(writer, rng)
        steps -= 1
    ident = f"m{number}"
    lines = _renamed(writer.lines, ident)
    await deps.store.append(ident, 0, lines)
    return ident


def _renamed(lines, ident):
    """The same log under another id: every event names its match and the one before it."""
    out, prev = [], "0" * 64
    for line in lines:
        event = json.loads(line) | {"match": ident, "prev": prev}
        out.append(codec.encode(event))
        prev = codec.digest(out[-1])
    return out


async def _projection(client):
    """Every key that is derived from logs, without what says that somebody was there once."""
    found = {}
    for pattern in PROJECTED:
        async for key in client.scan_iter(match=pattern):
            name = key.decode()
            if name.endswith(f":{MATCHES}"):
                known = await ask(client, "HGETALL", key)
                known = {match: text for match, text in dict(known).items() if len(text.split()) > 2}
                found[name] = known
            elif name.endswith((":shown", ":placed")):
                found[name] = await ask(client, "GET", key)
            else:
                found[name] = sorted(await client.zrange(name, 0, -1, withscores=True))
    return {name: value for name, value in found.items() if value}


def _difference(found, wanted):
    """What is in one and not in the other, by key."""
    names = {name for name in found.keys() | wanted.keys() if found.get(name) != wanted.get(name)}
    return {name: (_only(found, wanted, name), _only(wanted, found, name)) for name in names}


def _only(one, other, name):
    here, there = (_parts(some.get(name)) for some in (one, other))
    return [part for part in here if part not in there]


def _parts(value):
    if isinstance(value, dict):
        return [*value.items()]
    return value if isinstance(value, list) else [value]


@pytest.fixture
def queue(embedded):
    with connect_sync(embedded.url) as queue:
        yield queue


@pytest.fixture
async def played(deps, queue):
    """Thirty matches that a relay has followed."""
    await _people(deps)
    rng = Random(15)
    matches = [await _store(deps, number, rng) for number in range(30)]
    await _follow(deps, queue)
    return matches


async def _follow(deps, queue):
    await Outbox(deps.client).ensure_groups()
    relay = Relay(deps, Jobs(queue))
    while await relay.step():
        pass


async def _rebuild(deps):
    matches = [match async for match in deps.store.matches()]
    return await rebuild_lists(deps, matches), await rebuild_ratings(deps, matches)


async def test_a_rebuild_of_what_is_right_changes_nothing(deps, played):
    before = await _projection(deps.client)
    assert len([name for name in before if name.endswith(":shown")]) == 30
    assert any(name.endswith(":results") for name in before)
    done, counted = await _rebuild(deps)
    assert done == 30
    assert counted == sum(len(entries) for name, entries in before.items() if name.endswith(":results"))
    assert await _projection(deps.client) == before


def _spoil_text(text, rng):
    summary = json.loads(text)
    summary["seq"] += rng.choice([-1, 0, 5])
    summary["status"] = rng.choice(["open", "running", "cancelled"])
    summary["accounts"] = rng.choice([[], ["account:nobody"], ["account:a"]])
    return json.dumps(summary)


async def _spoil(client, name, rng):
    """Damage one key, each in the ways that its kind knows."""
    way = rng.randrange(3)
    if way == 0:
        await ask(client, "DEL", name)
    elif name.endswith(":shown"):
        text = await ask(client, "GET", name)
        await ask(client, "SET", name, text[:-5] if way == 1 else _spoil_text(text, rng))
    elif name.endswith(":placed"):
        note = (await ask(client, "GET", name)).decode().split("\n")
        await ask(client, "SET", name, "\n".join(["999", *note[1:]]) if way == 1 else "no note")
    elif name.endswith(f":{MATCHES}"):
        known = dict(await ask(client, "HGETALL", name))
        match, text = rng.choice(sorted(known.items()))
        spoilt = b"999 " + text.partition(b" ")[2] if way == 1 else b"no words of ours"
        await ask(
            client,
            "HSET",
            name,
            match,
            spoilt,
            f"m{rng.randrange(30)}",
            b"1 000:x all turns",
            "gone",
            "1 0:gone all",
        )
    elif name.endswith(":results"):
        [some] = await client.zrange(name, 0, 0)
        other = json.loads(some) | {"places": [1, 1]}
        await client.zadd(name, {json.dumps(other): 5, some: 7, b"no result": 1})
    else:
        members = await client.zrange(name, 0, -1)
        stray = f"{rng.randrange(10**6):015d}:m{rng.randrange(60)}"
        await client.zadd(name, {stray: 0, members[0] if members else "x": way})


@pytest.mark.parametrize("seed", range(4))
async def test_planted_damage_is_gone_after_a_rebuild(deps, played, seed):
    client, rng = deps.client, Random(seed)
    before = await _projection(client)
    for name in sorted(before):
        if rng.random() < 0.5:
            await _spoil(client, name, rng)
    for made_up in (keys.index(5, "+:*:*"), keys.mine("account:x", "all"), keys.ratings("no-game")):
        await client.zadd(
            made_up, {"000000000001000:m1": 0, '{"match":"m1","at":1,"players":[],"places":[]}': 1}
        )
    await ask(client, "SET", keys.shown("never"), msgspec.json.encode(await deps.readmodel.get("m4") or {}))
    await ask(client, "SET", keys.placed("nobody"), "1\n000000000001000:nobody\n\n1\n+:*:*\naccount:a\n")
    assert await _projection(client) != before
    await _rebuild(deps)
    assert _difference(await _projection(client), before) == {}
    assert not [key async for key in client.scan_iter(match=keys.ANEW)]


async def test_nothing_else_follows_from_a_rebuild(deps, played):
    """No turn is owed again, no notice noted, nothing announced in an outbox."""
    client = deps.client
    projected = (*PROJECTED, "tl:{r:*}:*")

    async def rest():
        keep = set()
        for pattern in projected:
            keep |= {key async for key in client.scan_iter(match=pattern)}
        found = {}
        for key in sorted([key async for key in client.scan_iter()]):
            if key not in keep:
                found[key] = await ask(client, "DUMP", key)
        return found

    before = await rest()
    await _rebuild(deps)
    assert await rest() == before


class Meanwhile:
    """The clocks of a rebuild that has read a match: before it is shown, somebody acts, a relay follows."""

    def __init__(self, deps, relay, match):
        self._deps, self._relay, self._match = deps, relay, match
        self.deadlines = deps.clocks.deadlines

    async def starts(self, known):
        if known.id == self._match:
            self._match = None
            writer = LogWriter(known, self._deps.at(), "account:a")
            step(writer, Random(3))
            await self._deps.store.append(known.id, known.seq, writer.lines)
            await self._relay.step()
        return await self._deps.clocks.starts(known)


async def test_matches_that_go_on_meanwhile_are_shown_as_they_went_on(deps, played, queue):
    old = await deps.matches.now("m3")
    assert old.status == "running"
    slow = dataclasses.replace(deps, clocks=Meanwhile(deps, Relay(deps, Jobs(queue)), "m3"))
    await rebuild_lists(slow, played)
    shown = await deps.readmodel.get("m3")
    assert shown.seq == (await deps.matches.now("m3")).seq > old.seq


async def test_who_was_a_guest_when_it_ended_does_not_count_later(deps, queue):
    """A guest takes a password after the match: a rebuild counts what the relay counted, and no more."""
    await _people(deps)
    await ask(deps.client, "HDEL", keys.account("b", "account"), "password")
    await _store(deps, 1, Random(2))
    await _follow(deps, queue)
    await _people(deps)
    assert await rebuild_ratings(deps, ["m1"]) == 0
    assert await deps.ratings.after("machi-koro", 0) == []
