"""Whatever is wrong gets its own code and sentence, the log stays as it is, and nobody sees a traceback."""

import json

import pytest
import structlog

pytestmark = pytest.mark.anyio

SEATS = [{"kind": "me"}, {"kind": "bot", "bot": "random"}]
DEEP = b"[" * 100_000


@pytest.fixture(autouse=True)
def no_traceback():
    with structlog.testing.capture_logs() as lines:
        yield
    assert [line for line in lines if line["log_level"] in ("error", "critical")] == []


@pytest.fixture
async def match(guest):
    return await guest.open()


def check(answer, status, code):
    body = answer.json()
    assert (answer.status_code, body["code"]) == (status, code), body
    assert answer.headers["content-type"] == "application/problem+json"
    assert body["status"] == status
    assert body["detail"][0].isupper()
    assert body["detail"][-1] in ".”"
    assert "?" not in body["detail"]
    return body


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (b"", "bad_request"),
        (b"{", "bad_request"),
        (b"\xff\xfe", "bad_request"),
        (b"[]", "bad_request"),
        (b'"x"', "bad_request"),
        (b"null", "bad_request"),
        (b"{}", "bad_request"),
        (b'{"seq": 4}', "bad_request"),
        (b'{"action": {"type": "play"}}', "bad_request"),
        (b'{"seq": "4", "action": {}}', "bad_request"),
        (b'{"seq": true, "action": {}}', "bad_request"),
        (b'{"seq": -1, "action": {}}', "bad_request"),
        (b'{"seq": 1e999, "action": {}}', "bad_request"),
        (b'{"seq": 99999999999999999999999, "action": {}}', "bad_request"),
        (b'{"seq": NaN, "action": {}}', "bad_request"),
        (b'{"seq": 4, "action": {"type": "play"}, "more": 1}', "bad_request"),
        (b'{"seq": 4, "action": ' + DEEP[:50_000], "bad_request"),
        (b'{"seq": 4, "action": "\\ud800"}', "bad_request"),
        (b'{"seq": 4, "action": null}', "illegal_action"),
        (b'{"seq": 4, "action": []}', "illegal_action"),
        (b'{"seq": 4, "action": {"type": 3}}', "illegal_action"),
        (b'{"seq": 4, "action": {"type": "fly"}}', "illegal_action"),
        (b'{"seq": 4, "action": {"type": "play", "card": 5}}', "illegal_action"),
        (b'{"seq": 4, "action": {"type": "play", "card": 1e5}}', "illegal_action"),
        (b'{"seq": 4, "action": {"type": "play", "card": "x", "more": 1}}', "illegal_action"),
        (b'{"seq": 4, "action": {"type": "play", "card": 123456789012345678901234567890}}', "illegal_action"),
    ],
)
async def test_actions_of_the_wrong_shape(house, guest, match, raw, code):
    for key in ("", "with-a-key"):
        headers = {"Idempotency-Key": key} if key else {}
        answer = await guest.ask("POST", f"/api/matches/{match['id']}/actions", content=raw, headers=headers)
        body = check(answer, 400 if code == "bad_request" else 422, code)
        assert code == "bad_request" or body["reason"]
    assert await house.length(match) == match["seq"]


async def test_nobody_calls_an_action_as_the_house_calls_its_own(house, guest, match):
    """Else a program could make the log of its match read like a forged one."""
    body = {"seq": match["seq"], "action": match["legal"][0]}
    path, headers = f"/api/matches/{match['id']}/actions", {"Idempotency-Key": f"stand-in-{match['id']}-4-0"}
    for lang, word in (("en", "may not"), ("cs", "nesmí")):
        answer = await guest.post(path, body, headers={**headers, "Accept-Language": lang})
        assert word in check(answer, 400, "bad_request")["detail"]
    assert await house.length(match) == match["seq"]


async def test_an_action_out_of_order(house, guest, match, rng):
    old = await house.both_act(guest, match, rng)
    new = await house.both_act(guest, old, rng)
    length = await house.length(match)
    stale = check(await guest.act(old), 409, "stale_seq")
    assert stale["current"] == new["seq"]
    assert str(new["seq"]) in stale["detail"]
    check(await guest.act(new, seq=0), 409, "stale_seq")
    check(await guest.act(new, seq=new["seq"] + 1), 409, "stale_seq")
    check(await guest.act(new, {"type": "keep", "relic": "x", "discard": "y"}), 422, "illegal_action")
    assert await house.length(match) == length


async def test_the_action_is_judged_before_the_seq(guest, match):
    body = check(await guest.act(match, {"type": "fly"}, seq=0), 422, "illegal_action")
    assert body["reason"] == "unknown_action"


async def test_the_seat_is_judged_before_the_action(house, match):
    other = await house.guest()
    check(await other.act(match, {"type": "fly"}), 403, "not_your_seat")
    assert await house.length(match) == match["seq"]


async def test_who_asks_is_judged_before_the_body(house, match):
    path = f"/api/matches/{match['id']}/actions"
    check(await house.nobody.ask("POST", path, content=b"{"), 401, "unauthenticated")
    check(await house.nobody.ask("POST", "/api/matches", content=b"{"), 401, "unauthenticated")


async def test_a_match_that_is_over_or_not_begun(house, guest, match, rng):
    waiting = await guest.open(seats=[{"kind": "me"}, {"kind": "open"}])
    check(await guest.act(waiting, {"type": "play", "card": "x"}), 409, "not_started")
    await guest.post(f"/api/matches/{waiting['id']}/cancel")
    check(await guest.act(waiting, {"type": "play", "card": "x"}), 409, "not_started")
    over = await house.play_out(guest, match, rng)
    length = await house.length(match)
    action = match["legal"][0]
    assert check(await guest.act(over, action), 422, "illegal_action")["reason"] == "game_over"
    check(await guest.act(match, action), 409, "stale_seq")
    check(await guest.ask("DELETE", f"/api/matches/{match['id']}/seats/0"), 409, "not_open")
    assert await house.length(match) == length


@pytest.mark.parametrize("key", ["x" * 201, "with\x7fdelete", b"\xc5\xbe"])
async def test_keys_that_cannot_be_kept(house, guest, match, key):
    check(await guest.act(match, key=key), 400, "bad_request")
    assert await house.length(match) == match["seq"]


@pytest.mark.parametrize(
    ("wanted", "status", "code"),
    [
        ({"game": "chess", "seats": SEATS}, 404, "unknown_game"),
        ({"game": "tides-of-time", "seats": SEATS, "options": {"no_such": 1}}, 400, "bad_options"),
        ({"game": "tides-of-time", "seats": SEATS, "options": {"allow_change": "yes"}}, 400, "bad_options"),
        ({"game": "tides-of-time", "seats": SEATS, "options": []}, 400, "bad_request"),
        ({"game": "tides-of-time", "seats": SEATS, "colour": "red"}, 400, "bad_request"),
        ({"game": "tides-of-time", "seats": [{"kind": "me"}]}, 400, "bad_seats"),
        ({"game": "tides-of-time", "seats": []}, 400, "bad_seats"),
        ({"game": "tides-of-time", "seats": [*SEATS, {"kind": "open"}]}, 400, "bad_seats"),
        ({"game": "tides-of-time", "seats": [{"kind": "me"}, {"kind": "cat"}]}, 400, "bad_request"),
        ({"game": "tides-of-time", "seats": [{"kind": "me"}, {"kind": "bot"}]}, 400, "bad_request"),
        ({"game": "tides-of-time", "seats": [{"kind": "me", "x": 1}, {"kind": "open"}]}, 400, "bad_request"),
        ({"game": "tides-of-time", "seats": [{"kind": "bot", "bot": "hal"}] * 2}, 400, "unknown_bot"),
        ({"game": "tides-of-time", "seats": "me"}, 400, "bad_request"),
        ({"game": 7, "seats": SEATS}, 400, "bad_request"),
        ({"game": "tides-of-time", "seats": SEATS, "listed": "yes"}, 400, "bad_request"),
        ({"game": "tides-of-time", "seats": SEATS, "nonce": "a,b"}, 400, "bad_request"),
        ({"game": "tides-of-time", "seats": SEATS, "clock": {"per_move": 0.5}}, 400, "bad_request"),
        ({"seats": SEATS}, 400, "bad_request"),
    ],
)  # fmt: skip
async def test_tables_that_cannot_be(guest, wanted, status, code):
    check(await guest.post("/api/matches", wanted), status, code)


@pytest.mark.parametrize("raw", [b"", b"{", b"[1]", b"3", DEEP[:60_000], b'{"name": "\\ud800"}', b"\xff"])
async def test_bodies_that_are_no_object(house, raw):
    check(await house.nobody.ask("POST", "/api/accounts", content=raw), 400, "bad_request")


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("", "bad_name"),
        ("a\x07b", "bad_name"),
        ("a\nb", "bad_name"),
        ("a\u202eb", "bad_name"),
        (" a", "bad_name"),
        ("x" * 41, "bad_name"),
        (7, "bad_request"),
        (None, "bad_request"),
    ],
)
async def test_names_that_cannot_be(house, name, code):
    for lang in ("en", "cs"):
        answer = await house.nobody.post("/api/accounts", {"name": name}, headers={"Accept-Language": lang})
        check(answer, 400, code)


async def test_a_name_that_somebody_has(house, guest):
    check(
        await house.nobody.post("/api/accounts", {"name": guest.account["name"].upper()}), 409, "name_taken"
    )


@pytest.mark.parametrize(
    ("tail", "status", "code"),
    [
        ("?at=x", 400, "bad_request"),
        ("?at=-1", 400, "bad_request"),
        ("?at=99999999999999999999", 400, "bad_request"),
        ("?at=١", 400, "bad_request"),
        ("?legal=maybe", 400, "bad_request"),
        ("/events?after=x", 400, "bad_request"),
        ("/events?after=18446744073709551616", 400, "bad_request"),
        ("/events?limit=-1", 400, "bad_request"),
        ("/stream?after=x", 400, "bad_request"),
        ("/nothing", 404, "not_found"),
    ],
)
async def test_queries_that_make_no_sense(guest, match, tail, status, code):
    check(await guest.get(f"/api/matches/{match['id']}{tail}"), status, code)


@pytest.mark.parametrize("ident", ["nothing", "%00", "..%2f..", "x" * 200, "a{b}c", "ž", "%ff"])
async def test_matches_that_do_not_exist(guest, ident):
    for tail in ("", "/events", "/log", "/stream"):
        check(await guest.get(f"/api/matches/{ident}{tail}"), 404, "not_found")
    for method, tail in [("POST", "/seats/0"), ("DELETE", "/seats/0"), ("POST", "/cancel")]:
        check(await guest.ask(method, f"/api/matches/{ident}{tail}"), 404, "not_found")
    body = {"seq": 1, "action": {"type": "play"}}
    check(await guest.post(f"/api/matches/{ident}/actions", body), 404, "not_found")


@pytest.mark.parametrize(
    ("seat", "status", "code"),
    [
        ("7", 404, "no_such_seat"),
        ("-1", 400, "bad_request"),
        ("x", 400, "bad_request"),
        ("9" * 40, 400, "bad_request"),
    ],
)
async def test_seats_that_do_not_exist(house, guest, seat, status, code):
    match = await guest.open(seats=[{"kind": "me"}, {"kind": "open"}])
    check(await (await house.guest()).post(f"/api/matches/{match['id']}/seats/{seat}", {}), status, code)
    assert await house.length(match) == match["seq"]


@pytest.mark.parametrize("raw", [b"{", b"\xff", b"<html>", DEEP[:50_000]])
async def test_a_body_that_may_be_left_out_must_still_be_read(house, guest, match, raw):
    other = await house.guest()
    table = (await guest.open(seats=[{"kind": "me"}, {"kind": "open"}]))["id"]
    for who, method, path in (
        (guest, "PATCH", "/api/me"),
        (guest, "POST", f"/api/matches/{match['id']}/pause"),
        (guest, "POST", f"/api/matches/{match['id']}/abandon"),
        (other, "POST", f"/api/matches/{table}/seats/1"),
    ):
        body = check(await who.ask(method, path, content=raw), 400, "bad_request")
        assert "not JSON" in body["detail"]
    assert await house.length(match) == match["seq"]


@pytest.mark.parametrize(
    "query", ["status=sleeping", "limit=0", "limit=x", "mine=perhaps", "after=!!!", "after=abc"]
)
async def test_lists_that_make_no_sense(guest, query):
    check(await guest.get(f"/api/matches?{query}"), 400, "bad_request")


async def test_methods_and_places_that_do_not_exist(guest, match):
    check(await guest.ask("PUT", f"/api/matches/{match['id']}"), 405, "method_not_allowed")
    check(await guest.ask("PATCH", "/api/games"), 405, "method_not_allowed")
    check(await guest.get("/api/nothing"), 404, "not_found")
    check(await guest.get("/api/games/chess"), 404, "unknown_game")
    check(await guest.get("/api/games/"), 404, "not_found")


async def test_refusals_are_said_in_czech_too(guest, match):
    czech = {"Accept-Language": "cs"}
    path = f"/api/matches/{match['id']}/actions"
    body = {"seq": match["seq"], "action": {"type": "fly"}}
    assert "Neznámá akce" in (await guest.post(path, body, headers=czech)).json()["detail"]
    assert "chybí" in (await guest.post("/api/matches", {}, headers=czech)).json()["detail"]


async def test_what_was_sent_comes_back_only_in_part(guest):
    long = {"x" * 5000: 1, "game": "tides-of-time", "seats": SEATS}
    assert len((await guest.post("/api/matches", long)).content) < 400
    raw = json.dumps({"game": "g" * 40, "seats": SEATS}).encode()
    assert len((await guest.ask("POST", "/api/matches", content=raw)).content) < 400
