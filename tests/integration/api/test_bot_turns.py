"""Turns of remote bots: offered by stream and long poll, numbered, limited, answered."""

import asyncio
import json

import pytest

from tests.integration.api.botting import code, passed_on, register, robot, seated

pytestmark = pytest.mark.anyio
SOON_S = 30.0  # generous: the machine may be busy. Less than a poll waits: its end is no answer


async def test_a_turn_has_every_field_and_is_answered(house, guest, rng):
    bot = robot(house, await register(guest))
    match = await seated(house, guest)
    [turn] = (await bot.get("/api/bot/turns")).json()["items"]
    assert set(turn) == set("kind match game version seat seq deadline view legal since".split())
    assert (turn["match"], turn["seat"], turn["deadline"]) == (match["id"], 1, None)
    assert [event["seq"] for event in turn["since"]] == list(range(1, match["seq"] + 1))
    answer = await bot.act({"id": match["id"], "seq": turn["seq"], "legal": turn["legal"]}, key="turn:1")
    assert answer.status_code == 200, answer.text
    assert answer.json()["you"] == 1
    assert (await bot.get("/api/bot/turns")).json()["items"] == []  # before any relay has noticed
    again = await bot.act({"id": match["id"], "seq": turn["seq"], "legal": turn["legal"]}, key="turn:1")
    assert again.status_code == 200
    health = (await guest.get("/api/bots/robo")).json()["health"]
    assert (health["answered"], health["failures"], health["state"]) == (1, 0, "well")


async def test_a_turn_keeps_its_number_while_others_choose_in_secret(house, guest):
    bot = robot(house, await register(guest))
    match = await seated(house, guest)
    [before] = (await bot.get("/api/bot/turns")).json()["items"]
    assert (await guest.act(match)).status_code == 200
    [after] = (await bot.get("/api/bot/turns")).json()["items"]
    assert after["seq"] == before["seq"] < (await house.length(match))
    assert (await bot.act({"id": match["id"], **after})).status_code == 200


async def test_a_question_about_an_undo_makes_it_another_turn(house, guest):
    """A bot that answered the old number would be told that it is stale: it must hear of the new one."""
    bot, other = robot(house, await register(guest, games=["machi-koro"])), await house.guest()
    seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "remote", "bot": "robo"}]
    table = await guest.open(game="machi-koro", seats=seats, options={"first_seat": 0})
    path = f"/api/matches/{table['id']}"
    table = (await other.post(f"{path}/seats/1")).json()
    for player in (guest, other):
        table = await player.look(table)
        while table["you"] in table["to_act"]:
            table = (await player.act(table, table["legal"][-1])).json()
    await passed_on(house, table["id"])
    [turn] = (await bot.get("/api/bot/turns")).json()["items"]
    asked = await other.post(f"{path}/undo", {"seq": table["seq"], "to": table["seq"] - 2})
    assert asked.status_code == 202, asked.text
    [again] = (await bot.get("/api/bot/turns")).json()["items"]
    assert again["seq"] == turn["seq"] + 1
    assert await code(await bot.act({"id": table["id"], **turn})) == (409, "stale_seq")
    assert (await bot.act({"id": table["id"], **again})).status_code == 200


async def test_illegal_answers_are_counted(house, guest):
    bot = robot(house, await register(guest))
    match = await seated(house, guest)
    for _ in range(3):
        answer = await bot.act(match, {"type": "play", "card": "no such card"})
        assert answer.status_code == 422
    health = (await guest.get("/api/bots/robo")).json()["health"]
    assert (health["failures"], health["state"], health["open_turns"]) == (3, "failing", 1)
    assert "illegal action" in health["last_failure"]["reason"]


async def test_no_more_turns_than_it_can_take(house, guest):
    bot = robot(house, await register(guest, capacity=2))
    matches = [(await seated(house, guest))["id"] for _ in range(4)]
    first = (await bot.get("/api/bot/turns")).json()["items"]
    assert [turn["match"] for turn in first] == matches[:2]
    assert (await bot.act({"id": matches[0], **first[0]})).status_code == 200
    await passed_on(house, matches[0], 99)
    assert [turn["match"] for turn in (await bot.get("/api/bot/turns")).json()["items"]] == matches[1:3]
    assert (await guest.get("/api/bots/robo")).json()["health"]["open_turns"] == 3


async def listening(house):
    """A bot's poll has come so far that it hears of everything."""
    async with asyncio.timeout(SOON_S):
        while not house.deps.watch.listeners():  # noqa: ASYNC110 - nobody is told of that
            await asyncio.sleep(0.01)


async def test_a_poll_waits_for_a_turn(house, guest):
    bot = robot(house, await register(guest))
    waiting = asyncio.create_task(bot.get("/api/bot/turns?wait=60"))
    await listening(house)
    assert not waiting.done()
    match = await seated(house, guest)
    async with asyncio.timeout(SOON_S):
        answer = await waiting
    assert [turn["match"] for turn in answer.json()["items"]] == [match["id"]]
    assert await code(await bot.get("/api/bot/turns?wait=soon")) == (400, "bad_request")


class Lines:
    def __init__(self, answer):
        self._lines = answer.aiter_lines()

    async def next(self):
        """The next message; empty lines only say that the line is alive."""
        async with asyncio.timeout(SOON_S):
            async for line in self._lines:
                if line:
                    return json.loads(line)
        return None


async def test_a_stream_tells_of_seats_turns_and_ends(served, rng):
    guest = await served.guest()
    bot = robot(served, await register(guest, capacity=1))
    async with served.client.stream("GET", "/api/bot/stream", headers=bot.headers) as answer:
        assert answer.headers["content-type"] == "application/x-ndjson"
        lines = Lines(answer)
        match = await seated(served, guest)
        sat = await lines.next()
        assert (sat["kind"], sat["match"], sat["seat"]) == ("seated", match["id"], 1)
        turn = await lines.next()
        assert (turn["kind"], turn["seq"]) == ("turn", match["seq"])
        assert (await bot.act({"id": match["id"], **turn})).status_code == 200
        await passed_on(served, match["id"], 99)
        second = await seated(served, guest)
        assert [(await lines.next())["kind"] for _ in range(2)] == ["seated", "turn"]
        await guest.ask("DELETE", f"/api/matches/{match['id']}/seats/0")
        await passed_on(served, match["id"], 99)
        over = await lines.next()
        assert (over["kind"], over["match"], over["result"]["winners"]) == ("over", match["id"], [1])
    async with served.client.stream("GET", "/api/bot/stream", headers=bot.headers) as answer:
        assert (await Lines(answer).next())["match"] == second["id"]  # open turns come again


async def test_a_stream_ends_with_its_token(served):
    guest = await served.guest()
    bot = robot(served, await register(guest))
    served.app.bot_streams._beat_s = 0.1
    async with served.client.stream("GET", "/api/bot/stream", headers=bot.headers) as answer:
        assert (await guest.ask("PATCH", "/api/bots/robo", json={"rotate": "token"})).status_code == 200
        assert await Lines(answer).next() is None


async def test_a_poll_ends_with_its_token(house, guest):
    bot = robot(house, await register(guest))
    house.app.bot_streams._beat_s = 0.1
    waiting = asyncio.create_task(bot.get("/api/bot/turns?wait=60"))
    await listening(house)
    assert (await guest.ask("PATCH", "/api/bots/robo", json={"rotate": "token"})).status_code == 200
    async with asyncio.timeout(SOON_S):
        assert await code(await waiting) == (401, "unauthenticated")
