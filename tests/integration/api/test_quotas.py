"""What a guest can do a thousand times on purpose, and is told to stop doing."""

import asyncio
import dataclasses
from datetime import timedelta

import pytest

from infra.outside.mail import Mail
from infra.outside.outward import GuardedHttp
from infra.people.quotas import Quotas
from infra.process.bounds import Bounds
from infra.process.settings import Settings
from service.bootstrap import now as real_now
from tests.letterbox import Letterbox, Receiver

pytestmark = pytest.mark.anyio
OPEN = {"game": "machi-koro", "seats": [{"kind": "me"}, {"kind": "open"}]}
GOOD = "a good password"


@pytest.fixture
async def bounded(deps, open_another):
    """A house with chosen bounds, the rest wide."""
    houses = []

    async def make(now=None, **bounds):
        settings = dataclasses.replace(deps.settings, bounds=dataclasses.replace(Bounds.wide(), **bounds))
        quotas = Quotas(deps.client, lambda: (now or deps.now)().timestamp())
        fresh = dataclasses.replace(deps, settings=settings, now=now or deps.now, quotas=quotas)
        context = open_another(fresh)
        houses.append(context)
        return await context.__aenter__()

    yield make
    for context in houses:
        await context.__aexit__(None, None, None)


def refused(answer, code, status=429):
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
    if status == 429:
        assert int(answer.headers["retry-after"]) > 0
    return True


async def test_accounts_of_one_address(bounded):
    house = await bounded(accounts_hour=3)
    first = await house.guest()
    taken = await house.nobody.post("/api/accounts", {"name": first.account["name"]})
    assert taken.json()["code"] == "name_taken"  # nothing was made: nothing is counted
    for _ in range(2):
        await house.guest()
    answer = await house.nobody.post("/api/accounts", {"name": "one too many"})
    refused(answer, "too_many_accounts")
    czech = await house.nobody.post(
        "/api/accounts", {"name": "one too many"}, headers={"Accept-Language": "cs"}
    )
    assert "nejvýše 3 účtů" in czech.json()["detail"]
    assert await house.deps.accounts.find("one too many") is None


async def test_accounts_of_one_address_in_a_day(bounded):
    house = await bounded(accounts_day=2)
    for _ in range(2):
        await house.guest()
    refused(await house.nobody.post("/api/accounts", {"name": "one too many"}), "too_many_accounts")


async def test_tables_that_are_not_over(bounded):
    house = await bounded(guest_tables=2, tables=3)
    anna, bert = await house.guest(), await house.guest(password=GOOD)
    for guest, most in ((anna, 2), (bert, 3)):
        opened = [await guest.open(**OPEN) for _ in range(most)]
        for _ in range(2):
            refused(await guest.post("/api/matches", OPEN), "too_many_open_tables", 409)
        await guest.post(f"/api/matches/{opened[0]['id']}/cancel")
        await house.list_it(opened[0]["id"])
        await guest.open(**OPEN)
        refused(await guest.post("/api/matches", OPEN), "too_many_open_tables", 409)


async def test_many_at_once_do_not_slip_through(bounded):
    house = await bounded(guest_tables=5)
    anna = await house.guest()
    answers = await asyncio.gather(*(anna.post("/api/matches", OPEN) for _ in range(30)))
    made = [answer for answer in answers if answer.status_code == 201]
    assert 1 <= len(made) <= 5
    assert {a.json()["code"] for a in answers if a not in made} == {"too_many_open_tables"}


async def test_tables_in_an_hour_and_what_was_refused_is_not_counted(bounded):
    house = await bounded(guest_tables_hour=3)
    anna = await house.guest()
    for _ in range(5):
        assert (await anna.post("/api/matches", {**OPEN, "game": "chess"})).status_code == 404
    match = await anna.open(**OPEN)
    bert = await house.guest()
    started = (await bert.post(f"/api/matches/{match['id']}/seats/1")).json()
    fork = {"at": started["seq"], "seats": [{"kind": "me"}, {"kind": "bot", "bot": "random"}]}
    assert (await anna.post(f"/api/matches/{match['id']}/fork", fork)).status_code == 201
    await anna.ask("DELETE", f"/api/matches/{match['id']}/seats/0")
    assert (await anna.post(f"/api/matches/{match['id']}/rematch")).status_code == 200
    refused(await anna.post("/api/matches", OPEN), "too_many_tables")
    refused(await anna.post(f"/api/matches/{match['id']}/fork", fork), "too_many_tables")
    refused(await anna.post(f"/api/matches/{match['id']}/rematch"), "too_many_tables")


async def test_asking_for_many_tokens_at_once_brings_no_more(bounded):
    house = await bounded(tokens=3)
    anna = await house.guest()
    wanted = {"label": 'a "kind":"token" of its own', "scopes": ["read"]}
    asked = await asyncio.gather(*(anna.post("/api/me/tokens", wanted) for _ in range(20)))
    assert sorted(answer.status_code for answer in asked) == [201] * 2 + [409] * 18, (
        "the first came with the account"
    )


async def test_lasting_tokens_and_bots(bounded):
    house = await bounded(tokens=3, guest_bots=1, bots=2)
    anna, bert = await house.guest(), await house.guest(password=GOOD)
    wanted = {"label": "script", "scopes": ["read"]}
    for _ in range(2):  # the first was made with the account
        assert (await anna.post("/api/me/tokens", wanted)).status_code == 201
    refused(await anna.post("/api/me/tokens", wanted), "too_many", 409)
    for guest, most in ((anna, 1), (bert, 2)):
        for number in range(most + 1):
            bot = {"name": f"b{most}{number}", "games": ["akropolis"], "delivery": {"kind": "poll"}}
            answer = await guest.post("/api/bots", bot)
            assert answer.status_code == 201 if number < most else refused(answer, "too_many", 409)


async def test_the_oldest_session_ends_for_the_next(bounded):
    house = await bounded(sessions=2)
    anna = await house.guest(password=GOOD)
    known = {"name": anna.account["name"], "password": GOOD}
    tokens = [(await house.client.post("/api/sessions", json=known)).json()["token"] for _ in range(3)]
    house.client.cookies.clear()
    seen = [
        (await house.nobody.get("/api/me", headers={"Authorization": f"Bearer {token}"})).status_code
        for token in tokens
    ]
    assert seen == [401, 200, 200]


async def test_letters_that_somebody_has_us_send(bounded, open_another):
    house = await bounded(letters_day=4, letters_to_day=2)
    with Letterbox() as box, Receiver() as receiver:
        deps = dataclasses.replace(
            house.deps, mail=Mail(box.url, "house@example.org"), outward=GuardedHttp(lenient=True)
        )
        async with open_another(deps) as mailing:
            anna, bert = await mailing.guest(), await mailing.guest()
            victim = {"kind": "email", "address": "victim@example.org"}
            for _ in range(2):
                assert (await anna.ask("PUT", "/api/me/channels/a", json=victim)).status_code == 200
            refused(await anna.post("/api/me/channels/a/test"), "too_many_letters")
            louder = {**victim, "address": "VICTIM@example.org"}
            refused(await bert.ask("PUT", "/api/me/channels/b", json=louder), "too_many_letters")
            assert (await bert.get("/api/me/channels")).json()["items"] == []
            assert len(box.letters) == 2
            hook = {"kind": "webhook", "url": receiver.url}
            assert (await anna.ask("PUT", "/api/me/channels/h", json=hook)).status_code == 200
            assert (await anna.post("/api/me/channels/h/test")).status_code == 200
            refused(await anna.post("/api/me/channels/h/test"), "too_many_letters")
            assert len(receiver.requests) == 1


async def test_recoveries(bounded, open_another):
    house = await bounded(recoveries_hour=2, recoveries_address_hour=5)
    deps = dataclasses.replace(house.deps, mail=Mail("smtp://127.0.0.1:9", "house@example.org"))
    async with open_another(deps) as mailing:
        for name in ("Nobody", "nobody"):
            assert (await mailing.nobody.post("/api/recovery", {"name": name})).status_code == 202
        refused(await mailing.nobody.post("/api/recovery", {"name": "NOBODY"}), "too_many_recoveries")
        for name in ("a", "b"):
            assert (await mailing.nobody.post("/api/recovery", {"name": name})).status_code == 202
        refused(await mailing.nobody.post("/api/recovery", {"name": "c"}), "too_many_recoveries")


async def sign_in(house, name, password, cookies=None):
    answer = await house.client.post(
        "/api/sessions", json={"name": name, "password": password}, headers=cookies or {}
    )
    house.client.cookies.clear()
    return answer


async def test_guessers_wait_longer_and_longer_and_the_owner_does_not(bounded):
    late = {"s": 0}
    house = await bounded(now=lambda: real_now() + timedelta(seconds=late["s"]), sign_ins=5)
    anna = await house.guest(password=GOOD)
    name = anna.account["name"]
    first = await sign_in(house, name, GOOD)
    device = f"turnlog_device={first.cookies.get('turnlog_device')}"
    guesses = await asyncio.gather(*(sign_in(house, name, f"guess {n}") for n in range(40)))
    assert sorted({a.status_code for a in guesses}) == [401, 429]
    assert sum(a.status_code == 401 for a in guesses) == 5
    refused(await sign_in(house, name, GOOD), "too_many_attempts")  # from where the guesses come
    assert (await sign_in(house, name, GOOD, {"Cookie": device})).status_code == 201
    foreign = f"turnlog_device={house.app.authenticator.device('somebody else')}"
    refused(await sign_in(house, name, GOOD, {"Cookie": foreign}), "too_many_attempts")
    late["s"] = 2
    assert (await sign_in(house, name, GOOD)).status_code == 201


async def test_many_names_from_one_address(bounded):
    house = await bounded(sign_ins_address=3)
    for name in "abc":
        assert (await sign_in(house, name, "wrong one")).status_code == 401
    refused(await sign_in(house, "d", "wrong one"), "too_many_attempts")


async def test_one_name_from_everywhere(bounded):
    house = await bounded(sign_ins_name=2)
    for _ in range(2):
        assert (await sign_in(house, "x", "wrong one")).status_code == 401
    answer = await sign_in(house, "X", "wrong one")
    refused(answer, "too_many_attempts")
    assert int(answer.headers["retry-after"]) <= 30


async def test_the_own_password_is_no_oracle_for_whoever_found_a_session_open(bounded):
    house = await bounded(sign_ins=3)
    anna = await house.guest(password=GOOD)
    for n in range(3):
        answer = await anna.ask(
            "DELETE", "/api/me", json={"confirm": anna.account["name"], "password": f"guess {n}"}
        )
        assert answer.json()["code"] == "wrong_password"
    wanted = {"password": "another password", "current": GOOD}
    refused(await anna.post("/api/me/password", wanted), "too_many_attempts")


async def test_imports_words_exports_and_settings(bounded):
    house = await bounded(imports_day=1, words_hour=1, exports_hour=1, settings_day=1)
    anna = await house.guest()
    match = await anna.open(**OPEN)
    assert (await anna.ask("POST", "/api/import", content=b"nothing")).status_code == 400
    refused(await anna.ask("POST", "/api/import", content=b"nothing"), "too_often")
    say = f"/api/matches/{match['id']}/chat"
    assert (await anna.post(say, {"text": "hello"})).status_code == 201
    refused(await anna.post(say, {"text": "hello"}), "too_often")
    assert (await anna.get("/api/me/export")).status_code == 200
    refused(await anna.get("/api/me/export"), "too_often")
    assert (await anna.ask("PATCH", "/api/me", json={"tz": "Europe/Prague"})).status_code == 200
    refused(await anna.ask("PATCH", "/api/me", json={"vacation": None}), "too_often")


async def test_a_new_name_does_not_bring_new_imports(bounded):
    """A log may be 4 MiB, and an address makes a thousand guests a day."""
    house = await bounded(imports_address_day=2)
    for _ in range(2):
        assert (await (await house.guest()).ask("POST", "/api/import", content=b"nothing")).status_code == 400
    refused(await (await house.guest()).ask("POST", "/api/import", content=b"nothing"), "too_often")


def test_every_bound_is_a_setting_with_a_name():
    env = {name: str(10 + number) for number, name in enumerate(Bounds.names().values())}
    chosen = Settings.from_env(env).bounds
    assert dataclasses.astuple(chosen) == tuple(range(10, 10 + len(env)))
    assert Settings.from_env({}).bounds == Bounds()
    with pytest.raises(ValueError, match=r"^TURNLOG_QUOTA_TOKENS must .*\.$"):
        Settings.from_env({"TURNLOG_QUOTA_TOKENS": "many"})
