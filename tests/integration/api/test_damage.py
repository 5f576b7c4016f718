"""One damaged event: its match says so with a code of its own, and everything else goes on."""

import json

import pytest

from tests.damaging import damage
from tests.integration.api.botting import register, robot, seated

pytestmark = pytest.mark.anyio

FLIPS = {
    "the chain": lambda line: line.replace(b'"prev":"', b'"prev":"x', 1),
    "no text": lambda line: line[:40] + b"\x8c" + line[41:],
    "no JSON": lambda line: line[:-1],
}


@pytest.fixture
async def tables(house):
    """A guest with two running matches, the first of them damaged and not in memory."""
    guest = await house.guest()
    bad, good = [await guest.open() for _ in range(2)]
    for match in (bad, good):
        await house.list_it(match["id"])
    return guest, bad, good


async def _break(house, match, change=FLIPS["the chain"]):
    await damage(house.deps, match["id"], 2, change)
    house.deps.matches._kept.clear()


@pytest.mark.parametrize("change", FLIPS.values(), ids=FLIPS)
async def test_every_route_of_the_match_says_that_it_is_damaged(house, tables, change):
    guest, bad, _ = tables
    await _break(house, bad, change)
    for path in ("", "/events", "/log", "/views", "/stream", "/chat", "?at=3"):
        answer = await guest.get(f"/api/matches/{bad['id']}{path}")
        assert (answer.status_code, answer.json()["code"]) == (500, "damaged_log"), path
    refused = await guest.act(bad)
    assert (refused.status_code, refused.json()["code"]) == (500, "damaged_log")
    said = (await guest.get(f"/api/matches/{bad['id']}", headers={"Accept-Language": "cs"})).json()["detail"]
    assert "poškozen u události 2" in said
    assert await house.length(bad) == bad["seq"]  # kept as it is


async def test_everything_else_goes_on(house, tables):
    guest, bad, good = tables
    await _break(house, bad)
    listed = (await guest.get("/api/matches?mine=1")).json()
    assert {bad["id"], good["id"]} <= {item["id"] for item in listed["items"]}
    assert (await guest.get("/api/me/turns")).status_code == 200
    assert (await guest.act(good)).status_code == 200
    assert (await guest.open())["status"] == "running"


async def test_a_line_that_is_damaged_after_it_was_folded(house, tables):
    guest, bad, _ = tables
    await damage(house.deps, bad["id"], 2, FLIPS["no JSON"])
    answer = await guest.get(f"/api/matches/{bad['id']}/events")
    assert (answer.status_code, answer.json()["code"]) == (500, "damaged_log")


async def test_ones_own_data_come_without_the_damaged_log(house, tables):
    guest, bad, good = tables
    await _break(house, bad)
    answer = await guest.get("/api/me/export")
    assert answer.status_code == 200, answer.text
    logs = {item["match"]: item["log"] for item in answer.json()["matches"]}
    assert logs[bad["id"]] is None
    assert json.loads(logs[good["id"]].splitlines()[-1])["end"] == good["seq"]


async def test_an_account_with_a_damaged_match_can_be_deleted(house, tables):
    guest, bad, good = tables
    await _break(house, bad)
    answer = await guest.ask("DELETE", "/api/me", json={"confirm": guest.account["name"]})
    assert answer.status_code == 204, answer.text
    left = await house.deps.matches.now(good["id"])
    assert left.chairs[0].holder.kind == "bot"  # a caretaker plays on where one can


async def test_a_vacation_is_kept_whatever_became_of_one_match(house, tables):
    guest, bad, _ = tables
    await _break(house, bad)
    answer = await guest.ask(
        "PATCH", "/api/me", json={"vacation": {"from": "2027-01-04", "to": "2027-01-06"}}
    )
    assert answer.status_code == 200, answer.text


async def test_a_bot_that_takes_one_turn_at_a_time_is_offered_the_next(house):
    guest = await house.guest()
    bot = robot(house, await register(guest, capacity=1))
    bad, good = [await seated(house, guest) for _ in range(2)]
    await _break(house, bad)
    items = (await bot.get("/api/bot/turns")).json()["items"]
    assert [item["match"] for item in items] == [good["id"]]
    taken = await guest.ask("DELETE", "/api/bots/robo")
    assert taken.status_code == 204, taken.text
    left = await house.deps.matches.now(good["id"])
    assert left.chairs[1].holder.kind == "bot"  # a caretaker, where one can sit down
