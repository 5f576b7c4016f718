"""Guests who do not come back, on a clock that the test moves."""

import dataclasses
from datetime import timedelta

import pytest

from infra.people.accounts import Accounts
from service.bootstrap import now as real_now
from service.views.summary import summary
from workers.guests import Guests

pytestmark = pytest.mark.anyio
OPEN = {"game": "tides-of-time", "seats": [{"kind": "me"}, {"kind": "open"}]}


class Clock:
    def __init__(self):
        self.days = 0.0

    def __call__(self):
        return real_now() + timedelta(days=self.days)


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
async def house(deps, clock, open_another):
    accounts = Accounts(deps.client, deps.accounts._passwords._hasher, lambda: clock().timestamp())
    async with open_another(dataclasses.replace(deps, now=clock, accounts=accounts)) as house:
        yield house


async def listed(house, match):
    await house.deps.readmodel.put(summary(await house.deps.matches.now(match["id"])))


async def test_a_guest_who_was_not_seen_goes_with_everything(house, clock):
    anna = await house.guest()
    match = await anna.open(**OPEN)
    await listed(house, match)
    clock.days = 29.9
    assert await Guests(house.deps).expire() == 0
    clock.days = 30.1
    assert await Guests(house.deps).expire() == 1
    house.app.authenticator._known.clear()
    assert (await anna.get("/api/me")).status_code == 401
    assert await house.deps.accounts.find(anna.account["name"]) is None
    again = await house.nobody.post("/api/accounts", {"name": anna.account["name"]})
    assert again.status_code == 201  # the name is free
    assert (await house.nobody.get(f"/api/matches/{match['id']}")).json()["status"] == "cancelled"
    keys = [key async for key in house.deps.client.scan_iter(match=f"*a:{anna.account['id']}*")]
    assert all(b"lobby" in key for key in keys)
    assert await Guests(house.deps).expire() == 0


async def test_whoever_is_seen_has_played_has_a_bot_or_a_password_stays(house, clock):
    seen, player, owner, known, other = [await house.guest() for _ in range(5)]
    match = await player.open(**OPEN)
    await other.post(f"/api/matches/{match['id']}/seats/1")
    await listed(house, match)
    bot = {"name": "robo", "games": ["akropolis"], "delivery": {"kind": "poll"}}
    assert (await owner.post("/api/bots", bot)).status_code == 201
    assert (await known.post("/api/me/claim", {"password": "a good password"})).status_code == 200
    clock.days = 20
    house.app.authenticator._known.clear()
    assert (await seen.get("/api/me")).status_code == 200
    clock.days = 40
    assert await Guests(house.deps).expire() == 0
    clock.days = 51
    assert await Guests(house.deps).expire() == 1  # not seen since the twentieth day
    house.app.authenticator._known.clear()
    after = [(await one.get("/api/me")).status_code for one in (seen, player, owner, known, other)]
    assert after == [401, 200, 200, 200, 200]


async def test_a_sweep_looks_at_a_few_at_a_time(house, clock):
    for _ in range(60):
        await house.guest()
    clock.days = 31
    guests = Guests(house.deps)
    assert [await guests.expire() for _ in range(3)] == [50, 10, 0]


async def test_a_guest_takes_another_name_and_frees_the_old_one(house):
    guest, other = await house.guest(), await house.guest()
    old = (await guest.get("/api/me")).json()["name"]
    match = await guest.open(seats=[{"kind": "me"}, {"kind": "bot", "bot": "random"}])
    taken = await guest.post("/api/me/name", {"name": (await other.get("/api/me")).json()["name"]})
    assert taken.json()["code"] == "name_taken"
    assert (await guest.post("/api/me/name", {"name": " "})).json()["code"] == "bad_name"
    renamed = await guest.post("/api/me/name", {"name": "Otto the Second"})
    assert renamed.json()["name"] == "Otto the Second"
    assert (await guest.post("/api/me/name", {"name": "Otto the second"})).json()["name"] == "Otto the second"
    assert (await guest.get(f"/api/matches/{match['id']}")).json()["seats"][0]["name"] == "Otto the second"
    assert (await other.post("/api/me/name", {"name": old})).status_code == 200  # free again


async def test_whoever_has_a_password_keeps_the_name(house):
    guest = await house.guest()
    assert (await guest.post("/api/me/claim", {"password": "a good password"})).status_code == 200
    refused = await guest.post("/api/me/name", {"name": "Somebody else"})
    assert refused.json()["code"] == "not_a_guest"
