"""A remote bot whose time ran out: it is told, comes back when it is heard again, and its health says so."""

import dataclasses
from datetime import timedelta

import pytest

from infra.outside.outward import Reply
from infra.store import keys
from tests.integration.api.botting import NoJobs, code, passed_on, register, robot, seated
from tests.integration.api.test_bot_turns import Lines
from workers import clock
from workers.jobs import Call
from workers.webhooks.deliver import deliver
from workers.webhooks.schedule import Calls

pytestmark = pytest.mark.anyio

CLOCK = {"kind": "per_move", "seconds": 3600}


def later(house, seconds=7200):
    moved = house.deps.now() + timedelta(seconds=seconds)
    return dataclasses.replace(house.deps, now=lambda: moved)


async def timed_out(house, match):
    """The bot's time is up, nobody else's: what the relay does then."""
    assert await clock.look(later(house), match["id"])
    await passed_on(house, match["id"])


async def away_bot(house, guest, **more):
    """A bot, its match, and the turn that it has not answered."""
    made = await register(guest, **more)
    bot, match = robot(house, made), await seated(house, guest, clock=CLOCK)
    assert (await guest.act(match)).status_code == 200
    [turn] = (await bot.get("/api/bot/turns")).json()["items"]
    await timed_out(house, match)
    return bot, match, turn


async def holds(house, match):
    return (await house.deps.matches.now(match["id"])).chairs[1].holder.kind


async def health(guest):
    return (await guest.get("/api/bots/robo")).json()["health"]


async def test_a_late_answer_brings_the_bot_back(house, guest):
    bot, match, turn = await away_bot(house, guest)
    assert await holds(house, match) == "bot"
    assert await code(await bot.act({"id": match["id"], **turn}, key="late")) == (409, "away")
    assert await holds(house, match) == "remote"
    await passed_on(house, match["id"])
    answer = (await bot.get("/api/bot/turns")).json()
    assert answer["away"] == []
    [again] = answer["items"]
    assert again["seq"] > turn["seq"]
    assert await code(await bot.act({"id": match["id"], **turn}, key="later")) == (409, "stale_seq")
    assert (await bot.act({"id": match["id"], **again}, key="now")).status_code == 200


async def test_a_poll_says_where_the_bot_is_away_and_it_sits_down_again(house, guest):
    bot, match, _ = await away_bot(house, guest)
    answer = (await bot.get("/api/bot/turns")).json()
    assert answer["items"] == []
    [told] = answer["away"]
    assert (told["kind"], told["match"], told["seat"], told["why"]) == ("away", match["id"], 1, "timed_out")
    path = f"/api/matches/{match['id']}/seats/1"
    assert (await bot.post(path)).status_code == 200
    assert await holds(house, match) == "remote"
    assert await code(await bot.post(path)) == (409, "not_open")
    other = await guest.open(clock=CLOCK)
    assert await code(await bot.post(f"/api/matches/{other['id']}/seats/0")) == (403, "forbidden")


async def test_a_stream_says_it_at_once_and_to_whoever_connects(served):
    guest = await served.guest()
    bot = robot(served, await register(guest))
    async with served.client.stream("GET", "/api/bot/stream", headers=bot.headers) as answer:
        lines = Lines(answer)
        match = await seated(served, guest, clock=CLOCK)
        assert [(await lines.next())["kind"] for _ in range(2)] == ["seated", "turn"]
        await timed_out(served, match)
        assert (await lines.next())["kind"] == "away"
    async with served.client.stream("GET", "/api/bot/stream", headers=bot.headers) as answer:
        assert (await Lines(answer).next())["kind"] == "away"


class Answering:
    """The way out, with somebody at its end who answers these one after the other."""

    def __init__(self, *statuses):
        self.statuses, self.sent = list(statuses), []

    async def send(self, method, url, body=b"", headers=None):
        self.sent.append(headers["webhook-id"].partition("_")[0])
        return Reply(self.statuses.pop(0), {}, b"")


@pytest.fixture
async def lenient(wired, deps, open_another):
    wide = wired(lenient=True)
    async with open_another(wide) as house:
        yield house
    await wide.close()


async def test_a_webhook_is_called_until_it_answers_and_has_its_seat_back(lenient):
    house, guest = lenient, await lenient.guest()
    await register(guest, delivery={"kind": "webhook", "url": "http://127.0.0.1:9/"})
    match = await seated(house, guest, clock=CLOCK)
    assert (await guest.act(match)).status_code == 200
    await timed_out(house, match)
    seq = (await house.deps.matches.now(match["id"])).chairs[1].parts[-1].seq
    message = Call("away", match["id"], 1, seq)
    assert await house.deps.client.zscore(keys.CALLS, message.member) is not None
    way_out = Answering(503, 503, 503, 503, 204)
    deps = dataclasses.replace(house.deps, outward=way_out)
    while not await deliver(deps, message):
        assert await holds(house, match) == "bot"
    assert way_out.sent == ["away"] * 5
    assert await holds(house, match) == "remote"
    assert await house.deps.client.zscore(keys.CALLS, message.member) is None
    assert await deliver(deps, message), "no longer true: nobody is called"


async def test_a_webhook_that_only_nods_has_its_seat_back_once(lenient):
    """Else each of its turns would cost the others the whole clock."""
    house, guest = lenient, await lenient.guest()
    await register(guest, delivery={"kind": "webhook", "url": "http://127.0.0.1:9/"})
    match = await seated(house, guest, clock=CLOCK)
    assert (await guest.act(match)).status_code == 200
    deps = dataclasses.replace(house.deps, outward=Answering(204, 204))
    for held in ("remote", "bot"):
        await timed_out(house, match)
        seq = (await house.deps.matches.now(match["id"])).chairs[1].parts[-1].seq
        assert await deliver(deps, Call("away", match["id"], 1, seq))
        assert await holds(house, match) == held


async def test_a_time_out_is_a_failure_and_shows(house, guest):
    await away_bot(house, guest)
    found = await health(guest)
    assert (found["failures"], found["last_failure"]["reason"]) == (1, "no answer in time")


async def test_waiting_for_a_place_is_not_answering(house, guest):
    bot = robot(house, await register(guest, capacity=1))
    first, second = [await seated(house, guest) for _ in range(2)]
    [turn] = (await bot.get("/api/bot/turns")).json()["items"]
    slow = later(house, 100)
    await house.deps.bots.offered("nobody", "x", 0)  # another bot's turns are its own
    started = (await house.deps.clocks.starts(await house.deps.matches.now(second["id"])))[1]
    assert turn["match"] == first["id"]
    assert (await bot.act({"id": first["id"], **turn})).status_code == 200
    ident = f"{second['id']}:1:{(await house.deps.matches.now(second['id'])).since[1]}"
    robo = (await house.deps.bots.all())[0].id
    await house.deps.bots.offered(robo, ident, int(slow.now().timestamp() * 1000))
    await house.deps.bots.answered(robo, ident, int(slow.now().timestamp() * 1000) + 250, int(started * 1000))
    assert (await house.deps.bots.health(robo)).seconds[-1] == 0.25


async def test_who_is_gone_for_good_is_not_called_back(house, guest):
    """Its owner took it away: no caretaker of a time-out."""
    bot, match, _ = await away_bot(house, guest)
    assert (await guest.ask("DELETE", "/api/bots/robo")).status_code == 204
    await passed_on(house, match["id"])
    assert (await bot.get("/api/bot/turns")).status_code == 401
    await Calls(house.deps, NoJobs()).sweep()
    assert await holds(house, match) == "bot"
