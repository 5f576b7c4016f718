"""Reminders and daily letters: when they come, and how they follow a deadline that moves."""

from datetime import UTC, datetime, timedelta

import pytest

from infra.process.errors import StoreUnavailable
from infra.store import keys
from service.people import profiles
from tests.posting import START, subjects, table, until_turn, with_mail

pytestmark = pytest.mark.anyio


async def test_reminders_come_at_shares_of_the_time(house, hand, box, post):
    anna, bert, match = await table(house)
    await anna.ask("PATCH", "/api/me", json={"notify": {"mode": "each", "reminders": [50, 10]}})
    await with_mail(house, box, anna)
    await until_turn(bert, match, 0)
    told = []
    for hour in range(24):
        await post.run()
        while len(told) < len(box.letters):
            told.append((hour, subjects(box)[len(told)]))
        hand.on(hours=1)
    assert told == [
        (1, "Your turn: Machi Koro"),
        (12, "Still your turn: Machi Koro"),
        (22, "Still your turn: Machi Koro"),
    ]


async def remind_moment(house):
    found = await house.deps.client.zrange(keys.NOTICES, 0, -1, withscores=True)
    return next(datetime.fromtimestamp(score / 1000, UTC) for name, score in found if b"remind" in name)


async def test_a_reminder_moves_with_the_deadline(house, hand, box, post):
    anna, bert, match = await table(house)
    await with_mail(house, box, anna)
    await until_turn(bert, match, 0)
    hand.on(minutes=2)
    await post.run()
    started = START.replace(hour=9)
    assert await remind_moment(house) == started + timedelta(hours=18)
    await anna.ask("PATCH", "/api/me", json={"vacation": {"from": "2026-11-17", "to": "2026-11-18"}})
    hand.now = started + timedelta(hours=18)  # a reminder would have come now
    await post.run()
    assert len(box.letters) == 1
    assert await remind_moment(house) == started + timedelta(days=2, hours=18)
    await anna.ask("PATCH", "/api/me", json={"vacation": None})
    await post.run()
    moved = await remind_moment(house)
    assert started + timedelta(hours=18) < moved < started + timedelta(days=1)
    hand.now = moved
    await post.run()
    assert subjects(box)[1:] == ["Still your turn: Machi Koro"]


async def test_a_change_that_died_half_way_is_seen_to(house, hand, box, post, monkeypatch):
    """The process was killed after the vacation's end was kept, before the clocks were told."""
    anna, bert, match = await table(house)
    await anna.ask("PATCH", "/api/me", json={"vacation": {"from": "2026-11-16", "to": "2026-11-20"}})
    await until_turn(bert, match, 0)
    await post.run()
    await post.run()

    async def killed(*_):
        raise StoreUnavailable("killed")

    monkeypatch.setattr(profiles, "_look_at_clocks", killed)
    assert (await anna.ask("PATCH", "/api/me", json={"vacation": None})).status_code == 503
    hand.on(days=1, seconds=1)
    await post.run()  # sees the note
    await post.run()  # and the deadline that it moved
    assert (await bert.look(match))["seats"][0]["kind"] == "bot"


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
    assert subjects(box) == ["A match is waiting for you"]
    assert (await anna.get("/api/me/notifications")).json()["items"][0]["kind"] == "digest"


async def test_the_daily_letter_comes_every_day_while_something_waits(house, hand, box, post):
    anna, bert, match = await table(house, clock=None)
    await anna.ask("PATCH", "/api/me", json={"notify": {"mode": "digest", "digest_at": "18:00"}})
    await with_mail(house, box, anna)
    match = await until_turn(bert, match, 0)
    for day in range(1, 4):
        hand.now = START.replace(hour=18) + timedelta(days=day - 1)
        await post.run()
        await post.run()
        assert len(box.letters) == day
    await until_turn(anna, match, 1)
    hand.on(days=1)
    await post.run()
    assert len(box.letters) == 3
