"""A log that is no longer the one a process knew: a restored backup, a failover that lost the latest events.

The stream is replaced under a running API and a running relay, each with its own memory.
"""

import asyncio
import dataclasses
import json
from random import Random

import pytest
import structlog

from engine import codec
from engine.log import load
from engine.table import LogWriter, act
from infra.store import keys
from infra.store.outbox import Outbox
from infra.store.redis import ask, connect_sync
from service.views.feeds import Feeds
from tests.posting import DAY, PEOPLE, Hand
from workers.jobs import Jobs
from workers.relay import Relay

pytestmark = pytest.mark.anyio


class Scene:
    """A match of two people with a clock, known to an API and to a relay, in their own memories."""

    def __init__(self, house, relay, other, hand):
        self.house, self.relay, self.other, self.hand = house, relay, other, hand

    async def open(self):
        self.anna, self.bert = await self.house.guest(), await self.house.guest()
        match = await self.anna.open(**PEOPLE, clock=DAY)
        self.id = match["id"]
        await self.bert.post(f"/api/matches/{self.id}/seats/1")

    async def play(self, count):
        for _ in range(count):
            self.hand.on(hours=1)
            match = await self.anna.look({"id": self.id})
            who = (self.anna, self.bert)[match["to_act"][0]]
            match = await who.look(match)
            assert (await who.act(match)).status_code == 200
            await self.relay.step()

    async def lines(self):
        return await self.house.deps.store.read(self.id)

    async def replace(self, lines):
        """What a failover does: the log is another one, and nobody is told."""
        client = self.house.deps.client
        await ask(client, "DEL", keys.log(self.id))
        for seq, line in enumerate(lines, 1):
            await ask(client, "XADD", keys.log(self.id), f"{seq}-0", "e", line)

    async def relayed(self):
        while await self.relay.step():
            pass

    async def listed(self):
        return await self.house.deps.readmodel.get(self.id)


@pytest.fixture
async def scene(deps, wired, embedded, open_another):
    hand, other, queue = Hand(), wired(), connect_sync(embedded.url)
    await Outbox(deps.client).ensure_groups()
    relay = Relay(dataclasses.replace(other, now=hand), Jobs(queue))
    async with open_another(dataclasses.replace(deps, now=hand)) as house:
        scene = Scene(house, relay, other, hand)
        scene.queue = queue
        await scene.open()
        yield scene
    queue.close()
    await other.close()


def said(logged, event, match):
    return [line for line in logged if line["event"] == event and line.get("match") == match]


async def test_everything_follows_a_log_that_became_shorter(scene):
    await scene.play(6)
    lines = await scene.lines()
    before = await scene.anna.look({"id": scene.id})
    assert (await scene.listed()).seq == len(lines)
    await scene.replace(lines[:-3])
    with structlog.testing.capture_logs() as logged:
        after = await scene.anna.look({"id": scene.id})
        await scene.relayed()
    assert after["seq"] == len(lines) - 3
    [told] = said(logged, "a log no longer has the events that were seen", scene.id)[:1]
    assert (told["log_level"], told["known"], told["events"]) == ("error", len(lines), len(lines) - 3)
    assert (
        len(said(logged, "a log no longer has the events that were seen", scene.id)) == 2
    )  # the API and the relay
    assert said(logged, "lists were ahead of a log", scene.id)
    listed = await scene.listed()
    assert listed.seq == len(lines) - 3
    assert after["clock"]["deadlines"] != before["clock"]["deadlines"]
    [(_, due)] = await scene.house.deps.store.due_before(2**52, 10)
    assert listed.turns[0].deadline == due
    assert (await scene.other.clocks.deadlines(await scene.other.matches.now(scene.id))) == (
        await scene.house.deps.clocks.deadlines(load(lines[:-3]))
    )
    await scene.play(4)  # as if nothing had happened, past where it was
    assert (await scene.listed()).seq == len(lines) + 1
    assert load(await scene.lines()).seq == len(lines) + 1


def another_end(lines):
    """The last event was lost, and somebody else acted in its place."""
    then, rng = load(lines[:-1]), Random(1)
    seat = then.to_act[0]
    while True:
        writer = LogWriter(then, "2026-11-16T12:00:00.000Z", then.chairs[seat].holder.id)
        act(writer, seat, rng.choice(list(then.rules.legal(then.state, seat))))
        if writer.lines[-1] != lines[-1]:
            return writer


async def test_an_action_is_never_put_behind_another_log_of_the_same_length(scene):
    """The most likely loss is that of one event; somebody else acts first, and the lengths agree again."""
    await scene.play(4)
    lines = await scene.lines()
    writer = another_end(lines)
    stale = scene.house.deps.matches.peek(scene.id)
    await scene.replace([*lines[:-1], *writer.lines])
    who = (scene.anna, scene.bert)[writer.match.to_act[0]]
    action = json.loads(codec.encode(writer.match.rules.legal(writer.match.state, writer.match.to_act[0])[0]))
    with structlog.testing.capture_logs() as logged:
        answer = await who.act({"id": scene.id, "seq": writer.match.seq}, action)
    assert answer.status_code == 200, answer.text
    assert stale.head != writer.match.head
    assert said(logged, "a log no longer has the events that were seen", scene.id)
    assert load(await scene.lines()).seq == len(lines) + 1  # one chain


async def test_a_match_whose_log_is_gone_is_in_no_list(scene):
    await scene.play(1)
    await scene.replace([])
    with structlog.testing.capture_logs() as logged:
        assert (await scene.anna.get(f"/api/matches/{scene.id}")).status_code == 404
        await scene.relayed()
    assert said(logged, "a listed match has no log", scene.id)
    assert await scene.listed() is None
    assert (await scene.anna.get("/api/matches?mine=1")).json()["items"] == []
    assert (await scene.anna.get("/api/me/turns")).json()["items"] == []
    assert await scene.house.deps.store.due_before(2**52, 10) == []


async def test_undone_positions_of_another_log_are_not_remembered(scene):
    """Positions are kept for undos: not those of a log that is no more."""
    await scene.play(5)
    lines = await scene.lines()
    await scene.replace(lines[:-2])
    await scene.anna.look({"id": scene.id})
    past = scene.house.deps.matches.past(scene.id)
    assert max(past) == len(lines) - 2
    assert past[len(lines) - 3] == load(lines[: len(lines) - 3])


async def test_who_watches_is_sent_away_when_the_log_is_another_one(scene):
    """They come back with the last event they know, and look at the match anew."""
    await scene.play(3)
    lines = await scene.lines()
    deps = scene.house.deps
    async with Feeds(deps).watch(await deps.matches.now(scene.id)) as (feed, notices):
        await scene.replace([*lines[:-1], *another_end(lines).lines])
        await deps.store.announce(scene.id, len(lines))
        async with asyncio.timeout(30):
            while not feed.ended:
                await notices


async def test_a_bot_owes_the_turn_that_the_shorter_log_says(scene):
    """What is noted of a later event must not keep the bot from playing an earlier one again."""
    match = await scene.anna.open(
        game="tides-of-time", seats=[{"kind": "me"}, {"kind": "bot", "bot": "greedy"}]
    )
    scene.id = match["id"]
    before = await scene.lines()
    bot = f"bot-{scene.id}-{match['seq']}-1"
    await scene.relayed()
    await scene.house.bots_act(scene.id, Random(1))
    await scene.anna.act(await scene.anna.look(match))
    await scene.relayed()
    await scene.replace(before)
    scene.queue.delete("rq:queue:bots", f"rq:job:{bot}")
    await scene.house.deps.store.announce(scene.id, len(before))
    await scene.relayed()
    assert bot.encode() in scene.queue.lrange("rq:queue:bots", 0, -1)
