"""Notices end to end in one process: plan, quiet hours, ledger, channels; real mail server and receiver."""

import dataclasses
import json
from datetime import UTC, datetime, timedelta

import pytest
from standardwebhooks.webhooks import Webhook

from infra.mail import Mail
from infra.outbox import Outbox
from infra.outward import Outward
from infra.redis import call, connect_sync
from service.bootstrap import Deps
from tests.letterbox import Letterbox, Receiver, text_of
from workers import notify
from workers.jobs import Jobs
from workers.notices import PLAN
from workers.relay import Relay

pytestmark = pytest.mark.anyio
START = datetime(2026, 11, 16, 9, tzinfo=UTC)
PEOPLE = {"game": "machi-koro", "seats": [{"kind": "me"}, {"kind": "open"}]}
DAY = {"kind": "per_move", "seconds": 86400}


class Hand:
    def __init__(self):
        self.now = START

    def __call__(self):
        return self.now

    def on(self, **delta):
        self.now += timedelta(**delta)


@pytest.fixture
def hand():
    return Hand()


@pytest.fixture(scope="module")
def mailbox():
    with Letterbox() as box:
        yield box


@pytest.fixture
def box(mailbox):
    mailbox.letters.clear()
    mailbox.refuse = ""
    return mailbox


@pytest.fixture
def receiver():
    with Receiver() as receiver:
        yield receiver


@pytest.fixture
async def house(deps, hand, box, open_another):
    deps = dataclasses.replace(
        deps, now=hand, mail=Mail(box.url, "house@example.org"), outward=Outward(lenient=True)
    )
    async with open_another(deps) as house:
        yield house


class Inline(Jobs):
    """Runs notices at once instead of queueing them."""

    def __init__(self, connection, deps):
        super().__init__(connection)
        self.deps, self.asked = deps, []

    def notices(self, notices):
        self.asked += notices


class Post:
    """The relay and a worker for notices, moved by hand."""

    def __init__(self, deps: Deps, connection):
        self.deps = deps
        self.jobs = Inline(connection, deps)
        self.relay = Relay(deps, self.jobs)

    async def run(self):
        while await self.relay.step():
            pass
        self.relay._notices._asked.clear()
        await self.relay.sweep()
        asked, self.jobs.asked = self.jobs.asked, []
        for notice in asked:
            await notify.deliver(self.deps, notice.member, notice.channel)
        return asked


@pytest.fixture
async def post(house, embedded):
    connection = connect_sync(embedded.url)
    await Outbox(house.deps.client).ensure_groups()
    yield Post(house.deps, connection)
    connection.close()


async def with_mail(house, box, guest, name="mail"):
    """An e-mail channel whose address is confirmed."""
    address = {"kind": "email", "address": "anna@example.org"}
    made = await guest.ask("PUT", f"/api/me/channels/{name}", json=address)
    assert made.status_code == 200, made.text
    assert made.json()["confirmed"] is False
    link = text_of(box.letters[-1]).split("/api/confirm/")[1].split()[0]
    assert (await guest.get(f"/api/confirm/{link}")).status_code == 200
    assert (await house.nobody.post(f"/api/confirm/{link}")).status_code == 200
    box.letters.clear()


async def table(house, **more):
    """Anna has a seat and Bert is to act; or the other way round. (who waits, who acts, match)"""
    anna, bert = await house.guest(**more), await house.guest()
    match = await anna.open(**PEOPLE, clock=DAY)
    await bert.post(f"/api/matches/{match['id']}/seats/1")
    match = await anna.look(match)
    if match["to_act"] == [0]:
        while match["to_act"] == [0]:
            match = (await anna.act(match)).json()
    return anna, bert, match


async def until_turn(guest, match, seat):
    match = await guest.look(match)
    while match["to_act"] != [seat]:
        match = (await guest.act(match)).json()
    return match


async def test_a_turn_is_told_once_after_a_settling_delay(house, hand, box, post):
    anna, bert, match = await table(house, locale="cs")
    await with_mail(house, box, anna)
    await until_turn(bert, match, 0)
    await post.run()
    assert box.letters == []
    hand.on(seconds=61)
    await post.run()
    await post.run()
    assert [letter["Subject"] for letter in box.letters] == ["Jsi na tahu: Městečko Machi Koro"]
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
    members = await call(house.deps.client, "ZRANGE", PLAN, 0, -1)
    assert not [member for member in members if member.startswith(b"turn") and b" 0 " in member]


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


async def test_reminders_come_at_shares_of_the_time(house, hand, box, post):
    anna, bert, match = await table(house)
    await anna.ask("PATCH", "/api/me", json={"notify": {"mode": "each", "reminders": [50, 10]}})
    await with_mail(house, box, anna)
    await until_turn(bert, match, 0)
    told = []
    for hour in range(24):
        await post.run()
        while len(told) < len(box.letters):
            told.append((hour, box.letters[len(told)]["Subject"]))
        hand.on(hours=1)
    assert told == [
        (1, "Your turn: Machi Koro"),
        (12, "Still your turn: Machi Koro"),
        (22, "Still your turn: Machi Koro"),
    ]


async def test_a_daily_letter_instead(house, hand, box, post):
    anna, bert, match = await table(house, tz="Europe/Prague")
    await anna.ask("PATCH", "/api/me", json={"notify": {"mode": "digest", "digest_at": "18:00"}})
    await with_mail(house, box, anna)
    await until_turn(bert, match, 0)
    hand.on(hours=7, minutes=59)
    await post.run()
    assert box.letters == []
    hand.on(minutes=1)
    await post.run()
    await post.run()
    assert [letter["Subject"] for letter in box.letters] == ["A match waits for you"]
    assert (await anna.get("/api/me/notifications")).json()["items"][0]["kind"] == "digest"


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
    assert told["subject"] == "Your turn: Machi Koro"
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
