"""Matches that are over leave the store, and nobody notices: on a folder and on a real S3 server."""

import json

import pytest

from engine import codec
from engine.proof.verify import read, verify
from infra.archive.notes import Note
from infra.process.errors import ArchiveAway, Conflict
from infra.store import keys
from infra.store.redis import connect_sync
from service.archive import moving
from service.memory import ratings
from tests.integration.archive.conftest import on_shelf, open_house
from workers.archivist import Archivist
from workers.jobs import Jobs
from workers.relay import Relay

pytestmark = pytest.mark.anyio
EVERYTHING = 2**53
CZECH = {"Accept-Language": "cs"}
PATHS = (
    "",
    "?at=5",
    "?at=1",
    "/events",
    "/events?after=3&limit=4",
    "/events?text=1",
    "/views",
    "/draws",
    "/chat",
)


async def play(house, guest, rng, game="tides-of-time", seats=2):
    places = [{"kind": "me"}, *[{"kind": "bot", "bot": "random"}] * (seats - 1)]
    return await house.play_out(guest, await guest.open(game=game, seats=places, listed=True), rng)


async def archive_all(deps):
    await moving.fill(deps)
    return await moving.move(deps, EVERYTHING)


async def answers(guest, match):
    """Every way to read a match."""
    found = {path: await guest.get(f"/api/matches/{match['id']}{path}") for path in (*PATHS, "/log")}
    assert {answer.status_code for answer in found.values()} == {200}
    return {path: answer.content for path, answer in found.items()}


async def test_every_answer_is_the_same_afterwards(archived_house, shelf, rules, rng):
    house, deps = archived_house, archived_house.deps
    guest = await house.guest()
    match = await play(house, guest, rng, rules.key, rules.players[0])
    await guest.post(f"/api/matches/{match['id']}/chat", {"text": "well played"})
    await house.list_it(match["id"])
    before, mine = await answers(guest, match), (await guest.get("/api/me/export")).json()["matches"]
    lines = await deps.store.read(match["id"])
    assert (await archive_all(deps)).matches == 1
    assert await deps.client.exists(keys.log(match["id"]), keys.signed(match["id"])) == 0
    async with open_house(on_shelf(deps, shelf)) as fresh:  # another process, which remembers nothing
        guest._client = fresh.client
        assert await answers(guest, match) == before
        assert (await guest.get("/api/me/export")).json()["matches"] == mine
        assert await fresh.deps.store.read(match["id"]) == lines
        assert await fresh.deps.store.length(match["id"]) == len(lines)
        assert [one async for one in fresh.deps.store.matches()] == [match["id"]]
        _, exported = read(before["/log"])
        verify(exported)
        known = await fresh.deps.matches.now(match["id"])
        assert ratings.outcome(known, lines) == ratings.outcome(known, exported)


async def test_what_people_do_with_an_old_match_still_works(archived_house, rng):
    house = archived_house
    guest = await house.guest()
    match = await play(house, guest, rng)
    late = {"seq": match["seq"], "action": {"type": "play", "card": "vestibule"}}
    refusal = (await guest.post(f"/api/matches/{match['id']}/actions", late)).json()
    await archive_all(house.deps)
    house.deps.matches._kept.clear()
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "random"}]
    forked = await guest.post(f"/api/matches/{match['id']}/fork", {"at": 8, "seats": seats})
    assert forked.status_code == 201, forked.text
    assert (await guest.post(f"/api/matches/{match['id']}/rematch")).status_code in (200, 201)
    said = await guest.post(f"/api/matches/{match['id']}/chat", {"text": "again?"})
    assert said.status_code == 201, said.text
    assert (await guest.post(f"/api/matches/{match['id']}/actions", late)).json() == refusal
    log = (await guest.get(f"/api/matches/{match['id']}/log")).content
    again = await guest.ask("POST", "/api/import", content=log)
    assert again.status_code in (200, 201), again.text
    assert await house.deps.client.exists(keys.log(match["id"])) == 0, "it is here already, where it lies"


async def test_nothing_begins_anew_under_an_archived_id(archived_house, rng):
    deps = archived_house.deps
    match = await play(archived_house, await archived_house.guest(), rng)
    await archive_all(deps)
    with pytest.raises(Conflict) as refused:
        await deps.store.append(match["id"], 0, [b"{}"])
    assert refused.value.actual == match["seq"]
    assert await deps.client.exists(keys.log(match["id"])) == 0
    assert not await deps.store.displace(match["id"], match["seq"] - 1)
    assert await deps.store.displace(match["id"], match["seq"])
    assert await deps.store.length(match["id"]) == 0


async def test_only_what_is_over_for_so_long_goes(archived_house, calendar, embedded, rng):
    house, deps = archived_house, archived_house.deps
    connection = connect_sync(embedded.url)
    relay, archivist = Relay(deps, Jobs(connection)), Archivist(deps)
    await relay.step()
    guest = await house.guest()
    over, running = await play(house, guest, rng), await guest.open()
    cancelled = await guest.open(seats=[{"kind": "me"}, {"kind": "open"}])
    assert (await guest.post(f"/api/matches/{cancelled['id']}/cancel")).status_code == 200
    while await relay.step():
        pass
    calendar.on(days=29)
    assert (await archivist.step(few=1)).matches == 0
    calendar.on(days=1, hours=1)
    assert (await archivist.step()).matches == 0, "so few wait a day for others"
    calendar.on(days=1)
    assert (await archivist.step()).matches == 2
    assert await deps.archive.notes.waiting() == 0
    assert {match async for match, _ in deps.archive.notes.matches()} == {over["id"], cancelled["id"]}
    assert await deps.client.exists(keys.log(running["id"]))
    await relay._follow(over["id"])  # as a rebuild does: it stays where it is
    assert await deps.archive.notes.waiting() == 0
    assert (await house.deps.readmodel.get(over["id"])).status == "finished"
    connection.close()


async def test_zero_days_keep_everything(archived_house, wired, rng):
    await play(archived_house, await archived_house.guest(), rng)
    off, nowhere = wired(archive_days=0), wired(redis_url="redis://elsewhere")
    assert [Archivist(deps).works for deps in (archived_house.deps, off, nowhere)] == [True, False, False]
    with pytest.raises(ArchiveAway, match="TURNLOG_ARCHIVE"):
        _ = nowhere.archive.shelf
    for deps in (off, nowhere):
        await deps.close()


async def test_one_archivist_at_a_time(archived_house, rng):
    deps = archived_house.deps
    await play(archived_house, await archived_house.guest(), rng)
    await moving.fill(deps)
    other = on_shelf(deps, deps.archive.shelf)
    other.archive.notes._me = "another process"
    assert await other.archive.notes.take_over(60)
    assert (await Archivist(deps).step(few=1)).matches == 0
    await deps.archive.notes.hand_back()
    assert not await deps.archive.notes.take_over(60), "who is not at it cannot hand it back"
    await other.archive.notes.hand_back()
    assert await deps.archive.notes.take_over(60)


async def test_a_damaged_segment_concerns_its_match_alone(archived_house, shelf, rng):
    house, deps = archived_house, archived_house.deps
    guest = await house.guest()
    bad, good, gone = [await play(house, guest, rng) for _ in range(3)]
    for match in (bad, good, gone):
        await house.list_it(match["id"])
    await archive_all(deps)
    note = await deps.archive.notes.of(bad["id"])
    data = bytearray(await shelf.get(note.segment))
    data[note.offset + note.size // 2] ^= 0x55
    await shelf.put(note.segment, bytes(data))
    other = (await deps.archive.notes.of(gone["id"]))._replace(segment="2020-01/nothing")
    await deps.client.hset(keys.archived(keys.shard(gone["id"])), gone["id"], other.text)
    async with open_house(on_shelf(deps, shelf)) as fresh:
        guest._client = fresh.client
        for match in (bad, gone):
            for path in ("", "/events", "/log", "/views", "?at=3"):
                answer = await guest.get(f"/api/matches/{match['id']}{path}")
                assert (answer.status_code, answer.json()["code"]) == (500, "damaged_log"), path
        assert (await answers(guest, good))[""]
        listed = (await guest.get("/api/matches?mine=1")).json()["items"]
        assert {item["id"] for item in listed} == {bad["id"], good["id"], gone["id"]}
        mine = {one["match"]: one["log"] for one in (await guest.get("/api/me/export")).json()["matches"]}
        assert mine[bad["id"]] is mine[gone["id"]] is None
        assert mine[good["id"]] is not None


async def test_a_damaged_log_stays_in_the_store(archived_house, rng):
    deps = archived_house.deps
    guest = await archived_house.guest()
    bad, good = await play(archived_house, guest, rng), await play(archived_house, guest, rng)
    await deps.client.xdel(keys.log(bad["id"]), "4-0")
    moved = await archive_all(deps)
    assert (moved.matches, await deps.archive.notes.waiting()) == (1, 0)
    assert await deps.client.exists(keys.log(bad["id"]), keys.log(good["id"])) == 1


async def test_one_match_that_cannot_be_read_holds_no_other_up(archived_house, rng, monkeypatch):
    deps, guest = archived_house.deps, await archived_house.guest()
    bad, good = [await play(archived_house, guest, rng) for _ in range(2)]
    await moving.fill(deps)

    async def origin(match, real=deps.beside.origin):
        assert match != bad["id"], "what nobody foresaw"
        return await real(match)

    monkeypatch.setattr(deps.beside, "origin", origin)
    assert (await moving.move(deps, EVERYTHING)).matches == 1
    assert await deps.client.exists(keys.log(bad["id"]), keys.log(good["id"])) == 1


class Died(BaseException):
    """Nothing catches it: as after a kill, nothing else happens."""


@pytest.mark.parametrize("moment", ["before", "half", "after", "moving", "moved"])
async def test_whoever_dies_on_the_way_leaves_nothing_out(archived_house, shelf, rng, monkeypatch, moment):
    """Before the segment is there, with half of it, after it, between two matches, after the last one."""
    deps = archived_house.deps
    guest = await archived_house.guest()
    matches = [await play(archived_house, guest, rng) for _ in range(3)]
    logs = {match["id"]: await deps.store.read(match["id"]) for match in matches}
    await moving.fill(deps)
    moves = []

    async def put(name, data, real=shelf.put):
        if moment == "before":
            raise Died
        await real(name, data[: len(data) // 2] if moment == "half" else data)
        if moment in ("half", "after"):
            raise Died

    async def move(match, note, last, real=deps.archive.notes.move):
        moves.append(await real(match, note, last))
        if moment == "moving" or len(moves) == 3:
            raise Died
        return moves[-1]

    with monkeypatch.context() as patch:
        patch.setattr(shelf, "put", put)
        patch.setattr(deps.archive.notes, "move", move)
        with pytest.raises(Died):
            await moving.move(deps, EVERYTHING)
    next_one = on_shelf(deps, shelf)
    for ident, lines in logs.items():
        assert await next_one.store.read(ident) == lines
    await Archivist(next_one).step(few=1)
    await moving.move(next_one, EVERYTHING)  # what half a segment has not let go
    assert await next_one.archive.notes.begun() is None
    assert await deps.client.exists(*map(keys.log, logs)) == 0
    for ident, lines in logs.items():
        assert await next_one.store.read(ident) == lines
    segments = await next_one.archive.notes.segments()
    assert sum(count for count, _ in segments.values()) == 3
    assert len(segments) == 1


async def test_an_archive_that_is_away_harms_nothing_else(archived_house, shelf, rng, monkeypatch):
    house, deps = archived_house, archived_house.deps
    guest = await house.guest()
    old, new = await play(house, guest, rng), await guest.open()
    await archive_all(deps)

    async def away(*_):
        raise ArchiveAway("no answer")

    monkeypatch.setattr(shelf, "get", away)
    async with open_house(on_shelf(deps, shelf)) as fresh:
        guest._client = fresh.client
        answer = await guest.get(f"/api/matches/{old['id']}")
        assert (answer.status_code, answer.json()["code"]) == (503, "archive_away")
        assert "archiv" in (await guest.get(f"/api/matches/{old['id']}", headers=CZECH)).text
        assert (await guest.act(await guest.look(new))).status_code == 200


async def test_memory_of_archived_matches_is_bounded(archived_house, shelf, rng, monkeypatch):
    deps, guest = archived_house.deps, await archived_house.guest()
    matches = [await play(archived_house, guest, rng) for _ in range(3)]
    await archive_all(deps)
    size = sum(map(len, await deps.store.read(matches[0]["id"])))
    monkeypatch.setattr("infra.archive.archive.MAX_KEPT", size * 2)
    archive = on_shelf(deps, shelf).archive
    for match in matches * 2:
        assert await archive.lines(match["id"])
        assert archive._bytes == sum(sum(map(len, one.lines)) for _, one in archive._kept.values())
        assert archive._bytes <= size * 2


def test_a_note_says_where():
    note = Note(33, "2026-11/18090000-abcdef", 8, 700, codec.ZERO)
    assert Note.read(note.text.encode()) == note
    assert note.month == "2026-11"
    assert json.dumps(note.text)
