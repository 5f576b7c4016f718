"""Clocks over HTTP, with a clock that is set by hand: deadlines, time-outs, profiles, vacations."""

import asyncio
import dataclasses

import pytest

from tests.posting import DAY, PEOPLE, Hand
from workers import clock as clock_worker

pytestmark = pytest.mark.anyio


@pytest.fixture
def hand():
    return Hand()


@pytest.fixture
async def house(deps, hand, open_another):
    async with open_another(dataclasses.replace(deps, now=hand)) as house:
        yield house


async def table(house, clock=DAY, **accounts):
    """Two people at a table that has started; whose turn it is comes first."""
    anna, bert = await house.guest(**accounts), await house.guest(**accounts)
    match = await anna.open(**PEOPLE, clock=clock)
    await bert.post(f"/api/matches/{match['id']}/seats/1")
    match = await anna.look(match)
    pair = (anna, bert) if match["to_act"] == [0] else (bert, anna)
    return *pair, await pair[0].look(match)


async def test_a_clock_is_shown_with_its_deadlines(house):
    first, _, match = await table(house)
    assert match["clock"] == {
        **DAY, "timeout": "caretaker", "paused": False,
        "deadlines": {str(match["you"]): "2026-11-17T09:00:00.000Z"},
    }  # fmt: skip
    assert (await first.look(match, f"?at={match['seq']}"))["clock"] is None


async def test_an_answer_given_again_shows_the_same_clock(house, hand):
    first, _, match = await table(house)
    answer = await first.act(match, key="k")
    hand.on(hours=3)
    await first.ask("PATCH", "/api/me", json={"vacation": {"from": "2026-11-16", "to": "2026-11-20"}})
    assert (await first.act(match, key="k")).content == answer.content


async def test_a_bank_shows_what_is_in_it(house, hand):
    bank = {"kind": "bank", "seconds": 36000, "increment": 3600, "cap": 72000, "timeout": "resign"}
    _, _, match = await table(house, bank)
    assert match["clock"]["banks"] == {str(match["you"]): 39600}
    assert match["clock"]["deadlines"] == {str(match["you"]): "2026-11-16T20:00:00.000Z"}


async def test_time_that_ran_out_brings_the_caretaker_once(house, hand, relay):
    first, second, match = await table(house)
    hand.on(hours=23, minutes=59)
    await relay.sweep()
    assert (await first.look(match))["seq"] == match["seq"]
    hand.on(minutes=1)
    await asyncio.gather(relay.sweep(), clock_worker.look(house.deps, match["id"]))
    await relay.sweep()
    after = await first.look(match)
    seat = match["you"]
    assert after["seq"] == match["seq"] + 2
    assert after["seats"][seat]["caretaker"] is True
    assert [part["why"] for part in after["seats"][seat]["parts"]] == ["seated", "timed_out"]
    refused = await first.act(after)
    assert (refused.status_code, refused.json()["code"]) == (409, "away")
    back = await first.post(f"/api/matches/{match['id']}/seats/{seat}")
    assert back.status_code == 200
    assert back.json()["seats"][seat]["caretaker"] is False
    assert back.json()["clock"]["deadlines"] == {str(seat): "2026-11-18T09:00:00.000Z"}
    again = await second.post(f"/api/matches/{match['id']}/seats/{seat}")
    assert again.json()["code"] == "not_open"


async def test_a_relay_that_was_down_for_days_catches_up(house, hand, relay):
    tables = [await table(house, {**DAY, "timeout": "resign"}) for _ in range(3)]
    hand.on(days=9)
    await relay.sweep()
    for first, _, match in tables:
        after = await first.look(match)
        assert (after["status"], after["result"]["how"]) == ("finished", "timed_out")
        assert after["result"]["winners"] == [1 - match["you"]]


async def test_everybody_who_is_waited_for_runs_out_of_time(house, hand, relay):
    anna, bert = await house.guest(), await house.guest()
    match = await anna.open(**{**PEOPLE, "game": "tides-of-time"}, clock=DAY)
    match = (await bert.post(f"/api/matches/{match['id']}/seats/1")).json()
    assert match["to_act"] == [0, 1]
    hand.on(days=2)
    await relay.sweep()
    seats = (await anna.look(match))["seats"]
    assert [[part["why"] for part in seat["parts"]] for seat in seats] == [["seated", "timed_out"]] * 2


async def test_a_note_of_a_deadline_that_was_lost_comes_back_with_the_next_event(house, hand, relay):
    first, _, match = await table(house)
    await house.deps.store.set_due(match["id"], None)
    match = (await first.act(match)).json()
    assert (await house.deps.store.due_before(2**53, 10))[0][0] == match["id"]


async def test_waiting_is_said_once_and_nothing_else_happens(house, hand, relay):
    first, _, match = await table(house, {**DAY, "timeout": "wait"})
    for _ in range(3):
        hand.on(hours=25)
        await relay.sweep()
    after = await first.look(match)
    assert after["seq"] == match["seq"] + 1
    assert after["clock"]["deadlines"] == {}
    assert (await first.act(after)).status_code == 200


async def test_a_turn_uses_the_hours_that_held_when_it_began(house, hand):
    first, second, match = await table(house, tz="Europe/Prague")
    hand.on(seconds=1)
    quiet = {"quiet_hours": {"from": "20:00", "to": "08:00"}}
    assert (await first.ask("PATCH", "/api/me", json=quiet)).status_code == 200
    assert (await second.ask("PATCH", "/api/me", json=quiet)).status_code == 200
    assert list((await first.look(match))["clock"]["deadlines"].values()) == ["2026-11-17T09:00:00.000Z"]
    hand.on(seconds=3599)
    while (match := (await first.act(match)).json())["to_act"] == [match["you"]]:
        pass
    # From 11:00 in Prague: 9 waking hours on Monday, 12 on Tuesday, 3 on Wednesday until 11:00.
    assert list(match["clock"]["deadlines"].values()) == ["2026-11-18T10:00:00.000Z"]


async def test_a_vacation_moves_a_running_deadline(house, hand, relay):
    first, _, match = await table(house)
    await relay.step()
    hand.on(hours=1)
    away = {"vacation": {"from": "2026-11-16", "to": "2026-11-18"}}
    assert (await first.ask("PATCH", "/api/me", json=away)).status_code == 200
    assert list((await first.look(match))["clock"]["deadlines"].values()) == ["2026-11-19T23:00:00.000Z"]
    turns = (await first.get("/api/me/turns")).json()["items"]
    assert turns[0]["deadline"] == "2026-11-19T23:00:00.000Z"
    hand.on(days=2)
    await relay.sweep()
    assert (await first.look(match))["seq"] == match["seq"]
    withdrawn = await first.ask("PATCH", "/api/me", json={"vacation": None})
    assert withdrawn.json()["vacation"] is None
    assert list((await first.look(match))["clock"]["deadlines"].values()) == ["2026-11-19T09:00:00.000Z"]


async def test_turns_are_listed_nearest_deadline_first_and_the_next_one_is_named(house, relay):
    anna = await house.guest()
    bot = [{"kind": "me"}, {"kind": "bot", "bot": "random"}]
    made = [
        await anna.open(game="tides-of-time", seats=bot, clock=clock)
        for clock in ({**DAY, "seconds": 9000}, None, {**DAY, "seconds": 3000}, {**DAY, "seconds": 6000})
    ]
    while await relay.step():
        pass
    items = (await anna.get("/api/me/turns")).json()["items"]
    order = [made[2]["id"], made[3]["id"], made[0]["id"], made[1]["id"]]
    assert [item["match"]["id"] for item in items] == order
    first = await anna.act(made[2], key="k")
    answer = first.json()
    assert answer["next"]["match"] == made[3]["id"]
    await anna.act(made[3])
    while await relay.step():
        pass
    await anna.get("/api/me/turns")
    assert (await anna.act(made[2], key="k")).content == first.content  # though another one is next by now
    assert answer["next"]["deadline"] is not None
    assert (await anna.look(made[2]))["next"] is None


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        ({"tz": "Europe/Atlantis"}, "bad_setting"),
        ({"tz": "../../etc/passwd"}, "bad_setting"),
        ({"tz": ""}, "bad_setting"),
        ({"tz": "%n%s", "vacation": None}, "bad_setting"),
        ({"tz": "Europe/Atlantis", "vacation": {"from": "2026-12-20", "to": "2026-12-24"}}, "bad_setting"),
        ({"quiet_hours": {"from": "22:00", "to": "22:00"}}, "bad_setting"),
        ({"quiet_hours": {"from": "07:00", "to": "06:59"}}, "bad_setting"),
        ({"quiet_hours": {"from": "25:00", "to": "07:00"}}, "bad_request"),
        ({"vacation": {"from": "2026-12-24", "to": "2026-12-20"}}, "bad_setting"),
        ({"vacation": {"from": "2026-01-01", "to": "2026-01-05"}}, "bad_setting"),
        ({"vacation": {"from": "2026-11-20", "to": "2026-12-31"}}, "bad_setting"),
        ({"vacation": {"from": "2026-02-31", "to": "2026-12-31"}}, "bad_setting"),
        ({"vacation": {"from": "2026-12-01", "to": "2036-12-01"}}, "bad_setting"),
    ],
)
async def test_times_that_make_no_sense_are_refused_and_nothing_is_stored(house, settings, code):
    anna = await house.guest(tz="Europe/Prague")
    before, times = (await anna.get("/api/me")).json(), await house.deps.profiles.of(anna.account["id"])
    answer = await anna.ask("PATCH", "/api/me", json={"locale": "cs", **settings})
    assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert (await anna.get("/api/me")).json() == before
    assert await house.deps.profiles.of(anna.account["id"]) == times


async def test_a_refused_vacation_says_why_in_the_readers_language(house):
    jana = await house.guest(locale="cs")
    backwards = {"vacation": {"from": "2026-12-24", "to": "2026-12-20"}}
    told = (await jana.ask("PATCH", "/api/me", json=backwards)).json()["detail"]
    assert told.endswith("dovolená nesmí skončit dřív, než začne, ani v minulosti.")


async def test_the_budget_of_vacations_counts_days_that_were_withdrawn_late(house, hand):
    anna = await house.guest()
    long = {"vacation": {"from": "2026-11-16", "to": "2026-12-15"}}  # thirty days
    assert (await anna.ask("PATCH", "/api/me", json=long)).status_code == 200
    hand.on(days=10)
    await anna.ask("PATCH", "/api/me", json={"vacation": None})  # eleven of them are used
    more = {"vacation": {"from": "2026-12-01", "to": "2026-12-20"}}
    assert (await anna.ask("PATCH", "/api/me", json=more)).json()["code"] == "bad_setting"
    fits = {"vacation": {"from": "2026-12-01", "to": "2026-12-19"}}
    assert (await anna.ask("PATCH", "/api/me", json=fits)).status_code == 200


@pytest.mark.parametrize(
    "clock",
    [
        {"kind": "per_move", "seconds": 0},
        {"kind": "per_move", "seconds": 10**15},
        {"kind": "bank", "seconds": 60, "increment": 0, "cap": 30},
        {"kind": "sand", "seconds": 60},
        {"per_move": 60},
        {"kind": "per_move", "seconds": 60, "timeout": "shout"},
    ],
)
async def test_absurd_clocks_open_no_table(house, clock):
    anna = await house.guest()
    answer = await anna.post("/api/matches", {**PEOPLE, "clock": clock})
    assert answer.status_code == 400
    assert answer.json()["code"] in ("bad_request", "bad_clock")
