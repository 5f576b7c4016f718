"""Remote bots over the API: registered, seated, told, and kept to what a bot may do."""

import asyncio
import json
from contextlib import AsyncExitStack

import pytest

from service.projection import summary
from tests.integration.api.conftest import Guest
from workers.calls import Calls

pytestmark = pytest.mark.anyio
WANTED = {"games": ["tides-of-time"], "delivery": {"kind": "stream"}, "capacity": 2}
FIELDS = set(
    "name owner games delivery capacity seating sandbox enabled created mine health".split(),
)
HEALTH = set("last_seen median_answer answered failures last_failure open_turns state".split())


class NoJobs:
    """Nobody works here: what a bot is told by hand needs no queue."""

    def calls(self, calls): ...

    def stand_ins(self, turns): ...


async def register(guest, name="robo", **more):
    answer = await guest.post("/api/bots", {"name": name, **WANTED, **more})
    assert answer.status_code == 201, answer.text
    return answer.json()


async def code(answer):
    return answer.status_code, answer.json()["code"]


def robot(house, made):
    return Guest(house.client, None, made["token"])


async def seated(house, guest, name="robo", **more):
    """A match of a guest with a bot, as the relay would have passed it on."""
    match = await guest.open(seats=[{"kind": "me"}, {"kind": "remote", "bot": name}], **more)
    await passed_on(house, match["id"])
    return match


async def passed_on(house, ident, first=1):
    match = await house.deps.matches.now(ident)
    starts = await house.deps.clocks.starts(match)
    await house.deps.readmodel.put(summary(match, await house.deps.clocks.deadlines(match), starts))
    await Calls(house.deps, NoJobs()).plan(match, first)


async def test_a_bot_is_registered_and_shown(house, guest):
    made = await register(guest)
    assert made["token"].startswith("tl.")
    assert made["secret"].startswith("whsec_")
    bot = made["bot"]
    assert set(bot) == FIELDS
    assert set(bot["health"]) == HEALTH
    assert (bot["name"], bot["owner"], bot["mine"]) == ("robo", guest.account["name"], True)
    assert bot["seating"] == {"who": "anybody", "accounts": []}
    assert bot["health"]["state"] == "fresh"
    assert (await guest.get("/api/bots/robo")).json() == bot
    assert (await guest.get("/api/bots?mine=1")).json()["items"] == [bot]
    other = await house.guest()
    assert (await other.get("/api/bots?mine=1")).json()["items"] == []
    assert (await other.get("/api/bots")).json()["items"][0]["mine"] is False
    assert await code(await house.nobody.get("/api/bots?mine=1")) == (401, "unauthenticated")


async def test_only_the_owner_sees_where_it_lives(house, open_another, wired):
    async with AsyncExitStack() as stack:
        deps = wired(lenient=True)
        stack.push_async_callback(deps.close)
        kind = await stack.enter_async_context(open_another(deps))
        guest = await kind.guest()
        delivery = {"kind": "webhook", "url": "http://127.0.0.1:9/x"}
        friend = await kind.guest()
        seating = {"who": "listed", "accounts": [friend.account["name"]]}
        made = await register(guest, "hooked", delivery=delivery, seating=seating)
        assert made["bot"]["delivery"] == delivery
        assert made["bot"]["seating"] == seating
        seen = (await kind.nobody.get("/api/bots/hooked")).json()
        assert seen["delivery"] == {"kind": "webhook", "url": None}
        assert seen["seating"] == {"who": "listed", "accounts": []}


@pytest.mark.parametrize(
    ("change", "status", "expected"),
    [
        ({"name": "a b"}, 400, "bad_name"),
        ({"name": ""}, 400, "bad_name"),
        ({"name": "x/y"}, 400, "bad_name"),
        ({"games": ["chess"]}, 404, "unknown_game"),
        ({"games": []}, 400, "bad_request"),
        ({"capacity": 0}, 400, "bad_request"),
        ({"capacity": True}, 400, "bad_request"),
        ({"delivery": {"kind": "pigeon"}}, 400, "bad_request"),
        ({"delivery": {"kind": "webhook"}}, 400, "bad_delivery"),
        ({"delivery": {"kind": "stream", "url": "https://example.org"}}, 400, "bad_delivery"),
        ({"delivery": {"kind": "webhook", "url": "https://127.0.0.1/x"}}, 400, "bad_delivery"),
        ({"delivery": {"kind": "webhook", "url": "https://[::1]/x"}}, 400, "bad_delivery"),
        ({"delivery": {"kind": "webhook", "url": "https://169.254.169.254/"}}, 400, "bad_delivery"),
        ({"delivery": {"kind": "webhook", "url": "http://1.1.1.1/x"}}, 400, "bad_delivery"),
        ({"delivery": {"kind": "webhook", "url": "nonsense"}}, 400, "bad_delivery"),
        ({"seating": {"who": "listed", "accounts": ["nobody of that name"]}}, 400, "unknown_account"),
        ({"seating": {"who": "friends"}}, 400, "bad_request"),
        ({"more": 1}, 400, "bad_request"),
    ],
)
async def test_what_makes_no_sense_is_refused(guest, change, status, expected):
    answer = await guest.post("/api/bots", {"name": "robo", **WANTED, **change})
    assert await code(answer) == (status, expected)
    assert (await guest.get("/api/bots")).json()["items"] == []
    assert (await guest.get("/api/bots/robo")).status_code == 404


async def test_names_are_unique_with_those_of_people(house, guest):
    await register(guest)
    assert await code(await guest.post("/api/bots", {"name": "ROBO", **WANTED})) == (409, "name_taken")
    assert await code(await house.nobody.post("/api/accounts", {"name": "Robo"})) == (409, "name_taken")
    assert await code(
        await house.nobody.post("/api/sessions", {"name": "robo", "password": "long enough"})
    ) == (401, "wrong_password")


async def test_owners_change_their_bots_and_nobody_elses(house, guest):
    await register(guest)
    changed = await guest.ask("PATCH", "/api/bots/robo", json={"capacity": 7, "enabled": False})
    assert changed.status_code == 200
    assert (changed.json()["capacity"], changed.json()["enabled"]) == (7, False)
    assert changed.json()["token"] is changed.json()["secret"] is None
    assert (await guest.get("/api/bots/robo")).json()["capacity"] == 7
    other = await house.guest()
    assert await code(await other.ask("PATCH", "/api/bots/robo", json={})) == (403, "forbidden")
    assert await code(await other.ask("DELETE", "/api/bots/robo")) == (403, "forbidden")
    assert await code(await guest.ask("PATCH", "/api/bots/else", json={})) == (404, "not_found")


async def test_a_replaced_token_is_worth_nothing(house, guest):
    old = robot(house, await register(guest))
    assert (await old.get("/api/bot/turns")).json() == {"items": []}
    rotated = (await guest.ask("PATCH", "/api/bots/robo", json={"rotate": "token"})).json()
    assert await code(await old.get("/api/bot/turns")) == (401, "unauthenticated")
    assert (await robot(house, rotated).get("/api/bot/turns")).status_code == 200


async def test_a_bot_may_do_nothing_but_play(house, guest):
    bot = robot(house, await register(guest))
    match = await guest.open(seats=[{"kind": "me"}, {"kind": "open"}])
    forbidden = [
        ("GET", "/api/me", None),
        ("PATCH", "/api/me", {}),
        ("GET", "/api/me/tokens", None),
        ("POST", "/api/me/tokens", {"label": "x", "scopes": ["play"]}),
        ("POST", "/api/me/claim", {"password": "long enough"}),
        ("GET", "/api/me/turns", None),
        ("POST", "/api/matches", {"game": "tides-of-time", "seats": [{"kind": "me"}, {"kind": "open"}]}),
        ("POST", f"/api/matches/{match['id']}/seats/1", {}),
        ("POST", "/api/bots", {"name": "child", **WANTED}),
    ]
    for method, path, body in forbidden:
        assert await code(await bot.ask(method, path, json=body)) == (403, "forbidden"), path
    body = {"seq": match["seq"], "action": {"type": "play", "card": "x"}}
    assert await code(await bot.post(f"/api/matches/{match['id']}/actions", body)) == (403, "not_your_seat")
    for path in ("/api/bot/turns", "/api/bot/stream"):
        assert await code(await guest.get(path)) == (403, "forbidden")
        assert await code(await house.nobody.get(path)) == (401, "unauthenticated")


async def test_who_may_seat_it(house, guest):
    friend, stranger = await house.guest(), await house.guest()
    await register(guest, "mine", seating={"who": "me"})
    await register(guest, "listed", seating={"who": "listed", "accounts": [friend.account["name"]]})
    await register(guest, "off")
    await guest.ask("PATCH", "/api/bots/off", json={"enabled": False})
    await register(guest, "trying", sandbox=True)

    async def ask(who, name, **more):
        seats = [{"kind": "me"}, {"kind": "remote", "bot": name}]
        return await who.post("/api/matches", {"game": "tides-of-time", "seats": seats, **more})

    assert (await ask(guest, "mine")).status_code == 201
    assert (await ask(friend, "listed")).status_code == 201
    assert await code(await ask(friend, "mine")) == (403, "bot_not_for_you")
    assert await code(await ask(stranger, "listed")) == (403, "bot_not_for_you")
    assert await code(await ask(guest, "off")) == (409, "bot_disabled")
    assert await code(await ask(guest, "none")) == (400, "unknown_bot")
    assert await code(await ask(guest, guest.account["name"])) == (400, "unknown_bot")
    assert await code(await ask(guest, "mine", game="akropolis")) == (400, "bot_cannot_play")
    assert await code(await ask(guest, "trying")) == (403, "bot_in_sandbox")
    assert await code(await ask(stranger, "trying", listed=False)) == (403, "bot_in_sandbox")
    assert (await ask(guest, "trying", listed=False)).status_code == 201
    assert (await stranger.get("/api/bots/trying")).status_code == 404
    twice = {"game": "tides-of-time", "seats": [{"kind": "remote", "bot": "mine"}] * 2}
    assert await code(await guest.post("/api/matches", twice)) == (400, "bot_seated_twice")


async def test_a_seat_shows_the_bot_by_its_name(house, guest):
    made = await register(guest)
    match = await seated(house, guest)
    assert match["status"] == "running"
    seat = match["seats"][1]
    assert (seat["kind"], seat["name"], seat["bot"]) == ("remote", "robo", "robo")
    lines = await house.deps.store.read(match["id"])
    sat = json.loads(lines[2])
    assert (sat["kind"], sat["by"]) == ("seated", sat["holder"]["id"])
    assert made["token"].split(".")[1] in sat["by"]
    listed = (await guest.get("/api/matches")).json()["items"][0]
    assert listed["seats"][1]["bot"] == "robo"


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


async def test_a_poll_waits_for_a_turn(house, guest):
    bot = robot(house, await register(guest))
    waiting = asyncio.create_task(bot.get("/api/bot/turns?wait=20"))
    await asyncio.sleep(0.1)
    assert not waiting.done()
    match = await seated(house, guest)
    async with asyncio.timeout(5):
        answer = await waiting
    assert [turn["match"] for turn in answer.json()["items"]] == [match["id"]]
    assert await code(await bot.get("/api/bot/turns?wait=soon")) == (400, "bad_request")


class Lines:
    def __init__(self, answer):
        self._lines = answer.aiter_lines()

    async def next(self):
        """The next message; empty lines only say that the line is alive."""
        async with asyncio.timeout(10):
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


async def test_a_bot_that_is_taken_away_leaves_its_seats_to_caretakers(house, guest):
    bot = robot(house, await register(guest))
    match = await seated(house, guest)
    assert (await guest.ask("DELETE", "/api/bots/robo")).status_code == 204
    assert (await guest.look(match))["seats"][1]["caretaker"] is True
    assert await code(await bot.get("/api/bot/turns")) == (401, "unauthenticated")
    assert (await guest.get("/api/bots")).json()["items"] == []
    assert (await guest.post("/api/bots", {"name": "robo", **WANTED})).status_code == 201


async def test_bots_go_with_their_owner(house, guest):
    await register(guest)
    assert [bot["name"] for bot in (await guest.get("/api/me/export")).json()["bots"]] == ["robo"]
    assert "whsec" not in (await guest.get("/api/me/export")).text
    assert (await guest.ask("DELETE", "/api/me", json={"confirm": guest.account["name"]})).status_code == 204
    assert (await house.nobody.get("/api/bots")).json()["items"] == []


async def test_a_bot_comes_along_to_a_rematch(house, guest):
    await register(guest)
    match = await seated(house, guest)
    await guest.ask("DELETE", f"/api/matches/{match['id']}/seats/0")
    await guest.ask("PATCH", "/api/bots/robo", json={"enabled": False})
    path = f"/api/matches/{match['id']}/rematch"
    assert await code(await guest.post(path)) == (409, "bot_disabled")
    await guest.ask("PATCH", "/api/bots/robo", json={"enabled": True})
    again = (await guest.post(path)).json()
    assert [seat["name"] for seat in again["seats"]] == ["robo", guest.account["name"]]
    assert again["status"] == "running"
