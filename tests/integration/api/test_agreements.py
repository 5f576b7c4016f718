"""Undo, tenure, agreements, invitations, rematches and blocks over HTTP."""

import pytest

from engine.proof.verify import read, verify
from service.commands import actions, rematches, restraint

pytestmark = pytest.mark.anyio
PEOPLE = {"game": "machi-koro", "seats": [{"kind": "me"}, {"kind": "open"}]}


async def sat_down(house, guests=2, **wanted):
    people = [await house.guest() for _ in range(guests)]
    seats = [{"kind": "me"}] + [{"kind": "open"}] * (guests - 1)
    match = await people[0].open(**{"game": "machi-koro", "seats": seats, **wanted})
    for seat, guest in enumerate(people[1:], 1):
        await guest.post(f"/api/matches/{match['id']}/seats/{seat}")
    return people, match


async def post(guest, match, path, body=None):
    return await guest.post(f"/api/matches/{match['id']}/{path}", body)


async def test_a_free_undo_is_done_at_once(house):
    (anna, _), match = await sat_down(house, game="tides-of-time")
    match = await anna.look(match)
    after = (await anna.act(match)).json()
    assert after["undo"] == {"to": match["seq"], "first": match["seq"]}
    back = await post(anna, match, "undo", {"seq": after["seq"], **{"to": after["undo"]["to"]}})
    assert back.status_code == 200
    assert back.json()["view"] == match["view"]
    assert back.json()["assisted"] is False
    taken_back = await anna.look(match, f"?at={after['seq']}")
    assert taken_back["view"] == after["view"]


async def test_a_question_is_answered_by_the_others(house):
    (anna, bert), match = await sat_down(house)
    match = await anna.look(match)
    asker, other = (anna, bert) if match["to_act"] == [0] else (bert, anna)
    before = await asker.look(match)
    after = (await asker.act(before)).json()  # dice: revealed
    body = {"seq": after["seq"], "to": before["seq"]}
    asked = await post(asker, match, "undo", body)
    assert asked.status_code == 202
    assert asked.json()["asked"] == {
        "seat": before["you"], "to": before["seq"], "waiting": [1 - before["you"]],
    }  # fmt: skip
    assert (await post(asker, match, "undo/answer", {"agree": True})).json()["code"] == "nothing_asked"
    no = await post(other, match, "undo/answer", {"agree": False})
    assert no.status_code == 200
    assert no.json()["asked"] is None
    await post(asker, match, "undo", {**body, "seq": no.json()["seq"]})
    yes = (await post(other, match, "undo/answer", {"agree": True})).json()
    assert yes["assisted"] is True
    assert (await asker.look(match))["view"] == before["view"]


async def test_nobody_fills_a_log_by_changing_their_mind(house, monkeypatch):
    """The share of one who takes back and votes without end is used up; nobody else's is, and it can end."""
    monkeypatch.setattr(restraint, "MAX_CHANGES", 12)
    (anna, bert), match = await sat_down(house, game="tides-of-time")
    for _ in range(6):
        before = await anna.look(match)
        after = (await anna.act(before)).json()
        assert (
            await post(anna, match, "undo", {"seq": after["seq"], "to": before["seq"]})
        ).status_code == 200
    before = await anna.look(match)
    after = (await anna.act(before)).json()
    refused = await post(anna, match, "undo", {"seq": after["seq"], "to": before["seq"]})
    assert (refused.status_code, refused.json()["code"]) == (409, "changed_too_often")
    assert (await post(anna, match, "pause")).json()["code"] == "changed_too_often"
    assert (await post(bert, match, "pause")).status_code == 202
    assert (await bert.act(await bert.look(match))).status_code == 200
    assert (await post(anna, match, "abandon")).status_code == 202
    assert (await post(anna, match, "abandon", {"agree": False})).json()["code"] == "changed_too_often"
    assert (await post(bert, match, "abandon")).json()["status"] == "finished"


async def test_a_match_that_became_too_long_only_goes_to_its_end(house, monkeypatch):
    (anna, bert), match = await sat_down(house, game="tides-of-time")
    chosen = (await anna.act(await anna.look(match))).json()
    assert chosen["may_act"] == [0]
    monkeypatch.setattr(restraint, "LONG_MATCH", chosen["seq"])
    monkeypatch.setattr(actions, "LONG_MATCH", chosen["seq"])
    for refused in (
        await anna.act(await anna.look(match), chosen["legal"][-1]),
        await post(anna, match, "undo", {"seq": chosen["seq"], "to": chosen["seq"] - 1}),
        await post(bert, match, "pause"),
    ):
        assert (refused.status_code, refused.json()["code"]) == (409, "changed_too_often")
    assert (await bert.act(await bert.look(match))).status_code == 200


async def test_what_undo_refuses(house):
    (anna, _), match = await sat_down(house)
    stranger = await house.guest()
    match = await anna.look(match)
    for guest, body, code in [
        (stranger, {"seq": match["seq"], "to": 2}, "not_your_seat"),
        (anna, {"seq": match["seq"], "to": match["seq"]}, "nothing_to_undo"),
        (anna, {"seq": match["seq"], "to": 0}, "nothing_to_undo"),
        (anna, {"seq": match["seq"], "to": 999}, "nothing_to_undo"),
        (anna, {"seq": match["seq"] - 1, "to": 3}, "stale_seq"),
        (anna, {"seq": -1, "to": 3}, "bad_request"),
        (anna, {"to": 3}, "bad_request"),
    ]:
        assert (await post(guest, match, "undo", body)).json()["code"] == code
    assert await house.length(match) == match["seq"]


async def test_pause_resume_and_abandon_need_agreement(house):
    (anna, bert), match = await sat_down(house)
    assert (await post(anna, match, "pause")).status_code == 202
    assert (await post(bert, match, "pause")).json()["agreed"]["paused"] is True
    assert (await post(anna, match, "resume")).json()["agreed"]["paused"] is False
    assert (await post(anna, match, "resume")).json()["code"] == "not_paused"
    assert (await post(anna, match, "abandon")).status_code == 202
    back = await post(anna, match, "abandon", {"agree": False})
    assert back.json()["agreed"]["abandon"] == []
    await post(anna, match, "abandon")
    over = (await post(bert, match, "abandon")).json()
    assert (over["status"], over["result"]["how"], over["result"]["winners"]) == ("finished", "abandoned", [])
    assert (await post(bert, match, "abandon")).json()["code"] == "not_running"


async def test_a_substitute_steps_in_by_invitation(house):
    (_, bert, _), match = await sat_down(house, guests=3)
    eve, mallory = await house.guest(), await house.guest()
    assert (await post(bert, match, "seats/1/invite")).json()["code"] == "not_open"  # he sits there himself
    assert (await post(bert, match, "seats/1/leave")).json()["seats"][1]["caretaker"] is True
    assert (await post(mallory, match, "seats/1/invite")).json()["code"] == "forbidden"
    code = (await post(bert, match, "seats/1/invite")).json()["code"]
    assert (await post(mallory, match, "seats/1", {"invite": "0" * 24})).json()["code"] == "wrong_invite"
    seat = (await post(eve, match, "seats/1", {"invite": code})).json()
    assert (seat["you"], seat["seats"][1]["substitute"]) == (1, True)
    twice = await post(mallory, match, "seats/1", {"invite": code})
    assert twice.json()["code"] == "wrong_invite"  # it was for one person
    back = (await post(bert, match, "seats/1")).json()
    assert [part["why"] for part in back["seats"][1]["parts"]] == ["seated", "left", "substitute", "returned"]
    assert back["seats"][1]["parts"][2]["name"] == eve.account["name"]
    assert (await eve.look(match))["you"] is None


async def test_who_opened_the_table_finds_a_substitute_only_for_a_deserted_seat(house):
    (anna, bert, _), match = await sat_down(house, guests=3)
    eve = await house.guest()
    refused = await post(anna, match, "seats/1/invite")
    assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")
    await post(bert, match, "seats/1/leave")
    given = (await post(anna, match, "seats/1/invite")).json()
    assert given["invite"].endswith(f"/matches/{match['id']}/seats/1?invite={given['code']}")
    page = await eve.get(given["invite"].partition("/matches")[1] + given["invite"].partition("/matches")[2])
    assert page.headers["content-type"].startswith("text/html")
    await post(eve, match, "seats/1", {"invite": given["code"]})
    assert (await post(anna, match, "seats/1/invite")).json()["code"] == "forbidden"  # somebody plays there
    await post(bert, match, "seats/1")
    await bert.ask("DELETE", f"/api/matches/{match['id']}/seats/1")
    assert (await post(anna, match, "seats/1/invite")).json()["code"] == "forbidden"  # given up for good


async def test_a_link_seats_whoever_opens_it(house):
    anna, bert, eve = [await house.guest() for _ in range(3)]
    match = await anna.open(game="machi-koro", seats=[{"kind": "me"}, {"kind": "invite"}], listed=False)
    code = match["invite"].partition("invite=")[2]
    assert (await post(bert, match, "seats")).status_code == 404
    assert (await post(bert, match, "seats", {"invite": code + "0"})).status_code == 404
    sat = await post(bert, match, "seats", {"invite": code})
    assert (sat.json()["you"], sat.json()["status"]) == (1, "running")
    assert (await post(bert, match, "seats", {"invite": code})).json()["code"] == "already_seated"
    assert (await post(eve, match, "seats", {"invite": code})).json()["code"] == "not_open"


async def test_a_nonce_too_long_is_refused(house):
    (anna, _), _ = await sat_down(house)
    match = await anna.open(**PEOPLE)
    for nonce in ("x" * 65, "a,b", "a\nb"):
        answer = await post(anna, match, "seats/0", {"nonce": nonce})
        assert answer.status_code == 400
    assert await house.length(match) == match["seq"]


async def test_a_rematch_rotates_the_seats_and_everybody_finds_the_same_table(house):
    (anna, bert), match = await sat_down(house)
    assert (await post(anna, match, "rematch")).json()["code"] == "not_over"
    await anna.ask("DELETE", f"/api/matches/{match['id']}/seats/0")
    first = (await post(bert, match, "rematch")).json()
    assert (first["status"], first["you"]) == ("open", 0)
    assert (await anna.look(match))["rematch"] == first["id"]
    second = (await post(anna, match, "rematch")).json()
    assert (second["id"], second["you"], second["status"]) == (first["id"], 1, "running")
    assert (await post(await house.guest(), match, "rematch")).json()["code"] == "not_your_seat"


async def test_no_rematch_begins_with_a_dash(house):
    """On a command line it would be an option. One in 64 would."""
    found = [rematches.ident(house.deps, f"match{n}") for n in range(1000)]
    assert len(set(found)) == 1000
    assert not [one for one in found if one.startswith("-")]


async def test_whom_one_blocks_does_not_sit_at_ones_tables(house):
    anna, bert = await house.guest(), await house.guest()
    blocked = await anna.post("/api/me/blocks", {"name": bert.account["name"]})
    assert blocked.status_code == 201
    match = await anna.open(**PEOPLE)
    assert (await post(bert, match, "seats/1")).json()["code"] == "blocked"
    assert (await post(bert, match, "seats")).json()["code"] == "blocked"
    items = (await anna.get("/api/me/blocks")).json()["items"]
    assert [item["name"] for item in items] == [bert.account["name"]]
    gone = await anna.ask("DELETE", f"/api/me/blocks/{bert.account['id']}")
    assert gone.status_code == 204
    assert (await post(bert, match, "seats/1")).status_code == 200
    assert (await anna.post("/api/me/blocks", {"name": "nobody at all"})).json()["code"] == "no_such_player"


async def test_asking_tells_nothing_about_what_others_chose(house):
    """A hidden choice is taken back and made again, the same or another one: who asks hears the same."""
    told = []
    for again in (0, 1):
        (anna, bert), match = await sat_down(house, game="tides-of-time")
        match = await bert.look(match)
        first = (await bert.act(match)).json()
        back = (await post(bert, match, "undo", {"seq": first["seq"], "to": match["seq"]})).json()
        now = (await bert.act({**back, "legal": back["legal"][again:]})).json()
        asked = await post(anna, match, "undo", {"seq": now["seq"], "to": first["seq"]})
        told.append((asked.status_code, asked.json()["asked"], asked.json()["undo"]))
    assert told[0] == told[1] == (202, {"seat": 0, "to": 5, "waiting": [1]}, None)


ALONE = {"game": "tides-of-time", "seats": [{"kind": "bot", "bot": "random"}] * 2}


async def test_who_opened_a_table_of_bots_can_stop_it(house):
    anna, bert = await house.guest(password="a long password"), await house.guest()
    match = await anna.open(**ALONE)
    assert match["agreed"]["stoppable"] is True
    assert (await bert.look(match))["agreed"]["stoppable"] is False
    refused = await post(bert, match, "abandon")
    assert (refused.status_code, refused.json()["code"]) == (403, "not_your_seat")
    over = await post(anna, match, "abandon")
    assert over.status_code == 200
    result = over.json()["result"]
    assert (over.json()["status"], result["how"], result["winners"]) == ("finished", "abandoned", [])
    assert over.json()["agreed"]["stoppable"] is False
    assert (await anna.look(match, f"?at={match['seq']}"))["agreed"]["stoppable"] is False
    assert (await post(anna, match, "abandon")).json()["code"] == "not_running"
    events = (await anna.get(f"/api/matches/{match['id']}/log")).text
    verify(read(events.encode())[1])


async def test_a_table_with_a_person_is_not_stopped_by_who_opened_it(house):
    """Also not while a caretaker keeps that person's seat."""
    anna, bert = await house.guest(), await house.guest()
    seats = [{"kind": "bot", "bot": "random"}, {"kind": "open"}]
    match = await anna.open(game="tides-of-time", seats=seats)
    await bert.post(f"/api/matches/{match['id']}/seats/1")
    for _ in range(2):
        assert (await anna.look(match))["agreed"]["stoppable"] is False
        assert (await post(anna, match, "abandon")).json()["code"] == "not_your_seat"
        await post(bert, match, "seats/1/leave")


async def test_guests_open_no_tables_of_bots_alone(house):
    guest = await house.guest()
    refused = await guest.post("/api/matches", ALONE)
    assert (refused.status_code, refused.json()["code"]) == (403, "bots_alone")
    match = await guest.open()
    fork = {"at": match["seq"], "seats": ALONE["seats"]}
    assert (await post(guest, match, "fork", fork)).json()["code"] == "bots_alone"
    assert (await guest.open(seats=[{"kind": "me"}, {"kind": "bot", "bot": "search:2s"}]))["you"] == 0
