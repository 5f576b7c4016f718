"""Notices end to end in one process: plan, quiet hours, ledger, channels; real mail server and receiver."""

import json
from datetime import UTC, datetime

import pytest
from standardwebhooks.webhooks import Webhook

from infra.people.channels import Channel
from infra.store import keys
from infra.store.redis import call
from tests.letterbox import text_of
from tests.posting import subjects, table, until_turn, with_mail
from workers.notices.schedule import live_channels

pytestmark = pytest.mark.anyio


async def test_a_turn_is_told_once_after_a_settling_delay(house, hand, box, post):
    anna, bert, match = await table(house, locale="cs")
    await with_mail(house, box, anna)
    await until_turn(bert, match, 0)
    await post.run()
    assert box.letters == []
    hand.on(seconds=61)
    await post.run()
    await post.run()
    assert subjects(box) == ["Jsi na tahu: Městečko Machi Koro"]
    text = text_of(box.letters[0])
    assert "Od tvého posledního tahu:" in text or "Zatím:" in text
    assert f"/matches/{match['id']}" in text
    assert "2026-11" not in text  # a Czech date
    items = (await anna.get("/api/me/notifications")).json()["items"]
    assert [(item["kind"], item["outcome"], item["channel"]) for item in items] == [("turn", "sent", "mail")]


async def test_a_move_cancels_what_was_owed(house, hand, box, post):
    anna, bert, match = await table(house)
    await with_mail(house, box, anna)
    await until_turn(bert, match, 0)
    await post.run()
    hand.on(seconds=30)
    await until_turn(anna, match, 1)
    hand.on(minutes=5)
    await post.run()
    assert box.letters == []
    members = await call(house.deps.client, "ZRANGE", keys.NOTICES, 0, -1)
    assert not [member for member in members if member.startswith(b"turn") and b" 0 " in member]
    items = (await anna.get("/api/me/notifications")).json()["items"]
    assert [(i["kind"], i["outcome"], i["tries"], i["subject"]) for i in items] == [
        ("turn", "cancelled", 0, f"Your turn: Machi Koro with {bert.account['name']}")
    ]


async def test_what_was_told_stays_told(house, hand, box, post):
    """A relay that died after the letter and before it crossed the notice off looks at it once more."""
    anna, bert, match = await table(house)
    await with_mail(house, box, anna)
    await until_turn(bert, match, 0)
    await post.run()
    noted = await call(house.deps.client, "ZRANGE", keys.NOTICES, 0, -1)
    hand.on(seconds=61)
    await post.run()
    assert len(box.letters) == 1
    await until_turn(anna, match, 1)
    for member in noted:
        await call(house.deps.client, "ZADD", keys.NOTICES, 0, member)
    await post.run()
    items = (await anna.get("/api/me/notifications")).json()["items"]
    assert [(item["kind"], item["outcome"]) for item in items] == [("turn", "sent")]


async def test_a_wish_for_silence_holds_at_once(house, hand, box, post):
    anna, bert, match = await table(house)
    await with_mail(house, box, anna)
    await until_turn(bert, match, 0)
    await post.run()
    await anna.ask("PATCH", "/api/me", json={"notify": {"mode": "off"}})
    hand.on(minutes=5)
    await post.run()
    assert box.letters == []


async def test_a_pause_puts_a_notice_off(house, hand, box, post):
    anna, bert, match = await table(house)
    await with_mail(house, box, anna)
    await until_turn(bert, match, 0)
    await post.run()
    for who in (anna, bert):
        assert (await who.post(f"/api/matches/{match['id']}/pause")).is_success
    hand.on(minutes=5)
    await post.run()
    assert box.letters == []
    await bert.post(f"/api/matches/{match['id']}/resume")
    await post.run()
    hand.on(minutes=5)
    await post.run()
    assert len(box.letters) == 1


async def test_nobody_is_woken(house, hand, box, post):
    anna, bert, match = await table(house, tz="Europe/Prague")
    await anna.ask("PATCH", "/api/me", json={"quiet_hours": {"from": "21:00", "to": "08:00"}})
    await with_mail(house, box, anna)
    hand.on(hours=11, minutes=30)  # 21:30 in Prague
    await until_turn(bert, match, 0)
    for _ in range(10):
        await post.run()
        hand.on(hours=1)
    assert box.letters == []
    hand.now = datetime(2026, 11, 17, 7, tzinfo=UTC)
    await post.run()
    assert len(box.letters) == 1


async def test_a_webhook_is_signed_and_backed_off_from_until_it_is_dead(house, hand, receiver, post):
    anna, bert, match = await table(house)
    made = await anna.ask(
        "PUT", "/api/me/channels/hook", json={"kind": "webhook", "url": f"{receiver.url}/x"}
    )
    secret = made.json()["secret"]
    assert "secret" not in (await anna.get("/api/me/channels")).text.replace('"secret":null', "")
    receiver.status = 500
    await until_turn(bert, match, 0)
    hand.on(minutes=2)
    await post.run()
    await post.run()
    assert len(receiver.requests) == 1  # the next try waits
    entry = (await anna.get("/api/me/notifications")).json()["items"][0]
    assert (entry["outcome"], entry["tries"], entry["reason"]) == ("retry", 1, "the receiver answered 500")
    receiver.status = 204
    hand.on(minutes=1)
    await post.run()
    _, headers, body = receiver.requests[-1]
    told = json.loads(body)
    assert told["subject"] == f"Your turn: Machi Koro with {bert.account['name']}"
    lower = {name.lower(): value for name, value in headers.items()}
    hand_time = str(int(hand.now.timestamp()))
    assert lower["webhook-timestamp"] == hand_time
    expected = Webhook(secret).sign(lower["webhook-id"], hand.now, body.decode())
    assert lower["webhook-signature"] == expected
    assert {request[1]["webhook-id"] for request in receiver.requests} == {lower["webhook-id"]}
    receiver.status = 410
    match = await until_turn(anna, match, 1)
    await until_turn(bert, match, 0)
    hand.on(minutes=2)
    await post.run()
    channel = (await anna.get("/api/me/channels/hook")).json()
    assert (channel["enabled"], channel["reason"]) == (False, "the receiver answered 410")
    receiver.status = 204
    again = await anna.post("/api/me/channels/hook/test")
    assert again.json()["enabled"] is True


async def test_an_address_that_does_not_exist_is_turned_off(house, hand, box, post):
    anna, bert, match = await table(house)
    await with_mail(house, box, anna)
    await until_turn(bert, match, 0)
    box.refuse = "550 5.1.1 no such user"
    hand.on(minutes=2)
    await post.run()
    channel = (await anna.get("/api/me/channels/mail")).json()
    assert channel["enabled"] is False
    assert "no such user" in channel["reason"]


async def test_a_person_who_follows_a_letter_sees_pages(house, box):
    anna = await house.guest(locale="cs")
    page = {"headers": {"Accept": "text/html,*/*;q=0.8"}}
    await anna.ask("PUT", "/api/me/channels/mail", json={"kind": "email", "address": "a&b@example.org"})
    link = "/api/confirm/" + text_of(box.letters[-1]).split("/api/confirm/")[1].split()[0]
    asked = await house.nobody.get(link, **page)
    assert "Posílat upozornění na a&amp;b@example.org?" in asked.text  # the letter's language
    done = await house.nobody.ask("POST", link, **page)
    assert done.headers["content-type"].startswith("text/html")
    assert "Adresa je potvrzená" in done.text
    for method in ("GET", "POST"):
        nowhere = await house.nobody.ask(method, link[:-4], **page)
        assert nowhere.status_code == 404
        assert "This link does not work" in nowhere.text


async def test_one_click_ends_the_letters(house, hand, box, post):
    anna, bert, match = await table(house)
    await with_mail(house, box, anna)
    await until_turn(bert, match, 0)
    hand.on(minutes=2)
    await post.run()
    letter = box.letters[0]
    assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert letter.is_multipart()
    link = "/api" + letter["List-Unsubscribe"].strip("<>").split("/api")[1]
    data = {"List-Unsubscribe": "One-Click"}
    assert (await house.nobody.get(link)).status_code == 200  # looking alone changes nothing
    forged = link[:-4] + ("AAAA" if not link.endswith("AAAA") else "BBBB")
    assert (await house.nobody.ask("POST", forged, data=data)).json()["code"] == "bad_link"
    confirm = link.replace("unsubscribe", "confirm")
    assert (await house.nobody.ask("POST", confirm, data=data)).json()["code"] == "bad_link"
    assert len((await anna.get("/api/me/channels")).json()["items"]) == 1
    assert (await house.nobody.ask("POST", link, data=data)).status_code == 200
    assert (await anna.get("/api/me/channels")).json()["items"] == []
    assert (await house.nobody.ask("POST", link, data=data)).json()["code"] == "bad_link"


async def test_an_old_letter_ends_nothing_but_its_own_channel(house, box, post):
    """A link holds for one account, one channel and one address: each of them alone is not enough."""
    anna, bert = await house.guest(), await house.guest()
    for who in (anna, bert):
        await with_mail(house, box, who)
    links = {}
    for who in (anna, bert):
        assert (await who.post("/api/me/channels/mail/test")).status_code == 200
        links[who] = "/api" + box.letters[-1]["List-Unsubscribe"].strip("<>").split("/api")[1]
    other = {"kind": "email", "address": "anna@example.net"}
    assert (await anna.ask("PUT", "/api/me/channels/mail", json=other)).status_code == 200
    assert (await house.nobody.post(links[anna])).json()["code"] == "bad_link"  # another address
    assert (await house.nobody.post(links[bert])).status_code == 200
    assert (await bert.get("/api/me/channels")).json()["items"] == []
    assert [c["to"] for c in (await anna.get("/api/me/channels")).json()["items"]] == ["anna@example.net"]


async def test_a_link_to_confirm_ends_after_three_days(house, hand, box):
    anna = await house.guest()
    address = {"kind": "email", "address": "anna@example.org"}
    await anna.ask("PUT", "/api/me/channels/mail", json=address)
    link = f"/api/confirm/{text_of(box.letters[-1]).split('/api/confirm/')[1].split()[0]}"
    hand.on(days=3)
    assert (await house.nobody.post(link)).json()["code"] == "bad_link"
    hand.on(days=30)
    assert (await house.nobody.post(link)).json()["code"] == "bad_link"
    hand.on(days=-30, seconds=-1)
    assert (await house.nobody.post(link)).status_code == 200


async def test_an_address_that_is_refused_leaves_things_as_they_were(house, box):
    anna = await house.guest()
    wrong, right = ({"kind": "email", "address": f"{who}@example.org"} for who in ("wrong", "right"))
    box.refuse = "550 no such user"
    answer = await anna.ask("PUT", "/api/me/channels/mail", json=wrong)
    assert (answer.status_code, answer.json()["code"]) == (502, "not_delivered")
    assert (await anna.get("/api/me/channels")).json()["items"] == []
    box.refuse = ""
    assert (await anna.ask("PUT", "/api/me/channels/mail", json=right)).status_code == 200
    box.refuse = "550 no such user"
    await anna.ask("PUT", "/api/me/channels/mail", json=wrong)
    assert [c["to"] for c in (await anna.get("/api/me/channels")).json()["items"]] == ["right@example.org"]


async def test_only_channels_that_are_confirmed_and_switched_on_are_used(house):
    """An address that nobody confirmed may be anybody's."""
    anna = await house.guest()
    for name, enabled, confirmed in (
        ("good", True, True),
        ("off", False, True),
        ("strange", True, False),
        ("neither", False, False),
    ):
        config = {"address": f"{name}@example.org"}
        channel = Channel(name, "email", config, created=1, enabled=enabled, confirmed=confirmed)
        await house.deps.channels.put(anna.account["id"], channel)
    used = await live_channels(house.deps, anna.account["id"])
    assert [channel.name for channel in used] == ["good"]
