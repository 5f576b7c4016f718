"""Passwords, sessions, and one's own data."""

import dataclasses
import json
from datetime import timedelta

import pytest

from infra.outside.mail import Mail
from infra.outside.outward import GuardedHttp
from service.people import account_data
from tests.letterbox import Letterbox, text_of

pytestmark = pytest.mark.anyio
GOOD, BETTER = "a good password", "an even better one"


async def sign_in(house, guest, password):
    known = {"name": guest.account["name"], "password": password}
    return await house.client.post("/api/sessions", json=known)


async def test_a_changed_password_ends_the_other_sessions(house):
    anna = await house.guest(password=GOOD)
    session = (await sign_in(house, anna, GOOD)).json()["token"]
    house.client.cookies.clear()
    wrong = await anna.post("/api/me/password", {"password": BETTER, "current": "no"})
    assert wrong.json()["code"] == "wrong_password"
    short = await anna.post("/api/me/password", {"password": "x", "current": GOOD})
    assert short.json()["code"] == "bad_password"
    assert (await anna.post("/api/me/password", {"password": BETTER, "current": GOOD})).status_code == 204
    gone = await house.nobody.get("/api/me", headers={"Authorization": f"Bearer {session}"})
    assert gone.status_code == 401
    assert (await anna.get("/api/me")).status_code == 200  # a token that was made to last
    assert (await sign_in(house, anna, GOOD)).status_code == 401
    assert (await sign_in(house, anna, BETTER)).status_code == 201


@pytest.mark.parametrize(("choice", "then"), [({}, 401), ({"tokens": "end"}, 401), ({"tokens": "keep"}, 200)])
async def test_a_changed_password_ends_lasting_tokens_unless_they_are_kept(house, choice, then):
    """Whoever had a session for a minute may have made one."""
    anna = await house.guest(password=GOOD)
    made = (await anna.post("/api/me/tokens", {"label": "thief", "scopes": ["play"]})).json()
    wanted = {"password": BETTER, "current": GOOD, **choice}
    assert (await anna.post("/api/me/password", wanted)).status_code == 204
    headers = {"Authorization": f"Bearer {made['token']}"}
    assert (await house.nobody.get("/api/me", headers=headers)).status_code == then
    labels = [token["label"] for token in (await anna.get("/api/me/tokens")).json()["items"]]
    assert labels == (["thief", "first"] if then == 200 else ["first"])  # the one that asked goes on


async def test_deleting_an_account_asks_for_its_password(house):
    anna = await house.guest(password=GOOD)
    name = {"confirm": anna.account["name"]}
    for wrong in ({}, {"password": "another one"}, {"password": ""}):
        answer = await anna.ask("DELETE", "/api/me", json={**name, **wrong})
        assert (answer.status_code, answer.json()["code"]) == (401, "wrong_password")
    assert (await anna.get("/api/me")).status_code == 200
    assert (await anna.ask("DELETE", "/api/me", json={**name, "password": GOOD})).status_code == 204
    assert (await anna.get("/api/me")).status_code == 401


async def test_sessions_are_listed_and_ended_everywhere(house):
    anna = await house.guest(password=GOOD)
    tokens = [(await sign_in(house, anna, GOOD)).json()["token"] for _ in range(3)]
    house.client.cookies.clear()
    assert len((await anna.get("/api/me/sessions")).json()["items"]) == 3
    assert (await anna.ask("DELETE", "/api/me/sessions")).status_code == 204
    assert (await anna.get("/api/me/sessions")).json()["items"] == []
    for token in tokens:
        assert (
            await house.nobody.get("/api/me", headers={"Authorization": f"Bearer {token}"})
        ).status_code == 401


async def test_everything_about_me_may_be_taken_along(house):
    anna, bert = await house.guest(tz="Europe/Prague"), await house.guest()
    match = await anna.open(game="tides-of-time", seats=[{"kind": "me"}, {"kind": "open"}])
    await bert.post(f"/api/matches/{match['id']}/seats/1")
    await house.list_it(match["id"])
    mine = (await anna.get("/api/me/export")).json()
    assert mine["account"]["id"] == anna.account["id"]
    assert mine["times"]["hours"][0]["tz"] == "Europe/Prague"
    assert [one["match"] for one in mine["matches"]] == [match["id"]]
    log = mine["matches"][0]["log"]
    assert '"redacted":true' in log
    assert '"seed"' not in log
    state = (await house.deps.matches.now(match["id"])).state
    for card in state.players[1].hand:
        assert f'"{card}"' not in log


async def test_matches_are_taken_along_one_after_the_other(house, monkeypatch):
    """However many somebody has played, and however long they were: nothing is piled up."""
    anna = await house.guest()
    matches = [await anna.open() for _ in range(3)]
    for match in matches:
        await house.list_it(match["id"])
    read, asked = house.deps.store.read, []

    async def noted(match, *more):
        asked.append(match)
        return await read(match, *more)

    monkeypatch.setattr(house.deps.store, "read", noted)
    account = await house.deps.accounts.get(anna.account["id"])
    pieces, known = b"", []
    async for piece in account_data.export(house.deps, account):
        pieces += piece
        known.append(len(set(asked)))
    assert known == [0, 1, 2, 3, 3]
    assert {one["match"] for one in json.loads(pieces)["matches"]} == {match["id"] for match in matches}


async def test_channels_are_taken_along_with_their_addresses_but_not_their_secrets(house, open_another):
    async with open_another(dataclasses.replace(house.deps, outward=GuardedHttp(lenient=True))) as house:
        anna = await house.guest()
        made = {"kind": "ntfy", "url": "http://127.0.0.1:9/topic", "token": "very-secret"}
        assert (await anna.ask("PUT", "/api/me/channels/phone", json=made)).status_code == 200
        export = await anna.get("/api/me/export")
        [channel] = export.json()["channels"]
        assert (channel["name"], channel["url"]) == ("phone", made["url"])
        assert "very-secret" not in export.text


async def test_a_deleted_account_leaves_an_opaque_id_and_a_caretaker(house):
    anna, bert = await house.guest(), await house.guest()
    match = await anna.open(game="tides-of-time", seats=[{"kind": "me"}, {"kind": "open"}])
    await bert.post(f"/api/matches/{match['id']}/seats/1")
    await house.list_it(match["id"])
    assert (await anna.ask("DELETE", "/api/me", json={"confirm": "somebody"})).json()["code"] == "bad_request"
    gone = await anna.ask("DELETE", "/api/me", json={"confirm": anna.account["name"]})
    assert gone.status_code == 204
    assert (await anna.get("/api/me")).status_code == 401
    after = await bert.look(match)
    assert after["seats"][0]["caretaker"] is True
    assert after["seats"][0]["name"] == "Somebody"
    assert anna.account["name"] not in (await bert.get(f"/api/matches/{match['id']}/log")).text
    keys = [key async for key in house.deps.client.scan_iter(match=f"*{anna.account['id']}*")]
    assert all(key.startswith(b"tl:{l:") for key in keys)  # lists of matches know the opaque id


async def test_a_forgotten_password_is_replaced_by_a_mailed_link_once(house, open_another):
    assert (await house.nobody.post("/api/recovery", {"name": "x"})).json()["code"] == "no_mail"
    with Letterbox() as box:
        deps = dataclasses.replace(house.deps, mail=Mail(box.url, "house@example.org"))
        async with open_another(deps) as mailing:
            anna = await mailing.guest(password=GOOD)
            await anna.ask("PUT", "/api/me/channels/mail", json={"kind": "email", "address": "a@example.org"})
            unconfirmed = await mailing.nobody.post("/api/recovery", {"name": anna.account["name"]})
            assert (unconfirmed.status_code, len(box.letters)) == (202, 1)
            token = text_of(box.letters[0]).split("/api/confirm/")[1].split()[0]
            await mailing.nobody.post(f"/api/confirm/{token}")
            nobody = await mailing.nobody.post("/api/recovery", {"name": "nobody at all"})
            asked = await mailing.nobody.post("/api/recovery", {"name": anna.account["name"]})
            assert asked.content == nobody.content
            link = text_of(box.letters[1]).split("/recovery/")[1].split()[0]
            bad = await mailing.nobody.post(f"/api/recovery/{link}x", {"password": BETTER})
            assert bad.json()["code"] == "bad_link"
            later = house.deps.now() + timedelta(hours=1)
            async with open_another(dataclasses.replace(deps, now=lambda: later)) as too_late:
                old = await too_late.nobody.post(f"/api/recovery/{link}", {"password": BETTER})
                assert old.json()["code"] == "bad_link"
            assert (await mailing.nobody.get(f"/recovery/{link}")).status_code == 200  # a page to choose it
            done = await mailing.nobody.post(f"/api/recovery/{link}", {"password": BETTER})
            assert done.status_code == 204
            assert (await anna.get("/api/me")).status_code == 401  # lasting tokens ended with it
            again = await mailing.nobody.post(f"/api/recovery/{link}", {"password": GOOD})
            assert again.json()["code"] == "bad_link"
            assert (await sign_in(mailing, anna, BETTER)).status_code == 201
