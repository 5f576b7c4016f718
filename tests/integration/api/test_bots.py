"""Remote bots over the API: registered, shown, changed, seated, and kept to what a bot may do."""

import asyncio
import json
from contextlib import AsyncExitStack

import pytest

from tests.integration.api.botting import WANTED, code, register, robot, seated

pytestmark = pytest.mark.anyio
FIELDS = set(
    "name owner games delivery capacity seating sandbox enabled created mine health".split(),
)
HEALTH = set("last_seen median_answer answered failures last_failure open_turns state".split())


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
        ({"delivery": {"kind": "webhook", "url": "https://10.0.0.1/x"}}, 400, "bad_delivery"),
        ({"delivery": {"kind": "webhook", "url": "https://[fd00::1]/x"}}, 400, "bad_delivery"),
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


@pytest.mark.parametrize("name", ["", "-a", ".", "a b", "á", "\x00"])
async def test_a_name_that_cannot_be_is_refused_in_a_sentence(guest, name):
    answer = await guest.post("/api/bots", {"name": name, **WANTED})
    assert await code(answer) == (400, "bad_name")
    assert answer.json()["detail"].endswith("begins with a letter or a digit.")


async def test_all_bots_are_looked_up_for_all_who_ask(house, guest, monkeypatch):
    """Each takes several questions to the store, and a stranger may ask 500 times a second."""
    for number in range(3):
        await register(guest, name=f"robo{number}")
    everybody, looked = house.deps.bots.all, []

    async def noted():
        looked.append(1)
        return await everybody()

    monkeypatch.setattr(house.deps.bots, "all", noted)
    answers = await asyncio.gather(*(house.nobody.get("/api/bots") for _ in range(20)))
    assert {len(answer.json()["items"]) for answer in answers} == {3}
    assert len(looked) == 1
    page = (await house.nobody.get("/api/bots?limit=2")).json()
    assert ([bot["name"] for bot in page["items"]], page["next"]) == (["robo0", "robo1"], 2)
    rest = (await house.nobody.get("/api/bots?limit=2&after=2")).json()
    assert ([bot["name"] for bot in rest["items"]], rest["next"]) == (["robo2"], None)


async def test_a_change_of_one_s_own_shows_at_once(house, guest):
    other = await house.guest()
    await register(guest)
    assert len((await other.get("/api/bots")).json()["items"]) == 1
    await guest.ask("PATCH", "/api/bots/robo", json={"sandbox": True})
    assert (await other.get("/api/bots")).json()["items"] == []
    assert [bot["sandbox"] for bot in (await guest.get("/api/bots")).json()["items"]] == [True]
    await guest.ask("DELETE", "/api/bots/robo")
    assert (await guest.get("/api/bots")).json()["items"] == []


async def test_bots_that_were_heard_of_come_first(house, guest):
    """Whoever registers hundreds of empty names hides nobody's."""
    for name in ("aaa", "zzz"):
        made = await register(guest, name=name)
    await house.nobody.get("/api/bot/turns?wait=0", headers={"Authorization": f"Bearer {made['token']}"})
    assert [bot["name"] for bot in (await house.nobody.get("/api/bots")).json()["items"]] == ["zzz", "aaa"]


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
    assert (await old.get("/api/bot/turns")).json() == {"items": [], "away": []}
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
        ("POST", "/api/me/name", {"name": "another"}),
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
    for method in ("GET", "PATCH", "DELETE"):
        asked = await stranger.ask(method, "/api/bots/trying", json=None if method == "GET" else {})
        assert await code(asked) == (404, "not_found")
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


async def test_changes_at_once_all_count(house, guest):
    """A new secret must never be lost to somebody who changes something else."""
    await register(guest)
    wishes = [{"rotate": "secret"}, {"capacity": 7}, {"enabled": False}, {"games": ["machi-koro"]}]
    answers = await asyncio.gather(*(guest.ask("PATCH", "/api/bots/robo", json=wish) for wish in wishes))
    assert [answer.status_code for answer in answers] == [200] * 4, [answer.text for answer in answers]
    account = await house.deps.accounts.find("robo")
    bot = await house.deps.bots.get(account.id)
    assert (bot.capacity, bot.enabled, bot.games) == (7, False, ("machi-koro",))
    assert bot.secrets[0].text == answers[0].json()["secret"]


@pytest.mark.parametrize(
    ("settings", "status"), [({}, 201), ({"public_url": "https://games.example.org"}, 400)]
)
async def test_a_webhook_on_this_machine_is_for_a_house_that_nobody_else_reaches(
    deps, wired, open_another, settings, status
):
    strict = wired(**settings)
    async with open_another(strict) as house:
        guest = await house.guest()
        delivery = {"kind": "webhook", "url": "https://127.0.0.1:9/x"}
        answer = await guest.post("/api/bots", {"name": "near", **WANTED, "delivery": delivery})
        assert answer.status_code == status
        assert (status == 201) or "TURNLOG_ALLOW_PRIVATE" in answer.json()["detail"]
    await strict.close()
