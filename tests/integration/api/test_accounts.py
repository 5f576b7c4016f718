"""Accounts, sessions, tokens and settings."""

import pytest

pytestmark = pytest.mark.anyio

PASSWORD = "correct horse"


async def test_a_guest_gets_an_account_and_a_token(house):
    answer = await house.nobody.post("/api/accounts", {"name": "Ann", "locale": "cs", "tz": "Europe/Prague"})
    assert answer.status_code == 201
    account = answer.json()["account"]
    assert account["name"] == "Ann"
    assert account["guest"] is True
    assert account["created"].endswith("Z")
    assert answer.json()["token"].startswith("tl.")
    assert "set-cookie" not in answer.headers


async def test_me_shows_the_account(guest):
    me = (await guest.get("/api/me")).json()
    assert me["id"] == guest.account["id"]
    assert me["csrf"] is None  # a token needs none


async def test_settings_change_and_go(guest):
    wanted = {"locale": "cs", "quiet_hours": {"from": "22:00", "to": "07:00"}}
    me = (await guest.ask("PATCH", "/api/me", json=wanted)).json()
    assert (me["locale"], me["quiet_hours"]) == ("cs", wanted["quiet_hours"])
    me = (await guest.ask("PATCH", "/api/me", json={"locale": None})).json()
    assert (me["locale"], me["quiet_hours"]) == (None, wanted["quiet_hours"])
    assert (await guest.get("/api/me")).json()["locale"] is None


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        ({"locale": "de"}, "bad_request"),
        ({"tz": "Mars/Olympus"}, "bad_setting"),
        ({"tz": "../../etc/passwd"}, "bad_setting"),
        ({"quiet_hours": {"from": "25:00", "to": "07:00"}}, "bad_request"),
        ({"name": "Another"}, "bad_request"),
    ],
)
async def test_settings_that_make_no_sense(guest, wanted, code):
    answer = await guest.ask("PATCH", "/api/me", json=wanted)
    assert (answer.status_code, answer.json()["code"]) == (400, code)


async def test_a_guest_claims_the_account_once(house, guest):
    assert (await guest.post("/api/me/claim", {"password": PASSWORD})).json()["guest"] is False
    again = await guest.post("/api/me/claim", {"password": PASSWORD})
    assert (again.status_code, again.json()["code"]) == (409, "not_a_guest")
    signed_in = await house.nobody.post(
        "/api/sessions", {"name": guest.account["name"], "password": PASSWORD}
    )
    assert signed_in.status_code == 201


@pytest.mark.parametrize("password", ["short", "x" * 257])
async def test_passwords_have_a_length(house, password):
    answer = await house.nobody.post("/api/accounts", {"name": "Ann", "password": password})
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_password")
    assert (await house.nobody.post("/api/accounts", {"name": "Ann"})).status_code == 201


async def test_wrong_passwords_and_unknown_names_read_the_same(house):
    await house.guest(name="Bob", password=PASSWORD)
    bodies = [
        (await house.nobody.post("/api/sessions", {"name": name, "password": password})).json()
        for name, password in [("Bob", "wrong horse"), ("Nobody", PASSWORD), ("Bob", "x" * 1000)]
    ]
    assert {body["code"] for body in bodies} == {"wrong_password"}
    assert bodies[0] == bodies[1] == bodies[2]


async def test_tokens_are_made_listed_and_ended(house, guest):
    made = (await guest.post("/api/me/tokens", {"label": "script", "scopes": ["read"]})).json()
    listed = (await guest.get("/api/me/tokens")).json()["items"]
    assert {token["label"] for token in listed} == {"first", "script"}
    assert [token["current"] for token in listed if token["label"] == "first"] == [True]
    assert made["token"] not in str(listed)
    bearer = {"Authorization": f"Bearer {made['token']}"}
    assert (await house.nobody.get("/api/me", headers=bearer)).status_code == 200
    assert (await guest.ask("DELETE", f"/api/me/tokens/{made['id']}")).status_code == 204
    assert (await house.nobody.get("/api/me", headers=bearer)).status_code == 401  # at once
    assert (await guest.ask("DELETE", f"/api/me/tokens/{made['id']}")).status_code == 404


async def test_a_token_does_no_more_than_its_scopes(house, guest):
    made = (await guest.post("/api/me/tokens", {"label": "r", "scopes": ["read"]})).json()
    bearer = {"Authorization": f"Bearer {made['token']}"}
    for method, path, body in [
        ("POST", "/api/matches", {"game": "tides-of-time", "seats": []}),
        ("GET", "/api/me/tokens", None),
        ("PATCH", "/api/me", {}),
    ]:
        answer = await house.nobody.ask(method, path, json=body, headers=bearer)
        assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
    assert (await house.nobody.get("/api/matches", headers=bearer)).status_code == 200


async def test_a_token_cannot_make_a_stronger_one(house, guest):
    made = (await guest.post("/api/me/tokens", {"label": "a", "scopes": ["account"]})).json()
    bearer = {"Authorization": f"Bearer {made['token']}"}
    wanted = {"label": "b", "scopes": ["account", "play"]}
    answer = await house.nobody.post("/api/me/tokens", wanted, headers=bearer)
    assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")


async def test_turns_are_where_i_am_to_act(house, guest):
    match = await guest.open()
    assert (await guest.get("/api/me/turns")).json() == {"items": []}  # the relay has not been here
    await house.list_it(match["id"])
    (turn,) = (await guest.get("/api/me/turns")).json()["items"]
    assert turn["match"]["id"] == match["id"]
    assert (turn["seat"], turn["since"], turn["deadline"]) == (0, match["seq"], None)
