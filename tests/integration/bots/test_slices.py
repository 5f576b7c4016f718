"""Matches are played on while bots are to act: for a while, fairly, and whatever else happens is noticed."""

import asyncio
import json
import threading
from collections import Counter

import msgspec
import pytest

from engine.log import load
from engine.proof.verify import verify
from infra.store import signs_of_life
from infra.store.flights import GroupCommit
from infra.store.lanes import FLYING, Handed, Lanes
from infra.store.redis import connect_sync
from service.bots import registration
from service.commands import actions, agreements, tables, tenures
from service.commands.records import Act, Agree, HandOver, OpenMatch, Sit, TakeBack
from workers import runtime
from workers.bots import bot_turn, company, slices
from workers.bots.bot_turn import owed
from workers.bots.company import Company
from workers.bots.schedule import bounds, owing
from workers.bots.slices import Bench, play_on
from workers.bots.turnstile import Turnstile
from workers.jobs import BOTS, Jobs
from workers.relay import Relay

pytestmark = pytest.mark.anyio
ANNA, BERT = "account:anna", "account:bert"
RANDOM, HEAVY = {"kind": "bot", "bot": "random"}, {"kind": "bot", "bot": "search:200ms"}
TURNS = 28  # of Tides of Time


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """Nothing here depends on how fast the machine is."""
    monkeypatch.setattr(slices, "LONGEST_S", 600.0)
    monkeypatch.setattr(company, "TOGETHER_S", 600.0)


@pytest.fixture
def bench(deps):
    return Bench(deps, Lanes(deps.client, bounds(deps.settings)), Turnstile(), lambda: False)


@pytest.fixture
def connection(embedded):
    connection = connect_sync(embedded.url)
    yield connection
    connection.close()


async def opened(deps, seats=(RANDOM, RANDOM), game="tides-of-time", who=ANNA):
    return await tables.open_match(deps, OpenMatch(who=who, game=game, seats=seats))


async def noted(bench, match):
    """As the relay does it; gives what is handed out."""
    return await bench.lanes.settle(match.id, match.seq, owing(match))


async def events(deps, ident):
    return [json.loads(line) for line in await deps.store.read(ident)]


async def acted(deps, ident):
    return [event for event in await events(deps, ident) if event["kind"] == "acted"]


def annas(match, action):
    return Act(who=ANNA, match=match.id, seq=match.seq, action=msgspec.to_builtins(action))


def meanwhile(monkeypatch, number, what):
    """Somebody is faster than the bot's action of that number."""
    act, count = actions.act, Counter()

    async def later(*given):
        count["acts"] += 1
        if count["acts"] == number:
            await what()
        return await act(*given)

    monkeypatch.setattr(actions, "act", later)


async def test_a_table_of_bots_is_played_to_its_end_one_event_after_the_other(bench, deps):
    match = await opened(deps)
    await noted(bench, match)
    other = await opened(deps, who=BERT)
    assert await play_on(bench, owed(match)[0]) == []
    lines = await deps.store.read(match.id)
    verify(lines)
    assert (await deps.matches.now(match.id)).status == "finished"
    turns = [event["cmd"] for event in await acted(deps, match.id)]
    assert len(turns) == len(set(turns)) == TURNS
    assert await deps.client.zcard(FLYING) == 0
    assert (await deps.matches.now(other.id)).seq == other.seq


async def test_after_a_slice_the_match_waits_in_its_openers_line(bench, deps, monkeypatch):
    monkeypatch.setattr(slices, "MAX_TURNS", 5)
    narrow = bench._replace(lanes=Lanes(deps.client, bounds(deps.settings)._replace(light=1)))
    match, other = await opened(deps), await opened(deps, who=BERT)
    for table in (match, other):
        await noted(narrow, table)
    handed = await play_on(narrow, owed(match)[0])
    assert len(await acted(deps, match.id)) == 5
    assert [turn.match for turn in handed] == [other.id], "who waits is next"
    now = await deps.matches.now(match.id)
    assert await narrow.lanes.settle(other.id, 99, []) == [Handed(match.id, *owed(now)[0][1:], "light")]


async def test_time_ends_a_slice_too(bench, deps, monkeypatch):
    monkeypatch.setattr(slices, "LONGEST_S", 0.0)
    match = await opened(deps)
    await noted(bench, match)
    (handed,) = {turn.match for turn in await play_on(bench, owed(match)[0])}
    assert handed == match.id
    assert len(await acted(deps, match.id)) == 1


async def test_who_is_asked_to_stop_plays_no_further_turn(bench, deps):
    match = await opened(deps)
    await noted(bench, match)
    await play_on(bench._replace(is_over=lambda: True), owed(match)[0])
    assert len(await acted(deps, match.id)) == 1


async def until_anna(bench, deps, ident):
    """Let the bots play until she is to act."""
    if 0 not in (match := await deps.matches.now(ident)).to_act:
        await noted(bench, match)
        assert await play_on(bench, owed(match)[0]) == []
    return await deps.matches.now(ident)


async def test_a_person_who_is_to_act_ends_it(bench, deps):
    match = await opened(deps, ({"kind": "me"}, RANDOM, RANDOM), "machi-koro")
    match = await until_anna(bench, deps, match.id)
    while 0 in match.to_act:
        match = await actions.act(deps, annas(match, match.rules.legal(match.state, 0)[0]))
    before = match.seq
    match = await until_anna(bench, deps, match.id)
    assert match.to_act == [0]
    after = {event["seat"] for event in (await acted(deps, match.id)) if event["seq"] > before}
    assert after  # who can afford nothing is not asked
    assert 0 not in after
    await noted(bench, match)
    assert await deps.client.zcard(FLYING) == 0


async def test_a_remote_bot_that_is_to_act_ends_it(bench, deps, wired):
    house = wired(lenient=True)
    owner = await house.accounts.create("Anna")
    fields = {"games": ["machi-koro"], "delivery": {"kind": "poll"}, "capacity": 2}
    await registration.register(house, owner, "robo", fields)
    seats = (RANDOM, RANDOM, {"kind": "remote", "bot": "robo"})
    match = await opened(house, seats, "machi-koro", f"account:{owner.id}")
    await noted(bench, match)
    if match.to_act != [2]:
        await play_on(bench, owed(match)[0])
    assert (await deps.matches.now(match.id)).to_act == [2]
    assert 2 not in {event["seat"] for event in await acted(deps, match.id)}
    await house.close()


async def test_a_bot_that_thinks_is_left_to_its_own_lane(bench, deps):
    match = await opened(deps, (RANDOM, HEAVY))
    assert {turn.lane for turn in await noted(bench, match)} == {"light", "heavy"}
    await play_on(bench, owed(match)[0])
    assert [event["seat"] for event in await acted(deps, match.id)] == [0]
    assert [turn[1] for turn in await bench.lanes.in_the_air()] == [1]


async def test_a_table_that_is_stopped_between_two_actions_stays_so(bench, deps, wired, monkeypatch):
    other, match = wired(), await opened(deps)
    await noted(bench, match)
    meanwhile(
        monkeypatch, 4, lambda: agreements.agree(other, Agree(who=ANNA, match=match.id, what="abandon"))
    )
    assert await play_on(bench, owed(match)[0]) == []
    assert len(await acted(deps, match.id)) == 3
    assert [event["kind"] for event in await events(deps, match.id)][-2:] == ["abandoned", "finished"]
    assert await deps.client.zcard(FLYING) == 0
    await other.close()


async def two_caretakers(deps):
    """Anna and Bert have both left their seats to bots."""
    match = await opened(deps, ({"kind": "me"}, {"kind": "open"}))
    await tables.sit(deps, Sit(who=BERT, match=match.id, seat=1))
    for seat, who in enumerate((ANNA, BERT)):
        match = await tenures.hand_over(deps, HandOver(who=who, match=match.id, seat=seat))
    return match


async def test_a_player_who_returns_between_two_actions_plays_again(bench, deps, wired, monkeypatch):
    other, match = wired(), await two_caretakers(deps)
    await noted(bench, match)
    meanwhile(monkeypatch, 4, lambda: tables.sit(other, Sit(who=ANNA, match=match.id, seat=0)))
    await play_on(bench, owed(match)[0])
    now = await deps.matches.now(match.id)
    assert now.to_act == [0]
    returned = [event["kind"] for event in await events(deps, match.id)].index("returned")
    after = (await events(deps, match.id))[returned:]
    assert {event["seat"] for event in after if event["kind"] == "acted"} <= {1}
    await other.close()


async def test_what_is_taken_back_between_two_actions_is_played_anew(bench, deps, wired, monkeypatch):
    """Anna's own turn is over, two bots answer, and after the first answer she takes hers back."""
    match = await opened(deps, ({"kind": "me"}, RANDOM))
    legal = match.rules.legal(match.state, 0)[0]
    match = await actions.act(
        deps, Act(who=ANNA, match=match.id, seq=match.seq, action=msgspec.to_builtins(legal))
    )
    await noted(bench, match)
    other = wired()

    async def take_back():
        await agreements.take_back(other, TakeBack(who=ANNA, match=match.id, seq=match.seq, to=match.seq - 1))

    meanwhile(monkeypatch, 1, take_back)
    await play_on(bench, owed(match)[0])
    told = [event["kind"] for event in await events(deps, match.id)]
    assert "undone" in told
    assert (await deps.matches.now(match.id)).to_act == [0]
    assert load(await deps.store.read(match.id)).seq == len(told)
    await other.close()


async def test_one_process_plays_a_match_on(bench, deps, wired, monkeypatch):
    """Both seats choose at once, so both turns are in the queue: who is second leaves them to the first."""
    match = await opened(deps)
    await noted(bench, match)
    other = wired()
    theirs = bench._replace(deps=other, lanes=Lanes(other.client, bounds(other.settings)))
    who = signs_of_life.instance()
    tried = []

    async def another():
        monkeypatch.setattr(slices, "WHO", lambda: "another")
        tried.append(await play_on(theirs, owed(await other.matches.now(match.id))[0]))
        monkeypatch.setattr(slices, "WHO", lambda: who)

    meanwhile(monkeypatch, 3, another)
    await play_on(bench, owed(match)[0])
    assert tried == [[]]
    assert len(await acted(deps, match.id)) == TURNS
    await other.close()


async def test_a_turn_in_hand_is_asked_for_again_when_its_holder_dies(deps, bench, connection, monkeypatch):
    jobs = Jobs(connection)
    assert jobs.were_lost()
    relay, match = Relay(deps, jobs), await opened(deps)
    await relay.step()
    await relay.step()
    connection.delete("rq:queue:bots", *connection.keys("rq:job:*"))

    async def overdue():
        turns = await deps.client.zrange(FLYING, 0, -1)
        assert turns
        await deps.client.zadd(FLYING, dict.fromkeys(turns, 1), xx=True)
        await relay.sweep()

    class Died(BaseException):
        """As if by kill -9: nothing is told to anybody."""

    async def in_the_middle():
        await deps.client.delete(*[key async for key in deps.client.scan_iter(match="tl:playing:*")])
        await relay.step()
        await overdue()
        assert connection.llen("rq:queue:bots") == 0, "it is being played"
        raise Died

    async def tell_nobody(*_):
        return None

    meanwhile(monkeypatch, 4, in_the_middle)
    monkeypatch.setattr(Lanes, "renew", tell_nobody)
    with pytest.raises(Died):
        await play_on(bench, owed(match)[0])
    monkeypatch.undo()
    assert not await bench.lanes.was_dropped(match.id)
    await bench.lanes.renew([match.id], signs_of_life.instance(), 0)  # five seconds later
    assert await bench.lanes.was_dropped(match.id)
    await overdue()
    await overdue()
    waiting = {job.decode() for job in connection.lrange("rq:queue:bots", 0, -1)}
    turns = owed(await deps.matches.now(match.id))
    assert waiting == {turn.job_id for turn in turns}
    assert await deps.client.get(f"tl:begun:{turns[0].job_id}") == b"1", "somebody may have died of it"


@pytest.mark.single  # five matches of a cluster lie on three servers, and share little
async def test_jobs_of_a_queue_join_and_share_commits(deps, connection, monkeypatch):
    jobs = Jobs(connection)
    relay = Relay(deps, jobs)
    matches = [await opened(deps, who=f"account:{n}") for n in range(5)]
    await relay.step()
    await relay.step()
    assert connection.llen("rq:queue:bots") == 10
    together, fly = [], GroupCommit._fly

    async def flying(self, batch):
        together.append(len(batch))
        await fly(self, batch)

    monkeypatch.setattr(GroupCommit, "_fly", flying)
    (first,) = await asyncio.to_thread(jobs.take, BOTS, 1)
    await Company(deps, jobs, BOTS).play(first)
    for match in matches:
        assert len(await acted(deps, match.id)) == TURNS
    assert max(together) > 2
    assert sum(together) >= 5 * TURNS > 1.5 * len(together), "most travelled with others"
    assert connection.llen("rq:queue:bots") == 0
    assert await deps.client.zcard(FLYING) == 0


async def test_one_match_that_fails_stops_no_other(deps, connection, monkeypatch, caplog):
    jobs = Jobs(connection)
    relay = Relay(deps, jobs)
    bad, good = await opened(deps), await opened(deps, who=BERT)
    await relay.step()
    await relay.step()
    answer = bot_turn.answer

    def failing(match, *given):
        if match.id == bad.id:
            raise ZeroDivisionError
        return answer(match, *given)

    monkeypatch.setattr(bot_turn, "answer", failing)
    with pytest.raises(ZeroDivisionError):
        await Company(deps, jobs, BOTS).play(owed(bad)[0])
    assert len(await acted(deps, good.id)) == TURNS
    assert {turn[0] for turn in await Lanes(deps.client).in_the_air()} == {bad.id}, "the relay will find it"
    assert not await Lanes(deps.client).is_held(bad.id)


async def test_who_must_stop_leaves_the_rest_in_the_queue(deps, connection, monkeypatch):
    jobs = Jobs(connection)
    relay = Relay(deps, jobs)
    match = await opened(deps)
    await relay.step()
    await relay.step()
    connection.delete("rq:queue:bots", *connection.keys("rq:job:*"))
    stop = threading.Event()
    monkeypatch.setattr(company, "STOP", stop)

    async def ask_to_stop():
        stop.set()

    meanwhile(monkeypatch, 3, ask_to_stop)
    await Company(deps, jobs, BOTS).play(owed(match)[0])
    assert len(await acted(deps, match.id)) == 3
    waiting = {job.decode() for job in connection.lrange("rq:queue:bots", 0, -1)}
    assert waiting == {turn.job_id for turn in owed(await deps.matches.now(match.id))}
    assert not runtime.STOP.is_set()


async def test_a_company_whose_time_is_up_leaves_the_rest_in_the_queue(deps, connection, monkeypatch):
    monkeypatch.setattr(company, "TOGETHER_S", 0.0)
    jobs, match = Jobs(connection), await opened(deps)
    relay = Relay(deps, jobs)
    await relay.step()
    await relay.step()
    (first,) = await asyncio.to_thread(jobs.take, BOTS, 1)
    await Company(deps, jobs, BOTS).play(first)
    assert len(await acted(deps, match.id)) == 1
    waiting = {job.decode() for job in connection.lrange("rq:queue:bots", 0, -1)}
    assert {turn.job_id for turn in owed(await deps.matches.now(match.id))} <= waiting


async def test_those_whom_people_wait_for_think_first():
    turnstile, order = Turnstile(), []

    async def think(name, waited_for):
        await turnstile.pass_through(waited_for)
        order.append(name)

    gone = asyncio.ensure_future(think("gone", waited_for=True))
    tasks = [asyncio.ensure_future(think(n, waited_for=False)) for n in range(3)]
    await asyncio.sleep(0)
    gone.cancel()
    tasks.append(asyncio.ensure_future(think("person", waited_for=True)))
    await asyncio.gather(*tasks)
    assert order.index("person") <= 1
    assert [one for one in order if one != "person"] == [0, 1, 2]
