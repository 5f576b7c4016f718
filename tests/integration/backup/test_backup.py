"""A house saved while it is there, and brought back into an empty store: everything is as it was."""

import asyncio
import json

import pytest

from infra.archive.archive import Archive
from infra.archive.shelf import Folder
from infra.backup import saving
from infra.backup.bringing import Bringing
from infra.backup.folder import MANIFEST, BackupFolder, BadBackup
from infra.backup.saving import Saving
from infra.fleet import layout
from infra.store import keys, signs_of_life
from infra.store.redis import connect_sync
from service.archive import moving
from tests.damaging import damage
from tests.integration.archive.conftest import on_shelf, open_house, rng
from workers.jobs import Jobs
from workers.relay import Relay

pytestmark = pytest.mark.anyio
__all__ = ["rng"]
GOOD = "a good password"


def silent(_):
    pass


class Scene:
    """A house with a bit of everything, its relay, and a folder for backups."""

    def __init__(self, house, relay, path):
        self.house, self.deps, self.relay, self.path = house, house.deps, relay, path

    async def live(self, rng):
        """One archived, one finished, one damaged, one running with people and a clock, and what is said."""
        anna, bert = [await self.house.guest(password=GOOD) for _ in range(2)]
        self.anna, self.bert = anna, bert
        self.archived = await self.house.play_out(anna, await anna.open(), rng)
        await self.follow()
        assert (await moving.move(self.deps, 2**53)).matches == 1
        self.finished = await self.house.play_out(anna, await anna.open(), rng)
        self.damaged = await anna.open()
        await damage(self.deps, self.damaged["id"], 2, lambda line: line[:40] + b"\x8c\n" + line[41:])
        self.deps.matches._kept.clear()
        clock = {"kind": "per_move", "seconds": 86400}
        people = [{"kind": "me"}, {"kind": "open"}]
        self.running = await anna.open(game="machi-koro", seats=people, clock=clock)
        await bert.post(f"/api/matches/{self.running['id']}/seats")
        await anna.post(f"/api/matches/{self.running['id']}/chat", {"text": "hello"})
        self.running = await anna.look(self.running)
        done = await anna.act(self.running, key="mine") if 0 in self.running["to_act"] else None
        self.key = done and done.json()["seq"]
        await self.follow()

    async def follow(self):
        while await self.relay.step():
            pass
        await self.relay._outbox.trim()

    async def save(self, at="2026-11-18T14:00:00.000Z"):
        folder = BackupFolder(self.path)
        return await Saving(self.deps.client, self.deps.archive, folder, at, silent).save()

    async def bring(self, shelf=None):
        archive = Archive(self.deps.client, shelf or self.deps.archive.shelf)
        return await Bringing(self.deps.client, archive, self.path, silent).bring()

    async def answers(self, house):
        found = {}
        for who, guest in (("anna", self.anna), ("bert", self.bert)):
            guest._client = house.client
            for match in (self.archived, self.finished, self.running):
                for path in ("", "/events", "/log", "/chat"):
                    answer = await guest.get(f"/api/matches/{match['id']}{path}")
                    found[who, match["id"], path] = answer.status_code, answer.content
            for path in ("/api/me/export", "/api/me/turns", "/api/matches?mine=1", "/api/me/tokens"):
                answer = await guest.get(path)
                found[who, path] = answer.status_code, answer.content
        for path in ("/api/leaderboard?game=tides-of-time", "/api/keys", "/api/archive/roots"):
            found[path] = (await house.nobody.get(path)).content
        return found


@pytest.fixture
async def scene(deps, embedded, tmp_path, rng):
    connection = connect_sync(embedded.url)
    async with open_house(on_shelf(deps, Folder(tmp_path / "shelf"))) as house:
        relay = Relay(house.deps, Jobs(connection))
        await relay.step()
        found = Scene(house, relay, tmp_path / "backup")
        await found.live(rng)
        yield found
    connection.close()


async def everything(client):
    """Every key as the store itself dumps it."""
    found = {key async for key in client.scan_iter(count=1000) if not keys.is_passing(key.decode())}
    return {key: await client.dump(key) for key in found if key != b"tl:restoring"}


async def test_everything_is_back(scene, tmp_path):
    before = await scene.answers(scene.house)
    held = {key for key in await everything(scene.deps.client) if key.startswith(b"tl:")}
    saved = await scene.save()
    await scene.deps.client.flushall()
    empty = Folder(tmp_path / "another shelf")
    back = await scene.bring(empty)
    assert back.digest == saved.digest
    assert {key for key in await everything(scene.deps.client) if key.startswith(b"tl:")} == held
    async with open_house(on_shelf(scene.deps, empty)) as house:
        assert await scene.answers(house) == before
        broken = await scene.anna.get(f"/api/matches/{scene.damaged['id']}")
        assert (broken.status_code, broken.json()["code"]) == (500, "damaged_log")


async def test_play_goes_on_where_it_was(scene):
    due = await scene.deps.store.due_before(2**53, 10)
    await scene.save()
    await scene.deps.client.flushall()
    await scene.bring()
    async with open_house(on_shelf(scene.deps, scene.deps.archive.shelf)) as house:
        scene.anna._client = scene.bert._client = house.client
        assert await house.deps.store.due_before(2**53, 10) == due, "clocks run on"
        if scene.key:
            again = await scene.anna.act(scene.running, key="mine")
            assert again.json()["seq"] == scene.key, "a command that was done gets its first answer"
        seats = [(await who.look(scene.running))["you"] for who in (scene.anna, scene.bert)]
        assert seats == [0, 1]
        match = await scene.anna.look(scene.running)
        actor = (scene.anna, scene.bert)[match["to_act"][0]]
        done = await actor.act(await actor.look(match))
        assert done.status_code == 200, done.text


async def test_nobody_is_told_twice_and_relays_look_again(scene):
    noted = await scene.deps.client.zrange(keys.NOTICES, 0, -1, withscores=True)
    owed = await scene.deps.client.zrange(keys.OWED, 0, -1)
    await scene.save()
    await scene.deps.client.flushall()
    await scene.bring()
    assert await scene.relay.step() == 0, "the groups of an empty store are made first"
    followed = 0
    while (some := await scene.relay.step()) or not followed:
        followed += some
    assert followed == 1, "what runs is looked at again, and nothing else"
    assert await scene.deps.client.zrange(keys.NOTICES, 0, -1, withscores=True) == noted
    assert await scene.deps.client.zrange(keys.OWED, 0, -1) == owed


async def test_the_second_backup_adds_what_is_new(scene, rng):
    first = await scene.save()
    packs = {path.name: path.stat().st_mtime_ns for path in (scene.path / "packs").iterdir()}
    again = await scene.save("2026-11-18T15:00:00.000Z")
    assert again.digest == first.digest
    assert {path.name: path.stat().st_mtime_ns for path in (scene.path / "packs").iterdir()} == packs
    scene.anna._client = scene.house.client
    await scene.house.play_out(scene.anna, await scene.anna.open(), rng)
    await scene.follow()
    third = await scene.save("2026-11-18T16:00:00.000Z")
    assert third.matches == first.matches + 1
    assert third.digest != first.digest
    assert len([*(scene.path / "packs").iterdir()]) == len(packs) + 1
    assert len([*scene.path.glob("keys-*")]) == len([*scene.path.glob("logs-*")]) == 1
    await scene.deps.client.flushall()
    assert (await scene.bring()).digest == third.digest


async def test_an_interrupted_backup_is_gone_on_with(scene, monkeypatch):
    """It dies after the packs: the earlier one counts, and the next does not pack again."""
    first = await scene.save()
    (scene.path / MANIFEST).rename(scene.path / "kept")
    for pack in (scene.path / "packs").iterdir():
        pack.unlink()

    async def dies(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Saving, "_others", dies)
        with pytest.raises(KeyboardInterrupt):
            await scene.save("2026-11-18T15:00:00.000Z")
    assert BackupFolder(scene.path).manifest() is None
    packed = []
    real = saving.segment.pack
    monkeypatch.setattr(saving.segment, "pack", lambda some: packed.append(some) or real(some))
    again = await scene.save("2026-11-18T16:00:00.000Z")
    assert again.digest == first.digest
    assert [[match for match, _ in some] for some in packed] == [[scene.running["id"]]], "what runs, alone"
    assert not [*scene.path.glob("**/.*")], "no drafts are left"


async def test_an_interrupted_restore_is_begun_again_and_nobody_starts_meanwhile(scene, monkeypatch):
    saved = await scene.save()
    await scene.deps.client.flushall()

    async def dies(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Bringing, "_bring_archive", dies)
        with pytest.raises(KeyboardInterrupt):
            await scene.bring()
    assert "turnlog restore" in await layout.refusal(scene.deps.client)
    assert (await scene.bring()).digest == saved.digest
    assert await layout.refusal(scene.deps.client) is None


async def test_a_store_in_use_is_not_touched(scene):
    await scene.save()
    before = await everything(scene.deps.client)
    with pytest.raises(BadBackup, match="empty"):
        await scene.bring()
    await signs_of_life.beat(scene.deps.client, "api")
    with pytest.raises(BadBackup, match="running"):
        await scene.bring()
    assert await everything(scene.deps.client) == before


@pytest.mark.parametrize("file", ["packs/*", "running/*", "keys-*", "logs-*", MANIFEST])
async def test_a_damaged_backup_says_so(scene, file):
    await scene.save()
    await scene.deps.client.flushall()
    path = next(scene.path.glob(file))
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(BadBackup):
        await scene.bring()


async def test_what_did_not_come_back_as_it_was_is_noticed(scene, monkeypatch):
    await scene.save()
    await scene.deps.client.flushall()

    async def forgets(self, manifest, real=Bringing._bring_keys):
        await real(self, manifest)
        await scene.deps.client.hdel(keys.SIGNING_KEYS, *await scene.deps.client.hkeys(keys.SIGNING_KEYS))

    monkeypatch.setattr(Bringing, "_bring_keys", forgets)
    with pytest.raises(BadBackup, match="digest"):
        await scene.bring()
    assert await layout.refusal(scene.deps.client) is not None


async def test_under_load_nothing_in_it_is_ahead_of_the_logs(scene, rng):
    """While matches are played and followed, backups are made; each comes back whole, and plays on."""
    stop = asyncio.Event()

    async def load():
        scene.anna._client = scene.house.client
        while not stop.is_set():
            await scene.house.play_out(scene.anna, await scene.anna.open(), rng)
            await scene.follow()

    playing = asyncio.create_task(load())
    for number in range(3):
        saved = await scene.save(f"2026-11-18T15:0{number}:00.000Z")
    stop.set()
    await playing
    await scene.deps.client.flushall()
    assert (await scene.bring()).digest == saved.digest
    fresh = on_shelf(scene.deps, scene.deps.archive.shelf)
    finished = set()
    async for ident in fresh.store.matches():
        if ident != scene.damaged["id"]:
            match = await fresh.matches.now(ident)
            finished |= {ident} if match.status == "finished" else set()
            commands = await fresh.client.hgetall(keys.of_match(ident).commands)
            assert all(int(value.split()[0]) <= match.seq for value in commands.values())
    for game in ("tides-of-time", "machi-koro"):
        assert {one.match for one in await fresh.ratings.after(game, 0)} <= finished
    names = [key async for key in fresh.client.scan_iter(match="tl:name:*")]
    owners = [(await fresh.client.get(name)).decode() for name in names]
    assert all([await fresh.accounts.get(owner) for owner in owners])


async def test_a_manifest_tells_what_is_in_it(scene):
    saved = await scene.save()
    told = json.loads((scene.path / MANIFEST).read_bytes())
    assert (told["matches"], told["digest"]) == (saved.matches, saved.digest)
    assert (scene.path / MANIFEST).stat().st_mode & 0o777 == 0o600
    assert all(path.stat().st_mode & 0o077 == 0 for path in scene.path.rglob("*"))
