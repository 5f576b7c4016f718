"""Turns that are not played in time: asked for again by one relay, never while a living worker plays them."""

import asyncio

import pytest

from infra.store import keys, signs_of_life
from infra.store.lanes import FLYING, FREE_LOSSES
from infra.store.outbox import Outbox
from infra.store.parked import Parked
from infra.store.redis import connect_sync
from service.commands import actions, tables, tenures
from service.commands.records import HandOver, OpenMatch, Sit
from workers.bots import bot_turn, playing
from workers.bots.bot_turn import owed, play
from workers.jobs import Jobs
from workers.relay import Pace, Relay
from workers.worker import _beat

pytestmark = pytest.mark.anyio
SEATS = ({"kind": "me"}, {"kind": "bot", "bot": "random"})


@pytest.fixture
def connection(embedded):
    connection = connect_sync(embedded.url)
    yield connection
    connection.close()


@pytest.fixture
def relay(deps, connection):
    jobs = Jobs(connection)
    assert jobs.were_lost()  # it is new, and from here on it is not
    return Relay(deps, jobs)


async def opened(deps, who="account:anna", seats=SEATS):
    return await tables.open_match(deps, OpenMatch(who=who, game="tides-of-time", seats=seats))


async def handed_out(deps, relay, connection):
    """A turn that a worker has taken from the queue."""
    turn = owed(await opened(deps))[0]
    await relay.step()
    await relay.step()
    assert waiting(connection) == [turn.job_id]
    connection.lpop("rq:queue:bots")
    return turn


def waiting(connection):
    return [job.decode() for job in connection.lrange("rq:queue:bots", 0, -1)]


async def make_overdue(deps, turn):
    assert await deps.client.zadd(FLYING, {f"{turn.match} {turn.seat} {turn.since}": 1}, xx=True, ch=True)


async def test_a_turn_whose_worker_is_gone_is_asked_for_again(deps, relay, connection):
    turn = await handed_out(deps, relay, connection)
    await relay.sweep()
    assert waiting(connection) == [], "it is not overdue yet"
    await make_overdue(deps, turn)
    await relay.sweep()
    assert waiting(connection) == [turn.job_id]
    assert not await deps.client.exists(f"tl:begun:{turn.job_id}"), "nobody has begun it, as far as is known"


async def test_a_turn_that_a_living_worker_plays_is_left_to_it(deps, relay, connection):
    turn = await handed_out(deps, relay, connection)
    async with playing.playing(deps.client, turn):
        await make_overdue(deps, turn)
        await relay.sweep()
        assert waiting(connection) == []
        await deps.client.delete(f"tl:playing:{turn.job_id}")
        await playing.renew(deps.client)  # what the worker's other thread does all the time
        await make_overdue(deps, turn)
        await relay.sweep()
        assert waiting(connection) == []
    await deps.client.delete(f"tl:playing:{turn.job_id}")  # a dead one renews nothing
    await playing.renew(deps.client)
    await make_overdue(deps, turn)
    await relay.sweep()
    assert waiting(connection) == [turn.job_id]


async def test_a_worker_shows_again_and_again_what_it_plays(deps, relay, store_url, monkeypatch, connection):
    turn = await handed_out(deps, relay, connection)
    async with playing.playing(deps.client, turn), asyncio.timeout(30):
        beating = asyncio.create_task(_beat(store_url, ["heavy"]))
        for _ in range(2):
            await deps.client.delete(f"tl:playing:{turn.job_id}")
            while not await signs_of_life.is_played(deps.client, turn.job_id):  # noqa: ASYNC110 - the store tells nobody
                await asyncio.sleep(0.01)
        while not beating.done():  # a read in progress may swallow a cancellation
            beating.cancel()
            await asyncio.wait([beating], timeout=0.1)
    assert "heavy" in await signs_of_life.heard(deps.client)


async def test_of_several_relays_one_asks_again(deps, relay, connection, monkeypatch):
    turn = await handed_out(deps, relay, connection)
    others = [Relay(deps, Jobs(connection)) for _ in range(2)]
    asked = []
    monkeypatch.setattr(Jobs, "bot_turns", lambda self, turns, queue="bots": asked.extend(turns))
    await make_overdue(deps, turn)
    await asyncio.gather(*(one.sweep() for one in (relay, *others)))
    assert asked == [turn]


async def test_a_turn_that_nobody_can_play_is_parked_and_takes_no_place(deps, relay, connection):
    turn = await handed_out(deps, relay, connection)
    for _ in range(FREE_LOSSES):
        await make_overdue(deps, turn)
        await relay.sweep()
        connection.lpop("rq:queue:bots")
    await make_overdue(deps, turn)
    await relay.sweep()
    (stuck,) = await Parked(deps.client).all()
    assert (stuck.match, stuck.where) == (turn.match, "turn")
    assert await deps.client.zcard(FLYING) == 0
    assert waiting(connection) == []


async def test_turns_of_a_damaged_log_take_no_place(deps, relay, wired, connection):
    turn = await handed_out(deps, relay, connection)
    await deps.client.xadd(keys.log(turn.match), {"e": b"{broken"}, id="99-0")
    await make_overdue(deps, turn)
    fresh = wired()
    await Relay(fresh, relay._turns._jobs).sweep()
    await fresh.close()
    assert await deps.client.zcard(FLYING) == 0
    assert [stuck.match for stuck in await Parked(deps.client).all()] == [turn.match]


async def test_an_owner_who_is_back_is_no_error(deps, monkeypatch):
    """The caretaker thinks, and meanwhile its seat is taken back."""
    seats = ({"kind": "me"}, {"kind": "open"})
    match = await opened(deps, seats=seats)
    match = await tables.sit(deps, Sit(who="account:bert", match=match.id, seat=1))
    match = await tenures.hand_over(deps, HandOver(who="account:anna", match=match.id, seat=0))
    turn = owed(match)[0]
    answer = bot_turn.answer

    def and_the_owner_returns(*given):
        async def come_back():
            return await tables.sit(deps, Sit(who="account:anna", match=match.id, seat=0))

        chosen = answer(*given)
        returned.append(asyncio.ensure_future(come_back()))
        return chosen

    returned: list[asyncio.Future] = []
    act = actions.act

    async def late(*given):
        await asyncio.gather(*returned)
        return await act(*given)

    monkeypatch.setattr(bot_turn, "answer", and_the_owner_returns)
    monkeypatch.setattr(actions, "act", late)
    assert not await play(deps, turn)
    assert (await deps.matches.now(match.id)).chairs[0].holder.id == "account:anna"


class Counting(Relay):
    """Knows what it followed."""

    followed: tuple[str, ...] = ()

    async def _follow(self, ident, first=None):
        self.followed += (ident,)
        await super()._follow(ident, first)


async def finish(deps, ident):
    while (match := await deps.matches.now(ident)).status == "running":
        await play(deps, owed(match)[0])


async def test_bots_among_themselves_are_not_followed_at_once_and_people_are(deps, connection):
    relay, stop = Counting(deps, Jobs(connection), Pace(quiet_s=600)), asyncio.Event()
    running = asyncio.create_task(relay.run(stop))
    bots = await opened(deps, seats=({"kind": "bot", "bot": "random"},) * 2)
    async with asyncio.timeout(60):
        while bots.id not in relay.followed:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)
        await finish(deps, bots.id)
        people = await opened(deps)
        await play(deps, owed(people)[0])
        while (shown := await deps.readmodel.get(people.id)) is None or shown.seq == people.seq:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        assert relay.followed.count(bots.id) == 1
        assert await Outbox(deps.client).lag() >= 28, "what is put off is not acknowledged"
        stop.set()
        await running
    assert (await deps.readmodel.get(bots.id)).status == "finished"
    assert await Outbox(deps.client).lag() == 0


async def test_what_was_put_off_is_followed_when_its_time_has_come(deps, connection):
    relay, stop = Counting(deps, Jobs(connection), Pace(quiet_s=0.05)), asyncio.Event()
    running = asyncio.create_task(relay.run(stop))
    bots = await opened(deps, seats=({"kind": "bot", "bot": "random"},) * 2)
    async with asyncio.timeout(60):
        await finish(deps, bots.id)
        while await Outbox(deps.client).lag():  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        assert (await deps.readmodel.get(bots.id)).status == "finished"
        stop.set()
        await running
