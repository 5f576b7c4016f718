"""What the relay does for remote bots, step by step, with a clock that the test moves."""

import dataclasses
import json
from datetime import timedelta

import pytest

from engine.table import CARETAKER
from infra.outside.outward import Reply
from infra.people.bots import Bots
from infra.store import backup, keys
from service.basics.errors import Problem
from service.bots import registration, remote
from service.commands import actions, tables
from service.commands.records import Act, Cancel, OpenMatch, Sit
from service.views.summary import summary
from workers.bots.bot_turn import owed
from workers.bots.stand_in import play
from workers.jobs import Call, StandIn
from workers.webhooks.deliver import deliver
from workers.webhooks.schedule import Calls

pytestmark = pytest.mark.anyio


class Asked:
    """Writes down which jobs were asked for."""

    def __init__(self):
        self.called, self.late = [], []

    def calls(self, messages):
        self.called += [(message.kind, message.match) for message in messages]

    def stand_ins(self, turns):
        self.late += turns


class Scene:
    def __init__(self, deps, owner, bot):
        self.deps, self.owner, self.bot = deps, owner, bot
        self.jobs = Asked()
        self.later_s = 0.0

    @property
    def now(self):
        """The same house, some time later."""
        moved = self.deps.now() + timedelta(seconds=self.later_s)
        return dataclasses.replace(self.deps, now=lambda: moved)

    async def open(self, seats=({"kind": "me"}, {"kind": "remote", "bot": "robo"}), **more):
        who = f"account:{self.owner.id}"
        match = await tables.open_match(
            self.deps, OpenMatch(who=who, game="tides-of-time", seats=seats, **more)
        )
        return (await self.pass_on(match.id)).id

    async def pass_on(self, ident, first=1):
        deps = self.now
        match = await deps.matches.now(ident)
        starts = await deps.clocks.starts(match)
        await deps.readmodel.put(summary(match, await deps.clocks.deadlines(match), starts))
        await Calls(deps, self.jobs).plan(match, first)
        return match

    async def sweep(self):
        await Calls(self.now, self.jobs).sweep()

    async def answer(self, ident):
        match = await self.deps.matches.now(ident)
        action = match.rules.legal(match.state, 1)[0]
        command = Act(
            who=f"account:{self.bot.id}",
            match=ident,
            seq=match.seq,
            action={"type": "play", "card": action.card},
        )
        await actions.act(self.deps, command)
        await self.pass_on(ident, match.seq + 1)

    async def late(self, ident):
        match = await self.deps.matches.now(ident)
        return StandIn(ident, 1, match.since[1])


@pytest.fixture
async def scene(wired, deps):
    """A webhook bot that can take two turns at a time."""
    house = wired(lenient=True, bot_patience=60)
    owner = await house.accounts.create("Anna")
    fields = {
        "games": ["tides-of-time"],
        "delivery": {"kind": "webhook", "url": "http://127.0.0.1:9/"},
        "capacity": 2,
    }
    bot, _, _ = await registration.register(house, owner, "robo", fields)
    yield Scene(house, owner, bot)
    await house.close()


def turns(scene):
    return [match for kind, match in scene.jobs.called if kind == "turn"]


async def test_turns_beyond_the_capacity_wait_for_an_answer(scene):
    matches = [await scene.open() for _ in range(4)]
    assert turns(scene) == matches[:2]
    await scene.sweep()
    assert turns(scene) == matches[:2], "what is under way was asked for again"
    await scene.answer(matches[1])
    assert turns(scene) == [matches[0], matches[1], matches[2]]


async def test_a_job_that_was_lost_is_asked_for_again(scene):
    ident = await scene.open()
    scene.later_s = 16
    await scene.sweep()
    assert turns(scene) == [ident, ident]


async def test_a_bot_that_fails_is_called_for_one_turn_at_a_time(scene):
    for _ in range(3):
        await remote.note_failure(scene.deps, scene.bot.id, "answered 500")
    first = await scene.open()
    second = await scene.open()
    assert turns(scene) == [first]
    await scene.answer(first)
    await remote.note_answer(scene.deps, scene.bot.id, await scene.deps.matches.now(first), 1)
    await scene.pass_on(second)
    assert turns(scene) == [first, second]


async def test_nothing_is_kept_of_what_is_no_longer_true(scene):
    ident = await scene.open()
    await scene.answer(ident)
    scene.later_s = 100
    await scene.sweep()
    left = [raw.decode() for raw in await scene.deps.client.zrange(keys.CALLS, 0, -1)]
    assert all(member.startswith(("seated", "turn", "late")) for member in left)
    assert not [member for member in left if member.endswith(" 1 4")], "the turn was answered"


async def test_the_house_plays_a_turn_that_nobody_answers(scene):
    ident = await scene.open()
    turn = await scene.late(ident)
    assert not await play(scene.now, turn)
    await scene.sweep()
    assert scene.jobs.late == []
    scene.later_s = 61
    await scene.sweep()
    assert scene.jobs.late == [turn]
    assert await play(scene.now, turn)
    assert not await play(scene.now, turn)
    event = json.loads((await scene.deps.store.read(ident))[-1])
    assert (event["kind"], event["seat"], event["by"]) == ("acted", 1, "bot:greedy")
    health = await scene.deps.bots.health(scene.bot.id)
    assert (health.failures, health.answered) == (1, 0)


@pytest.mark.parametrize(("policy", "stands_in"), [("caretaker", False), ("resign", False), ("wait", True)])
async def test_a_clock_decides_unless_it_only_waits(scene, policy, stands_in):
    clock = {"kind": "per_move", "seconds": 90, "timeout": policy}
    ident = await scene.open(clock=clock)
    scene.later_s = 61
    assert not await play(scene.now, await scene.late(ident))
    scene.later_s = 91
    assert await play(scene.now, await scene.late(ident)) is stands_in


async def test_a_bot_that_was_taken_away_is_played_for_too(scene):
    """A seat that the lists did not show in that moment is not forgotten."""
    ident = await scene.open()
    await scene.deps.bots.remove(scene.bot)
    await scene.deps.accounts.delete(scene.bot.id)
    scene.later_s = 61
    await scene.sweep()
    assert await play(scene.now, scene.jobs.late[0])
    await scene.pass_on(ident)
    assert (await scene.deps.matches.now(ident)).chairs[1].holder == CARETAKER


async def test_a_bot_that_was_taken_away_from_an_open_table_leaves_a_caretaker(scene):
    ident = await scene.open(seats=({"kind": "open"}, {"kind": "remote", "bot": "robo"}))
    await registration.remove(scene.deps, scene.bot)
    await scene.pass_on(ident)
    await tables.sit(scene.deps, Sit(who=f"account:{scene.owner.id}", match=ident, seat=0))
    match = await scene.pass_on(ident)
    assert match.status == "running"
    match = await scene.pass_on(ident, match.seq + 1)
    assert match.chairs[1].holder == CARETAKER
    assert owed(match), "nobody plays for it"


async def test_a_table_that_is_taken_away_is_over(scene):
    ident = await scene.open(seats=({"kind": "open"}, {"kind": "remote", "bot": "robo"}))
    match = await tables.cancel(scene.deps, Cancel(who=f"account:{scene.owner.id}", match=ident))
    await scene.pass_on(ident, match.seq)
    assert scene.jobs.called == [("seated", ident), ("over", ident)]
    assert remote.told(scene.bot, match, "over")["result"] is None


class Answering:
    """The way out, with somebody at its end who always answers alike."""

    def __init__(self, status):
        self.status, self.sent = status, []

    async def send(self, method, url, body=b"", headers=None):
        self.sent.append(headers["webhook-id"])
        return Reply(self.status, {}, b"")


@pytest.mark.parametrize(("status", "times"), [(204, 1), (200, 1), (503, 3), (307, 3)])
async def test_what_needs_no_answer_is_told_again_if_it_did_not_arrive(scene, status, times):
    ident = await scene.open()
    way_out = Answering(status)
    deps = dataclasses.replace(scene.deps, outward=way_out)
    seated = Call("seated", ident, 1, 3)
    while not await deliver(deps, seated):
        pass
    assert way_out.sent == [f"seated_{ident}_1_0"] * times
    assert (await deps.bots.health(scene.bot.id)).failures == (0 if times == 1 else times)
    assert await deps.client.zscore(keys.CALLS, seated.member) is None
    await scene.pass_on(ident)  # a relay that could not acknowledge them follows the same events again
    assert await deliver(deps, seated)
    assert len(way_out.sent) == times
    assert await deps.client.zscore(keys.CALLS, seated.member) is None


async def test_only_bots_of_the_house_may_stand_in(scene):
    ident = await scene.open()
    match = await scene.deps.matches.now(ident)
    command = Act(who="bot:greedy", match=ident, seq=match.seq, action={}, seat=0)
    with pytest.raises(Problem) as refusal:
        await actions.act(scene.deps, command)
    assert refusal.value.code == "not_your_seat"


async def test_a_backup_brings_bots_back(scene):
    await scene.deps.bots.failed(scene.bot.id, 5, "once")
    kept = await backup.dump(scene.deps.client)
    await scene.deps.client.flushall()
    other = await scene.deps.accounts.create("Other", bot=True)
    await scene.deps.client.sadd("tl:bots", other.id)
    await backup.restore(scene.deps.client, kept)
    bots = Bots(scene.deps.client)
    assert await bots.all() == await bots.of(scene.owner.id) == [scene.bot]
    assert (await bots.health(scene.bot.id)).reason == "once"
