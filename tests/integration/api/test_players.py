"""What everybody may know of a player: over HTTP, from finished matches, and nothing of private ones."""

from random import Random

import pytest

from tests.integration.api.test_leaderboard import AGAINST_BOT, GOOD, passed_on

pytestmark = pytest.mark.anyio
PAIR = {"game": "tides-of-time", "seats": [{"kind": "me"}, {"kind": "open"}]}


async def player(caller, name):
    answer = await caller.get(f"/api/players/{name}")
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_a_player_has_results_a_way_and_a_record_against_the_reader(house, relay):
    anna, ben = await house.guest(password=GOOD), await house.guest(password=GOOD)
    name = anna.account["name"]
    assert (await player(ben, name))["games"] == []
    for seed in range(3):
        await house.play_out(anna, await anna.open(**AGAINST_BOT), Random(seed))
    await passed_on(relay)
    [record] = (await player(ben, name))["games"]
    assert (record["game"], record["matches"], len(record["way"])) == ("tides-of-time", 3, 3)
    assert record["way"][-1]["rating"] == record["rating"]
    assert record["you"] is None  # Ben has never met her
    [met] = (await player(anna, "bot:greedy"))["games"]
    assert met["you"] == {"matches": 3, "ahead": record["wins"]}
    assert (await player(house.nobody, "bot:greedy"))["name"] == "Medium bot"


async def test_nobody_else_lists_private_matches(house, relay):
    anna, ben = await house.guest(), await house.guest()
    shown = await house.play_out(anna, await anna.open(**AGAINST_BOT), Random(1))
    hidden = await house.play_out(anna, await anna.open(**AGAINST_BOT, listed=False), Random(2))
    await passed_on(relay)
    path = f"/api/matches?status=finished&player={anna.account['name']}"
    for caller in (ben, house.nobody):
        items = (await caller.get(path)).json()["items"]
        assert [item["id"] for item in items] == [shown["id"]]
        assert items[0]["result"]["winners"] == shown["result"]["winners"]
    mine = (await anna.get("/api/matches?status=finished&mine=true")).json()["items"]
    assert {item["id"] for item in mine} == {shown["id"], hidden["id"]}


@pytest.mark.parametrize("path", ["players/nobody-here", "players/bot:nothing", "matches?player=nobody-here"])
async def test_who_is_not_here_is_not_found(house, path):
    assert (await house.nobody.get(f"/api/{path}")).json()["code"] == "not_found"
