"""The leaderboard over HTTP: from finished matches, through a real relay, counted once."""

from random import Random

import msgspec
import pytest

from engine import registry
from infra.store import backup
from infra.store.outbox import Outbox
from service.commands import actions
from service.commands.records import Act
from service.memory.ratings import MOVES
from tests.integration.api.botting import register

pytestmark = pytest.mark.anyio
GOOD = "a good password"
AGAINST_BOT = {"game": "tides-of-time", "seats": [{"kind": "me"}, {"kind": "bot", "bot": "greedy"}]}


async def passed_on(relay):
    while await relay.step():
        pass


async def board(house, game="tides-of-time", **query):
    answer = await house.nobody.get("/api/leaderboard", params={"game": game, **query})
    assert answer.status_code == 200, answer.text
    return answer.json()["items"]


async def test_people_and_bots_are_rated_once_a_match(house, relay):
    anna = await house.guest(password=GOOD)
    match = await house.play_out(anna, await anna.open(**AGAINST_BOT), Random(1))
    assert await board(house) == []  # not passed on yet
    await passed_on(relay)
    first = await board(house)
    assert {(item["kind"], item["name"]) for item in first} == {
        ("person", anna.account["name"]),
        ("bot", "Medium bot"),
    }
    winner = "person" if match["result"]["places"] == [1, 2] else "bot"
    assert (first[0]["kind"], first[0]["rank"], first[0]["wins"]) == (winner, 1, 1)
    assert {item["kind"]: item["rating"] == 1500 for item in first} == {"bot": True, "person": False}  # new
    assert all(item["provisional"] and item["matches"] == 1 for item in first)
    await relay._follow(match["id"])  # a relay that died before it said so does it again
    assert await board(house) == first
    await house.play_out(anna, await anna.open(**AGAINST_BOT), Random(2))
    await passed_on(relay)
    second = await board(house)
    assert [item["matches"] for item in second] == [2, 2]
    assert second[0]["deviation"] < first[0]["deviation"]
    assert len(await board(house, limit=1)) == 1
    assert await board(house, game="machi-koro") == []


async def test_a_match_that_is_left_out_is_not_rated_however_often_it_is_followed(house, relay):
    """So are imports: whoever can write a log could write a rating."""
    anna = await house.guest(password=GOOD)
    match = await house.play_out(anna, await anna.open(**AGAINST_BOT), Random(1))
    await house.deps.ratings.leave_out(match["id"])
    await passed_on(relay)
    await relay._follow(match["id"])
    assert await board(house) == []


async def test_a_result_that_comes_late_is_counted_in_its_place(house, relay, wired):
    anna = await house.guest(password=GOOD)
    ends = [await house.play_out(anna, await anna.open(**AGAINST_BOT), Random(n)) for n in range(4)]
    for match in (ends[2], ends[0], ends[3], ends[1]):
        await relay._follow(match["id"])
        seen = await board(house)
    fresh = wired()
    assert seen[0]["rating"] in [round(s.mean) for s in (await fresh.board.of("tides-of-time")).values()]
    assert (await fresh.board.of("tides-of-time")) == (await house.deps.board.of("tides-of-time"))
    await fresh.close()


@pytest.mark.parametrize("sandbox", [False, True])
async def test_remote_bots_are_listed_by_name_unless_they_are_only_tried(house, relay, sandbox):
    anna = await house.guest(password=GOOD)
    await register(anna, sandbox=sandbox)
    seats = [{"kind": "me"}, {"kind": "remote", "bot": "robo"}]
    match = await anna.open(game="tides-of-time", seats=seats, listed=not sandbox)
    robo = await house.deps.accounts.find("robo")
    for _ in range(MOVES):
        await anna.act(await anna.look(match))
        now = await house.deps.matches.now(match["id"])
        action = msgspec.to_builtins(now.rules.legal(now.state, 1)[0])
        who = f"account:{robo.id}"
        await actions.act(house.deps, Act(who=who, match=now.id, seq=now.seq, action=action))
    assert (await anna.ask("DELETE", f"/api/matches/{match['id']}/seats/0")).status_code == 200
    await passed_on(relay)
    listed = [(item["kind"], item["name"], item["wins"]) for item in await board(house)]
    both = [("person", anna.account["name"], 0), ("remote", "robo", 1)]  # both are new: nobody leads
    assert sorted(listed) == ([] if sandbox else both)


async def test_imports_and_deleted_accounts_are_not_listed(house, relay, deps, open_another):
    anna = await house.guest(password=GOOD)
    match = await house.play_out(anna, await anna.open(**AGAINST_BOT), Random(1))
    log = (await anna.get(f"/api/matches/{match['id']}/log")).content
    await deps.client.flushall()
    await Outbox(deps.client).ensure_groups()
    deps.matches._kept.clear()
    bert = await house.guest(password=GOOD)
    assert (await bert.ask("POST", "/api/import", content=log)).status_code == 201
    await passed_on(relay)
    assert await board(house) == []
    await house.play_out(bert, await bert.open(**AGAINST_BOT), Random(1))
    await passed_on(relay)
    assert len(await board(house)) == 2
    await bert.ask("DELETE", "/api/me", json={"confirm": bert.account["name"], "password": GOOD})
    assert [item["kind"] for item in await board(house)] == ["bot"]


async def test_ratings_come_back_with_a_backup(house, relay, deps):
    anna = await house.guest(password=GOOD)
    match = await house.play_out(anna, await anna.open(**AGAINST_BOT), Random(1))
    await passed_on(relay)
    before = await board(house)
    log, saved = (await anna.get(f"/api/matches/{match['id']}/log")).content, await backup.dump(deps.client)
    await deps.client.flushall()
    deps.matches._kept.clear()
    await Outbox(deps.client).ensure_groups()
    await backup.restore(deps.client, saved)
    assert (await anna.ask("POST", "/api/import", content=log)).status_code == 201
    await passed_on(relay)
    assert await board(house) == before


async def test_a_farm_of_guests_and_of_fresh_accounts_brings_nothing(house, relay):
    """Twenty-five who sit down and resign: guests, then accounts made for it; or play a little."""
    eve = await house.guest(password=GOOD)
    for kind, moves in (({}, 0), ({}, MOVES), ({"password": GOOD}, 0), ({"password": GOOD}, MOVES)):
        for _ in range(25 if not moves else 5):
            await beat(house, eve, await house.guest(**kind), moves)
    await passed_on(relay)
    found = {item["name"]: item for item in await board(house)}
    assert found[eve.account["name"]]["rating"] == 1500
    assert found[eve.account["name"]]["matches"] == 5  # those of accounts that played a little
    assert len(found) == 6  # and no guest among them


async def beat(house, eve, puppet, moves):
    match = await eve.open(game="tides-of-time", seats=[{"kind": "me"}, {"kind": "open"}])
    match = (await puppet.post(f"/api/matches/{match['id']}/seats/1")).json()
    for _ in range(moves):
        for guest in (eve, puppet):
            assert (await guest.act(await guest.look(match))).status_code == 200
    gone = await puppet.ask("DELETE", f"/api/matches/{match['id']}/seats/1")
    assert gone.json()["result"]["places"] == [1, 2]


async def test_bad_questions(house):
    for query in ({}, {"game": "chess"}):
        assert (await house.nobody.get("/api/leaderboard", params=query)).json()["code"] == "unknown_game"
    for limit in ("0", "x", "-1"):
        answer = await house.nobody.get("/api/leaderboard", params={"game": "akropolis", "limit": limit})
        assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")
    assert await board(house, game=next(iter(registry.GAMES)), limit=10**6) == []  # clamped
