"""Why something is not possible, positions all at once, and whether a log is honest."""

import json
from random import Random

import pytest

from engine import registry
from engine.proof import verify

pytestmark = pytest.mark.anyio


async def test_the_rules_say_why_and_nothing_is_done(house, guest):
    match = await guest.open(game="machi-koro", options={"first_seat": 0})
    path = f"/api/matches/{match['id']}/why"
    good = (await guest.post(path, {"action": match["legal"][0]})).json()
    assert good == {"legal": True, "reason": None, "detail": None}
    dear = {"type": "build", "card": "radio_tower"}
    bad = (await guest.post(path, {"action": dear}, headers={"Accept-Language": "cs"})).json()
    posted = (await guest.act(match, dear)).json()
    assert (bad["legal"], bad["reason"]) == (False, posted["reason"])
    assert bad["detail"] != posted["detail"]  # the same refusal in the asked language
    assert await house.length(match) == match["seq"]


async def test_only_who_sits_there_may_ask_why(house, guest):
    match = await guest.open()
    path = f"/api/matches/{match['id']}/why"
    other = await house.guest()
    assert (await other.post(path, {"action": {}})).json()["code"] == "not_your_seat"
    assert (await house.nobody.post(path, {"action": {}})).status_code == 401
    assert (await guest.post(path, {})).json()["code"] == "bad_request"
    for nonsense in (None, 7, [], "x", {"type": 1}, {"type": {"a": []}}):
        assert (await guest.post(path, {"action": nonsense})).json()["legal"] is False
    waiting = await guest.open(seats=[{"kind": "me"}, {"kind": "open"}])
    refused = await guest.post(f"/api/matches/{waiting['id']}/why", {"action": {}})
    assert refused.json()["code"] == "not_started"


async def test_a_preview_shows_what_follows_at_once_and_nothing_is_done(house, guest, rng):
    match = await guest.open(game="akropolis")
    await house.bots_act(match["id"], rng)
    match = await guest.look(match)
    path = f"/api/matches/{match['id']}/preview"
    seen = (await guest.post(path, {"action": match["legal"][0]})).json()
    assert seen["seq"] == match["seq"] == await house.length(match)
    after = (await guest.act(match, match["legal"][0])).json()
    assert seen["view"]["players"][match["you"]] == after["view"]["players"][match["you"]]
    refused = await guest.post(path, {"action": {"type": "no such thing"}})
    assert refused.json() == {"seq": after["seq"], "view": None, "open": False}


async def test_a_preview_stops_before_chance_and_before_what_is_hidden(house, guest):
    match = await guest.open(game="machi-koro", options={"first_seat": 0})
    path = f"/api/matches/{match['id']}/preview"
    rolled = (await guest.post(path, {"action": match["legal"][0]})).json()
    assert (rolled["open"], rolled["view"]["dice"]) == (True, [])
    table = await guest.open(game="tides-of-time", seats=[{"kind": "me"}, {"kind": "open"}])
    other = await house.guest()
    await other.post(f"/api/matches/{table['id']}/seats/1", {})
    chosen = await other.look(table)
    await other.act(chosen, chosen["legal"][0])
    mine = await guest.look(table)
    seen = (await guest.post(f"/api/matches/{table['id']}/preview", {"action": mine["legal"][0]})).json()
    assert seen["open"]
    assert [player["kingdom"] for player in seen["view"]["players"]] == [[], []]


async def test_only_who_sits_there_may_look_ahead(house, guest):
    match = await guest.open()
    path = f"/api/matches/{match['id']}/preview"
    other = await house.guest()
    assert (await other.post(path, {"action": {}})).json()["code"] == "not_your_seat"
    waiting = await guest.open(seats=[{"kind": "me"}, {"kind": "open"}])
    refused = await guest.post(f"/api/matches/{waiting['id']}/preview", {"action": {}})
    assert refused.json()["code"] == "not_started"


async def test_all_positions_in_one_answer_are_those_of_each_moment(house, guest, rng):
    match = await guest.open(game="babylonia")
    await house.bots_act(match["id"], rng)
    for _ in range(4):
        match = await house.both_act(guest, await guest.look(match), rng)
    found = await views(guest, f"/api/matches/{match['id']}")
    assert max(found) == match["seq"]
    for seq, view in found.items():
        assert view == (await guest.look(match, f"?at={seq}"))["view"], seq
    later = (await guest.get(f"/api/matches/{match['id']}/views?after={match['seq'] - 1}")).text
    assert [json.loads(line)["seq"] for line in later.splitlines()] == [match["seq"]]
    assert (await guest.get(f"/api/matches/{match['id']}/views?after=9999")).text == ""
    assert (await guest.get(f"/api/matches/{match['id']}/views?limit=0")).text == ""
    assert (await guest.get(f"/api/matches/{match['id']}/views?limit=x")).status_code == 400


async def test_positions_follow_a_seat_that_changes_hands(house, guest):
    """Eve plays for Bert for a while: she sees what he saw while she played, and what everybody sees else."""
    anna, bert, eve = guest, await house.guest(), await house.guest()
    match = await anna.open(seats=[{"kind": "me"}, {"kind": "open"}])
    path = f"/api/matches/{match['id']}"

    async def both_choose(second):
        for player in (anna, second):
            answer = await player.act(await player.look(match))
            assert answer.status_code == 200, answer.text

    await bert.post(f"{path}/seats/1")
    await both_choose(bert)
    await bert.post(f"{path}/seats/1/leave")
    code = (await bert.post(f"{path}/seats/1/invite")).json()["code"]
    came = (await eve.post(f"{path}/seats/1", {"invite": code})).json()["seq"]
    chosen = (await eve.act(await eve.look(match))).json()
    undone = await eve.post(f"{path}/undo", {"seq": chosen["seq"], "to": chosen["undo"]["to"]})
    assert undone.status_code == 200, undone.text  # the position goes back, the seat stays hers
    await both_choose(eve)
    went = (await bert.post(f"{path}/seats/1")).json()["seq"]
    await both_choose(bert)

    hers, his, open_to_all = [await views(one, path) for one in (eve, bert, house.nobody)]
    assert hers.keys() == his.keys() == open_to_all.keys()
    assert min(hers) < came < went < max(hers)
    for seq, view in hers.items():
        assert his[seq] != open_to_all[seq], seq  # he holds cards that others do not see, at every moment
        assert view == (his if came <= seq < went else open_to_all)[seq], seq


async def views(guest, path):
    lines = (await guest.get(f"{path}/views")).text.splitlines()
    return {line["seq"]: line["view"] for line in map(json.loads, lines)}


async def test_a_finished_match_is_verified_step_by_step(house, guest, rng):
    match = await guest.open(game="machi-koro")
    early = await guest.get(f"/api/matches/{match['id']}/verify")
    assert early.json()["code"] == "not_over"
    match = await house.play_out(guest, match, rng)
    done = (await house.nobody.get(f"/api/matches/{match['id']}/verify")).json()
    assert done["holds"]
    assert [(check["what"], check["holds"]) for check in done["checks"]] == [
        (what, True) for what in verify.CHECKS
    ]
    assert (done["verdict"], done["revision"]) == ("valid", registry.game("machi-koro").revision)
    assert done["draws"] > 10


async def test_a_forged_roll_is_found_by_the_dice_and_by_nothing_else(house, guest):
    """Somebody who may write the store makes a log whose chain and seal hold, with a roll never drawn."""
    match = await house.play_out(guest, await guest.open(game="machi-koro"), Random(3))
    log = (await guest.get(f"/api/matches/{match['id']}/log")).content
    lines = [json.loads(line) for line in log.splitlines()]
    rolls = [(event, fact) for event in lines for fact in event.get("facts", ()) if fact["type"] == "rolled"]
    forged, roll = rolls[0]
    roll["dice"] = [7 - roll["dice"][0], *roll["dice"][1:]]
    report = verify.report(chained(lines))
    assert (report.verdict(), report.verdict(signed=True)) == ("forged", "forged")
    assert [report.checks[what] for what in ("chain", "seal", "salts", "holders")] == [None] * 4
    assert report.checks["draws"].line == forged["seq"]


def chained(events):
    """The same events with hashes that fit."""
    from engine import codec

    head, out = "0" * 64, []
    for event in events[:-1]:
        line = codec.encode({**event, "prev": head})
        head = codec.digest(line)
        out.append(line)
    return b"\n".join([*out, codec.encode({"end": len(out), "head": head}), b""])
