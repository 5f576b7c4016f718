"""Hints: asked over HTTP, thought of by a worker on the asker's account, read by nobody else."""

import pytest

from bots.registry import BOTS
from engine import registry
from infra.store.lanes import FLYING
from infra.store.redis import connect_sync
from service.commands import agreements, tables
from service.commands.records import AskHint, OpenMatch
from workers.bots import limits
from workers.bots.bot_turn import owed, play, still_owed
from workers.bots.schedule import Turns, owing
from workers.jobs import BotTurn, Jobs
from workers.relay import Relay

pytestmark = pytest.mark.anyio
ANNA = "account:anna"


async def waited_for(deps, game="tides-of-time", bot="greedy"):
    """A match in which Anna is to act; its bot has played as far as it can."""
    seats = ({"kind": "me"}, {"kind": "bot", "bot": bot})
    match = await tables.open_match(deps, OpenMatch(who=ANNA, game=game, seats=seats))
    while 0 not in match.to_act:
        await play(deps, owed(match)[0])
        match = await deps.matches.now(match.id)
    return match


async def asked(deps, match):
    match = await agreements.ask_hint(deps, AskHint(who=ANNA, match=match.id))
    return match, BotTurn(match.id, *match.advice)


@pytest.mark.parametrize("game", registry.GAMES)
async def test_a_bot_advises_what_may_be_done_and_says_why(house, game):
    anna = await house.guest()
    match = await anna.open(game=game, seats=[{"kind": "me"}, {"kind": "bot", "bot": "greedy"}])
    path, deps = f"/api/matches/{match['id']}", house.deps
    while not (match := await anna.look(match))["hint"]:
        await play(deps, owed(await deps.matches.now(match["id"]))[0])
    assert match["hint"] == {"asked": None}
    assert (await anna.get(f"{path}/hint")).json() == {"asked": None, "advice": None}
    told = (await anna.post(f"{path}/hint")).json()
    assert (told["assisted"], told["hint"]) == (True, {"asked": told["seq"]})
    assert (await anna.get(f"{path}/hint")).json() == {"asked": told["seq"], "advice": None}
    assert not await play(deps, BotTurn(match["id"], 0, told["seq"]))
    advice = (await anna.get(f"{path}/hint")).json()["advice"]
    assert advice["bot"] == "greedy"
    for offer in advice["offers"]:
        assert told["labels"][told["legal"].index(offer["action"])] == offer["label"]
    assert isinstance(advice["before"], float)
    assert isinstance(advice["offers"][0]["after"], float)
    for stranger in (await house.guest(), house.nobody):
        assert "advice" not in (await stranger.get(f"{path}/hint")).json()
        assert (await stranger.look(match))["hint"] is None
    acted = await anna.post(f"{path}/actions", {"seq": told["seq"], "action": advice["offers"][0]["action"]})
    assert acted.status_code == 200, acted.text
    assert (await anna.get(f"{path}/hint")).json()["advice"] is None


async def test_people_are_not_helped_against_people(house):
    anna, bert = await house.guest(), await house.guest()
    match = await anna.open(game="tides-of-time", seats=[{"kind": "me"}, {"kind": "open"}])
    await bert.post(f"/api/matches/{match['id']}/seats/1")
    refused = await anna.post(f"/api/matches/{match['id']}/hint")
    assert (refused.status_code, refused.json()["code"]) == (409, "not_against_bots")
    assert (await anna.look(match))["assisted"] is False


async def test_advice_is_on_the_askers_account_and_off_it_once_given(deps, embedded):
    connection = connect_sync(embedded.url)
    jobs = Jobs(connection)
    assert jobs.were_lost()
    relay = Relay(deps, jobs)
    match, turn = await asked(deps, await waited_for(deps))
    assert [(one.seat, one.opener) for one in owing(match) if one.since == turn.since] == [(0, ANNA)]
    await relay.step()
    await relay.step()
    assert turn.job_id.encode() in connection.lrange("rq:queue:bots", 0, -1)
    await play(deps, turn)
    assert await deps.beside.advice(match.id, turn.since) is not None
    await Turns(deps, jobs, lost_s=3.0).plan(match)
    assert not [one for one in connection.zrange(FLYING, 0, -1) if one.endswith(b" 0 %d" % turn.since)]
    connection.close()


async def test_a_bot_that_guesses_lets_another_advise(deps):
    match, turn = await asked(deps, await waited_for(deps, bot="random"))
    assert still_owed(match, turn) == "greedy"


async def test_a_bot_that_fails_stops_nothing(deps, monkeypatch):
    monkeypatch.setattr(limits, "GREEDY_S", 0.7)
    match, turn = await asked(deps, await waited_for(deps))
    monkeypatch.setitem(BOTS, "greedy", lambda *_: 1 // 0)
    monkeypatch.setitem(BOTS, "random", lambda *_: 1 // 0)
    await play(deps, turn)
    assert b'"offers":[]' in await deps.beside.advice(match.id, turn.since)
