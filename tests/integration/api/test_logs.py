"""Events, the exported log, and logs from elsewhere."""

import json
from random import Random

import msgspec
import pytest

from bots.arena import play_match
from bots.registry import bot
from engine import codec, registry
from engine.log import load
from engine.proof import verify
from service.commands.examine import examine

pytestmark = pytest.mark.anyio


def lines_of(answer):
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/x-ndjson"
    return [json.loads(line) for line in answer.content.splitlines()]


async def test_events_come_in_ranges(house, guest, rng):
    match = await guest.open()
    for _ in range(3):
        match = await house.both_act(guest, match, rng)
    path = f"/api/matches/{match['id']}/events"
    everything = lines_of(await guest.get(path))
    assert [event["seq"] for event in everything] == list(range(1, match["seq"] + 1))
    part = lines_of(await guest.get(f"{path}?after=2&limit=3"))
    assert part == everything[2:5]
    assert lines_of(await guest.get(f"{path}?limit=9000000000000000")) == everything
    assert lines_of(await guest.get(f"{path}?after={match['seq']}")) == []
    assert lines_of(await guest.get(f"{path}?limit=0")) == []


async def test_hashes_shown_early_are_those_of_the_open_log(house, guest, rng):
    match = await guest.open()
    early = lines_of(await house.nobody.get(f"/api/matches/{match['id']}/events"))
    await house.play_out(guest, match, rng)
    raw = (await house.nobody.get(f"/api/matches/{match['id']}/log")).content.splitlines()
    assert [event["hash"] for event in early] == [codec.digest(line) for line in raw[: len(early)]]


async def test_a_running_match_is_exported_redacted(guest):
    match = await guest.open()
    answer = await guest.get(f"/api/matches/{match['id']}/log")
    assert match["id"] in answer.headers["content-disposition"]
    *events, end = lines_of(answer)
    assert (end["end"], end["redacted"]) == (match["seq"], True)
    assert not any({"seed", "salt", "cmd"} & set(event) for event in events)
    refused = await guest.ask("POST", "/api/import", content=answer.content)
    assert (refused.status_code, refused.json()["code"]) == (400, "incomplete_log")


async def test_a_finished_match_goes_from_house_to_house(house, guest, rng):
    match = await guest.open()
    over = await house.play_out(guest, match, rng)
    log = (await guest.get(f"/api/matches/{match['id']}/log")).content
    assert (await guest.ask("POST", "/api/import", content=log)).status_code == 200  # nothing to do
    await house.deps.client.flushall()
    house.deps.matches._kept.clear()
    other = await house.guest()
    moved = await other.ask("POST", "/api/import", content=log)
    assert (moved.status_code, moved.json()["result"]) == (201, over["result"])
    assert (await other.get(f"/api/matches/{match['id']}/log")).content == log


async def test_the_same_id_with_another_log_is_refused(house, guest, rng):
    match = await guest.open()
    await house.play_out(guest, match, rng)
    log = (await guest.get(f"/api/matches/{match['id']}/log")).content
    await house.deps.client.delete(f"tl:{{{shard(match['id'])}}}:m:{match['id']}:log")
    house.deps.matches._kept.clear()
    foreign = exported("tides-of-time", match["id"])
    *lines, _, _ = log.split(b"\n")
    unsigned = b"\n".join([*lines, verify.closing(load(lines)), b""])
    assert (await guest.ask("POST", "/api/import", content=unsigned)).status_code == 201
    refused = await guest.ask("POST", "/api/import", content=foreign)
    assert (refused.status_code, refused.json()["code"]) == (409, "log_differs")


def shard(match):
    from infra.store.keys import shard

    return shard(match)


def exported(key, ident="imported", seed="test"):
    rules = registry.game(key)
    seats = rules.players[0]
    played = play_match(rules, rules.Options(), ["random"] * seats, [bot("random")] * seats, seed, ident)
    return played.export


def rechained(events):
    """A log whose chain holds, whatever its events say."""
    prev, lines = codec.ZERO, []
    for event in events:
        line = codec.encode(event | {"prev": prev})
        prev = codec.digest(line)
        lines.append(line)
    return b"\n".join([*lines, codec.encode({"end": len(lines), "head": prev}), b""])


async def test_a_log_of_every_game_is_imported(guest, rules):
    log = exported(rules.key)
    answer = await guest.ask("POST", "/api/import", content=log)
    assert (answer.status_code, answer.json()["status"]) == (201, "finished")


async def test_a_match_that_was_running_goes_on_under_a_new_seal(house):
    guest = await house.guest(password="a good password")  # only bots sit there
    events = [codec.decode(line) for line in exported("tides-of-time").splitlines()[:10]]
    answer = (await guest.ask("POST", "/api/import", content=rechained(events))).json()
    assert (answer["status"], answer["seq"]) == ("running", 11)
    assert answer["seal"] != events[0]["seal"]


def without(line):
    return lambda lines: [*lines[: line - 1], *lines[line:]]


def swapped(lines):
    return [*lines[:5], lines[6], lines[5], *lines[7:]]


def altered(lines):
    return [*lines[:6], lines[6].replace(b'"seat":0', b'"seat":1'), *lines[7:]]


def spaced(lines):
    return [*lines[:3], lines[3].replace(b",", b", ", 1), *lines[4:]]


@pytest.mark.parametrize(
    ("damage", "line", "code"),
    [
        (without(5), None, "bad_log"),
        (swapped, 6, "bad_log"),
        (altered, None, "bad_log"),
        (spaced, 4, "bad_log"),
        (lambda lines: lines[:-1], None, "incomplete_log"),
        (lambda lines: [], 1, "bad_log"),
        (lambda lines: [b"hello"], 1, "bad_log"),
        (lambda lines: [b"[" * 5000], 1, "bad_log"),
    ],
)
async def test_damaged_logs_name_the_line(house, guest, damage, line, code):
    lines = damage(exported("tides-of-time").splitlines())
    answer = await guest.ask("POST", "/api/import", content=b"".join(text + b"\n" for text in lines))
    body = answer.json()
    assert (answer.status_code, body["code"]) == (400, code)
    assert line in (None, body["line"])
    assert [match async for match in house.deps.store.matches()] == []


FORGERIES = [
    (2, {"seat": 99}),
    (2, {"seat": None}),
    (4, {"facts": []}),
    (5, {"facts": [{"type": "revealed", "cards": ["x", "y"]}]}),
    (5, {"facts": [{"type": "scored", "round": 9, "totals": [0, 0], "breakdown": [{}, {}], "then": "keep"}]}),
    (5, {"seat": 99}),
    (5, {"action": {"type": "play", "card": 7}}),
    (1, {"places": []}),
    (1, {"seed": "zz"}),
    (1, {"options": {"allow_change": 3}}),
    (1, {"match": "../.."}),
]


@pytest.mark.parametrize(("line", "lie"), FORGERIES)
async def test_forged_events_are_found_where_they_are(house, guest, line, lie):
    """The chain holds, the content does not: facts are folded unjudged, so anything may break."""
    events = [codec.decode(text) for text in exported("tides-of-time").splitlines()[:-1]]
    events[line - 1] |= lie
    if "match" in lie:
        events = [event | lie for event in events]
    answer = await guest.ask("POST", "/api/import", content=rechained(events))
    body = answer.json()
    assert (answer.status_code, body["code"]) == (400, "bad_log"), body
    assert line <= body["line"] <= line + 1
    assert [match async for match in house.deps.store.matches()] == []


async def test_garbage_of_any_kind_is_a_bad_log(guest):
    rng, good = Random(3), exported("tides-of-time")
    for number in range(60):
        data = bytearray(good)
        for _ in range(rng.randrange(1, 4)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        assert examine(bytes(data)).code != "" or bytes(data) == good
        if number < 5:
            answer = await guest.ask("POST", "/api/import", content=bytes(data))
            assert answer.json().get("code") in ("bad_log", "incomplete_log") or bytes(data) == good


async def test_an_import_needs_a_player(house):
    assert (await house.nobody.ask("POST", "/api/import", content=b"x")).status_code == 401


def test_the_helper_makes_logs_that_hold():
    _, lines = verify.read(exported("tides-of-time"))
    assert msgspec.json.decode(lines[0])["match"] == "imported"


@pytest.mark.parametrize("what", ["views", "log"])
async def test_a_log_is_read_once_for_its_answer(house, guest, monkeypatch, what):
    match = await guest.open()
    reads = []
    read = house.deps.store.read

    async def counted(*args):
        reads.append(args)
        return await read(*args)

    monkeypatch.setattr(house.deps.store, "read", counted)
    house.deps.matches._kept.clear()
    cold = await guest.get(f"/api/matches/{match['id']}/{what}")
    assert cold.status_code == 200
    assert [len(args) for args in reads] == [1, 3], (
        "the log of a match that nobody remembers, and its lines in turn"
    )
    warm = await guest.get(f"/api/matches/{match['id']}/{what}")
    assert warm.content == cold.content
    assert [len(args) for args in reads[2:]] == [2, 3], (
        "the last line, to see that it is the same log, and the rest"
    )
