"""New matches from moments of others: the same position, other dice, and no more than the caller knew."""

import json

import pytest

from engine.proof.verify import read, verify
from service.views import sight

pytestmark = pytest.mark.anyio
SEATS = [{"kind": "me"}, {"kind": "bot", "bot": "random"}]


def seats_for(rules):
    return [{"kind": "me"}, *[{"kind": "bot", "bot": "random"}] * (rules.players[0] - 1)]


async def fork(guest, match, at, **more):
    return await guest.post(f"/api/matches/{match['id']}/fork", {"at": at, "seats": SEATS, **more})


async def code(answer):
    return answer.status_code, answer.json()["code"]


async def test_a_finished_match_goes_on_from_any_moment(house, guest, rules, rng):
    seats = seats_for(rules)
    match = await guest.open(game=rules.key, seats=seats)
    await house.bots_act(match["id"], rng)
    match = await guest.look(match)
    for _ in range(6):
        at = match["seq"]  # before the last action, which may have ended the match
        match = await house.both_act(guest, match, rng)
        if match["status"] != "running":
            break
    else:
        assert (await guest.ask("DELETE", f"/api/matches/{match['id']}/seats/0")).status_code == 200
    answer = await fork(guest, match, at, seats=seats)
    assert answer.status_code == 201, answer.text
    new = answer.json()
    assert answer.headers["location"] == f"/api/matches/{new['id']}"
    assert (new["status"], new["assisted"], new["listed"]) == ("running", True, False)
    assert new["view"] == (await guest.look(match, f"?at={at}"))["view"]
    assert new["seal"] != match["seal"]
    assert new["legal"] or new["you"] not in new["to_act"]
    end = await house.play_out(guest, new, rng)
    assert end["status"] == "finished"
    _, lines = read((await guest.get(f"/api/matches/{new['id']}/log")).content)
    verify(lines)
    forked = json.loads(lines[1])
    assert (forked["kind"], forked["source"], forked["at_seq"]) == ("forked", match["id"], at)


async def test_of_a_running_match_only_what_one_knows_goes_along(house, guest, rng):
    other = await house.guest()
    match = await guest.open(seats=[{"kind": "me"}, {"kind": "open"}])
    match = (await other.post(f"/api/matches/{match['id']}/seats/1")).json()
    theirs = set()
    for _ in range(12):
        new = (await fork(guest, match, match["seq"])).json()
        assert new["view"] == (await guest.look(match))["view"]
        forked = await house.deps.matches.now(new["id"])
        theirs.add(sight.encode(forked.rules.view(forked.state, 1)))
    assert len(theirs) > 6, "the other hand is always the same: it would be the true one"


async def test_a_running_fork_hides_its_position(house, guest):
    match = await guest.open()
    new = (await fork(guest, match, match["seq"])).json()
    shown = (await guest.get(f"/api/matches/{new['id']}/events")).text
    assert '"kind":"forked"' in shown
    assert '"state"' not in shown
    stranger = await house.guest()
    assert (await stranger.get(f"/api/matches/{new['id']}")).status_code == 404


async def test_vacant_seats_are_taken_later(house, guest):
    match = await guest.open()
    seats = [{"kind": "me"}, {"kind": "open"}]
    new = (await fork(guest, match, match["seq"], seats=seats, listed=True)).json()
    other = await house.guest()
    answer = await other.post(f"/api/matches/{new['id']}/seats/1")
    assert answer.status_code == 200
    assert (await other.act(answer.json())).status_code == 200


async def test_what_cannot_be_forked(house, guest):
    match = await guest.open()
    path = f"/api/matches/{match['id']}/fork"
    assert await code(await fork(guest, match, 10**6)) == (404, "not_found")
    assert await code(await fork(guest, match, 0)) == (404, "not_found")
    assert await code(await fork(guest, match, 1)) == (409, "not_running")
    assert await code(await fork(guest, match, match["seq"], seats=SEATS * 2)) == (409, "already_seated")
    assert await code(await fork(guest, match, match["seq"], seats=SEATS[:1])) == (400, "bad_seats")
    assert await code(await guest.post(path, {"seats": SEATS})) == (400, "bad_request")
    assert await code(await house.nobody.post(path, {"at": 4, "seats": SEATS})) == (401, "unauthenticated")
    hidden = await guest.open(listed=False)
    assert await code(await fork(await house.guest(), hidden, hidden["seq"])) == (404, "not_found")
    assert await code(await fork(guest, match, match["seq"], clock={"kind": "sand"})) == (400, "bad_request")
