"""Open a table, find it, sit down, get up, take it away."""

import pytest

pytestmark = pytest.mark.anyio

OPEN = [{"kind": "me"}, {"kind": "open"}]
INVITE = [{"kind": "me"}, {"kind": "invite"}]


def code_of(invite):
    return invite.rpartition("=")[2]


async def test_a_table_with_a_bot_starts_at_once(guest):
    match = await guest.open()
    assert match["status"] == "running"
    assert match["you"] == 0
    assert match["to_act"] == [0, 1]
    assert len(match["labels"]) == len(match["legal"]) > 0
    assert [seat["kind"] for seat in match["seats"]] == ["person", "bot"]
    assert match["seats"][0]["name"] == guest.account["name"]


async def test_every_field_is_always_there(house, guest):
    fields = set(await guest.open())
    waiting = await guest.open(seats=OPEN)
    assert set(waiting) == fields
    assert set(await house.nobody.look(waiting)) == fields
    assert (waiting["view"], waiting["legal"], waiting["result"]) == (None, [], None)


async def test_the_second_guest_starts_the_match(house, guest):
    match = await guest.open(seats=OPEN)
    assert match["status"] == "open"
    other = await house.guest()
    started = await other.post(f"/api/matches/{match['id']}/seats/1", {"nonce": "dice"})
    assert started.status_code == 200
    assert (started.json()["status"], started.json()["you"]) == ("running", 1)


async def test_sitting_down_needs_no_body(house, guest):
    match = await guest.open(seats=OPEN)
    assert (await (await house.guest()).post(f"/api/matches/{match['id']}/seats/1")).status_code == 200


async def test_the_creators_nonce_counts_once_the_seal_is_shown(guest):
    match = await guest.open(seats=OPEN)
    seats = f"/api/matches/{match['id']}/seats/0"
    assert (await guest.post(seats, {"nonce": "mine"})).json()["seq"] == match["seq"] + 1


async def test_only_one_seat_for_each(guest):
    match = await guest.open(seats=OPEN)
    answer = await guest.post(f"/api/matches/{match['id']}/seats/1", {})
    assert (answer.status_code, answer.json()["code"]) == (409, "already_seated")
    twice = await guest.post(
        "/api/matches", {"game": "tides-of-time", "seats": [{"kind": "me"}, {"kind": "me"}]}
    )
    assert twice.json()["code"] == "already_seated"


async def test_getting_up_before_the_start(guest):
    match = await guest.open(seats=OPEN)
    left = (await guest.ask("DELETE", f"/api/matches/{match['id']}/seats/0")).json()
    assert (left["you"], left["seats"][0]["kind"]) == (None, "person")


async def test_resigning_after_it(guest):
    match = await guest.open()
    over = (await guest.ask("DELETE", f"/api/matches/{match['id']}/seats/0")).json()
    assert over["status"] == "finished"
    assert (over["result"]["how"], over["result"]["winners"]) == ("resigned", [1])


async def test_only_the_creator_cancels_and_only_before_the_start(house, guest):
    match = await guest.open(seats=OPEN)
    path = f"/api/matches/{match['id']}/cancel"
    assert (await (await house.guest()).post(path)).json()["code"] == "forbidden"
    assert (await guest.post(path)).json()["status"] == "cancelled"
    assert (await guest.post(path)).json()["code"] == "not_open"
    running = await guest.open()
    assert (await guest.post(f"/api/matches/{running['id']}/cancel")).json()["code"] == "not_open"


@pytest.mark.parametrize("seat", [0, 1])
async def test_no_seat_for_the_invited_is_open_to_others(house, guest, seat):
    seats = [{"kind": "me"}, {"kind": "me"}]
    seats[seat] = {"kind": "invite"}
    match = await guest.open(seats=seats)
    refused = await (await house.guest()).post(f"/api/matches/{match['id']}/seats/{seat}", {})
    assert (refused.status_code, refused.json()["code"]) == (403, "wrong_invite")


async def test_an_invited_guest_needs_the_code(house, guest):
    match = await guest.open(seats=INVITE)
    seat = f"/api/matches/{match['id']}/seats/1"
    other = await house.guest()
    for wrong in ({}, {"invite": "0" * 24}):
        assert (await other.post(seat, wrong)).json()["code"] == "wrong_invite"
    assert (await other.post(seat, {"invite": code_of(match["invite"])})).json()["you"] == 1


async def test_the_invitation_is_for_the_creator_alone(house, guest):
    match = await guest.open(seats=INVITE)
    assert match["invite"].startswith("http")
    assert (await (await house.guest()).look(match))["invite"] is None
    assert (await house.nobody.look(match))["invite"] is None


async def test_an_unlisted_match_does_not_exist_for_strangers(house, guest):
    match = await guest.open(seats=INVITE, listed=False)
    other, path = await house.guest(), f"/api/matches/{match['id']}"
    code = code_of(match["invite"])
    for tail in ("", "?at=1", "/events", "/log", "/stream"):
        for stranger in (other, house.nobody):
            assert (await stranger.get(path + tail)).json()["code"] == "not_found"
        if tail != "/stream":
            with_code = f"{path}{tail}{'&' if '?' in tail else '?'}invite={code}"
            assert (await house.nobody.get(with_code)).status_code == 200
        assert (await other.get(f"{path}{tail or '?'}&invite=wrong")).status_code == 404
    assert (await other.post(f"{path}/seats/1", {})).json()["code"] == "not_found"
    assert (await other.post(f"{path}/cancel")).json()["code"] == "not_found"
    act = await other.post(f"{path}/actions", {"seq": 2, "action": {"type": "play"}})
    assert act.json()["code"] == "not_found"
    seated = await other.post(f"{path}/seats/1", {"invite": code})
    assert seated.status_code == 200
    assert (await other.get(path)).json()["you"] == 1


async def test_lists_come_in_pages(house, guest):
    made = [(await guest.open(seats=OPEN))["id"] for _ in range(3)]
    hidden = (await guest.open(seats=OPEN, listed=False))["id"]
    for ident in [*made, hidden]:
        await house.list_it(ident)
    page = (await house.nobody.get("/api/matches?limit=2")).json()
    rest = (await house.nobody.get(f"/api/matches?limit=2&after={page['next']}")).json()
    assert {item["id"] for item in page["items"] + rest["items"]} == set(made)
    assert rest["next"] is None
    mine = (await guest.get("/api/matches?mine=1&limit=999999999999")).json()
    assert {item["id"] for item in mine["items"]} == {*made, hidden}
    assert (await house.nobody.get("/api/matches?mine=1")).status_code == 401


async def test_lists_are_sieved(house, guest):
    waiting, running = await guest.open(seats=OPEN), await guest.open()
    for match in (waiting, running):
        await house.list_it(match["id"])

    async def found(query):
        return [item["id"] for item in (await house.nobody.get(f"/api/matches?{query}")).json()["items"]]

    assert await found("status=open") == [waiting["id"]]
    assert await found("status=running&game=tides-of-time") == [running["id"]]
    assert await found("game=akropolis") == []
    (item,) = (await house.nobody.get("/api/matches?status=running")).json()["items"]
    assert [seat["name"] for seat in item["seats"]] == [guest.account["name"], "Beginner bot"]


async def test_seats_may_be_shuffled(guest):
    seats = [(await guest.open(shuffle=True))["you"] for _ in range(20)]
    assert set(seats) == {0, 1}  # all alike once in 500,000 runs


async def test_the_list_of_who_played_a_seat_is_bounded(house):
    """Stepping out and coming back made every answer of the match longer."""
    anna, bert = await house.guest(), await house.guest()
    match = await anna.open(game="machi-koro", seats=[{"kind": "me"}, {"kind": "open"}])
    seat = f"/api/matches/{match['id']}/seats/1"
    await bert.post(seat)
    codes = []
    for _ in range(110):
        codes.append((await bert.post(f"{seat}/leave")).json().get("code"))
        codes.append((await bert.post(seat)).json().get("code"))
    assert codes.count("changed_too_often") > 0
    assert set(codes) <= {None, "changed_too_often", "already_seated", "not_open"}
    seen = await anna.look(match)
    parts = seen["seats"][1]["parts"]
    assert (len(parts), parts[0]["why"], parts[-1]["why"]) == (20, "seated", "returned")
    assert await house.length(match) < 220


async def test_nonces_before_the_start_are_bounded(house):
    anna = await house.guest()
    match = await anna.open(game="machi-koro", seats=[{"kind": "me"}, {"kind": "open"}])
    seat = f"/api/matches/{match['id']}/seats/0"
    answers = [await anna.post(seat, {"nonce": str(number)}) for number in range(60)]
    assert (answers[-1].status_code, answers[-1].json()["code"]) == (409, "changed_too_often")
    assert await house.length(match) <= 42
