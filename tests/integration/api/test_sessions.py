"""Who is asking: bearer tokens, cookies, and the CSRF token that goes with a cookie."""

import dataclasses
import time

import pytest

from infra.people.tokens import Tokens

pytestmark = pytest.mark.anyio

ANN = {"name": "Ann", "password": "correct horse"}


@pytest.fixture
async def page(house):
    """The page of somebody who signed in: a client that keeps cookies."""
    await house.guest(**ANN)
    answer = await house.client.post("/api/sessions", json=ANN)
    assert answer.status_code == 201
    return house.client


async def test_the_session_cookie_is_closed_to_scripts(house):
    await house.guest(**ANN)
    answer = await house.client.post("/api/sessions", json=ANN)
    session, csrf, device = answer.headers.get_list("set-cookie")
    assert session.startswith("turnlog_session=")
    assert "HttpOnly" in session
    assert "HttpOnly" not in csrf
    assert "HttpOnly" in device
    assert "Path=/api/sessions" in device  # it goes along only when somebody signs in
    for cookie in (session, csrf, device):
        assert "samesite=lax" in cookie.lower()
        assert "secure" not in cookie.lower()


async def test_cookies_are_secure_where_the_address_is(wired, deps, open_another):
    async with open_another(wired(public_url="https://games.example.org")) as house:
        answer = await house.client.post("/api/accounts", json={**ANN, "session": True})
        assert answer.status_code == 201
        assert all("secure" in cookie.lower() for cookie in answer.headers.get_list("set-cookie"))
        assert answer.headers["strict-transport-security"]
        await house.deps.close()


async def test_a_cookie_reads_without_and_writes_with_a_csrf_token(page):
    me = await page.get("/api/me")
    assert me.status_code == 200
    assert me.json()["csrf"] == page.cookies["turnlog_csrf"]
    wanted = {"game": "tides-of-time", "seats": [{"kind": "me"}, {"kind": "open"}]}
    for headers in ({}, {"X-CSRF-Token": "guess"}, {"X-CSRF-Token": "ž".encode()}):
        refused = await page.post("/api/matches", json=wanted, headers=headers)
        assert (refused.status_code, refused.json()["code"]) == (403, "csrf")
    done = await page.post("/api/matches", json=wanted, headers={"X-CSRF-Token": me.json()["csrf"]})
    assert done.status_code == 201


async def test_the_hot_path_asks_for_the_csrf_token_too(page):
    csrf = {"X-CSRF-Token": page.cookies["turnlog_csrf"]}
    wanted = {"game": "tides-of-time", "seats": [{"kind": "me"}, {"kind": "bot", "bot": "random"}]}
    match = (await page.post("/api/matches", json=wanted, headers=csrf)).json()
    body = {"seq": match["seq"], "action": match["legal"][0]}
    path = f"/api/matches/{match['id']}/actions"
    assert (await page.post(path, json=body)).json()["code"] == "csrf"
    assert (await page.post(path, json=body, headers=csrf)).status_code == 200


async def test_the_token_of_one_session_does_not_fit_another(house, page):
    csrf = page.cookies["turnlog_csrf"]
    await house.client.post("/api/sessions", json=ANN)  # a second session, a new cookie
    refused = await page.patch("/api/me", json={}, headers={"X-CSRF-Token": csrf})
    assert refused.json()["code"] == "csrf"


async def test_signing_out_ends_the_session(page):
    token = page.cookies["turnlog_session"]
    csrf = {"X-CSRF-Token": page.cookies["turnlog_csrf"]}
    assert (await page.delete("/api/sessions", headers=csrf)).status_code == 204
    assert "turnlog_session" not in page.cookies
    answer = await page.get("/api/me", headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 401


async def test_other_sites_cannot_sign_anybody_in(house):
    await house.guest(**ANN)
    answer = await house.client.post("/api/sessions", json=ANN, headers={"Sec-Fetch-Site": "cross-site"})
    assert (answer.status_code, answer.json()["code"]) == (403, "csrf")


@pytest.mark.parametrize(
    "credentials",
    ["Bearer nonsense", "Bearer tl.a.b." + "x" * 43, "Basic YW5uOnB3", "Bearer", "", b"Bearer \xff\xfe"],
)
async def test_a_token_that_does_not_hold_is_refused_even_where_none_is_needed(house, credentials):
    answer = await house.nobody.get("/api/matches", headers={"Authorization": credentials})
    assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated")
    assert answer.headers["www-authenticate"] == "Bearer"


async def test_an_expired_token_is_refused(deps, open_another):
    clock = [time.time()]
    tokens = Tokens(deps.client, lambda: clock[0])
    async with open_another(dataclasses.replace(deps, tokens=tokens)) as house:
        guest = await house.guest()
        _, secret = await tokens.issue(guest.account["id"], "short", ["read"], ttl=60)
        bearer = {"Authorization": f"Bearer {secret}"}
        clock[0] += 61
        answer = await house.nobody.get("/api/me", headers=bearer)
        assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated")


async def test_a_token_with_another_random_part_is_foreign(guest, house):
    forged = guest.token[:-43] + "A" * 43
    answer = await house.nobody.get("/api/me", headers={"Authorization": f"Bearer {forged}"})
    assert answer.status_code == 401


async def test_an_old_cookie_is_nobody(house):
    cookie = {"Cookie": "turnlog_session=tl.a.b." + "x" * 43}
    assert (await house.nobody.get("/api/matches", headers=cookie)).status_code == 200
    assert (await house.nobody.get("/api/me", headers=cookie)).status_code == 401


async def test_the_language_is_the_accounts_own_else_the_readers(house):
    czech = await house.guest(locale="cs")
    either = await house.guest()
    english, other = {"Accept-Language": "en"}, {"Accept-Language": "fr, cs;q=0.5"}
    path = "/api/matches/nothing"
    assert "adrese" in (await czech.get(path, headers=english)).json()["detail"]
    assert "adrese" in (await either.get(path, headers=other)).json()["detail"]
    assert "nothing" in (await either.get(path, headers=english)).json()["detail"]
