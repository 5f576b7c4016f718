"""A backup comes back: into an empty store, key by key as it was, checked before anybody may use it."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import NamedTuple

from engine import codec
from engine.log import BadLog
from infra.archive import segment
from infra.archive.archive import Archive
from infra.backup import records
from infra.backup.folder import ARCHIVE, RUNNING, BackupFolder, BadBackup, Manifest, Place
from infra.backup.records import Digest, Record, batches, of_log
from infra.backup.saving import is_sound
from infra.store import keys, signs_of_life
from infra.store.eventstore import EventStore
from infra.store.readmodel import ReadModel
from infra.store.redis import Client, ask, reaching, send

HEARD_S = 15.0
AT_ONCE = 200
LOGS_AT_ONCE = 20
SOON_MS = 3600 * 1000  # what expires so soon may be gone before it is compared
Tell = Callable[[str], None]


class Restored(NamedTuple):
    matches: int
    records: int
    digest: str


class Bringing:
    """One restore. An interrupted one is begun again with the same backup."""

    def __init__(self, client: Client, archive: Archive, path: Path, tell: Tell) -> None:
        self._client, self._archive, self._tell = client, archive, tell
        self._folder = BackupFolder(path)
        self._store = EventStore(client, elsewhere=archive)

    async def bring(self) -> Restored:
        """Raises BadBackup, also if what came back is not what was saved."""
        manifest = self._folder.manifest()
        if manifest is None:
            raise BadBackup(f"{self._folder.path} has no backup: there is no manifest in it")
        await self._make_room(manifest)
        places = self._folder.places(manifest.logs)
        await self._bring_logs(places)
        await self._bring_keys(manifest)
        await self._bring_archive(manifest)
        digest = await self.digest()
        if digest != manifest.digest:
            raise BadBackup(f"what came back has the digest {digest} and not {manifest.digest}")
        await self._compare(manifest)
        await self._announce(manifest, places)
        await ask(self._client, "DEL", keys.RESTORING)
        return Restored(len(places), manifest.records, digest)

    async def _make_room(self, manifest: Manifest) -> None:
        """A store in which something is, is not touched; unless an interrupted restore left it there."""
        heard = await signs_of_life.heard(self._client)
        living = [role for role, them in heard.items() if min(them.values(), default=HEARD_S) < HEARD_S]
        if living:
            raise BadBackup(f"the house is running ({', '.join(sorted(living))}): stop it first")
        begun = await ask(self._client, "GET", keys.RESTORING)
        if begun is None and await self._is_used():
            raise BadBackup("this store has matches or accounts: a backup comes back into an empty one")
        await ask(self._client, "SET", keys.RESTORING, manifest.digest)
        left = [key async for key in self._keys(keys.EVERY) if key != keys.RESTORING]
        for batch in batches(left, AT_ONCE):
            pipe = self._client.pipeline(transaction=False)
            for key in batch:
                pipe.execute_command("DEL", key)
            with reaching():
                await send(pipe)

    async def _is_used(self) -> bool:
        for pattern in (keys.LOGS, keys.ACCOUNTS):
            async for _ in self._keys(pattern):
                return True
        return await self._archive.notes.count() > 0

    async def _keys(self, pattern: str) -> AsyncIterator[str]:
        seen = set()
        with reaching():
            async for key in self._client.scan_iter(match=pattern, count=1000):
                if key not in seen:
                    seen.add(key)
                    yield key.decode()

    async def _bring_logs(self, places: list[Place]) -> None:
        packs: defaultdict[str, dict[str, Place]] = defaultdict(dict)
        for place in places:
            packs[place.pack][place.match] = place
        count = 0
        for name, wanted in packs.items():
            for batch in batches(self._opened(name, wanted), LOGS_AT_ONCE):
                await self._append(batch)
                count += len(batch)
                self._tell(f"{count} of {len(places)} matches")
        if count != len(places):
            raise BadBackup(f"{len(places) - count} matches of the backup are in no pack")

    def _opened(self, name: str, wanted: dict[str, Place]) -> list[tuple[str, list[bytes]]]:
        data = self._folder.get(name)
        try:
            return [
                (one.match, segment.record(data[one.offset :][: one.size], one.events, one.head).lines)
                for one in segment.entries(data)
                if one.match in wanted and one.head == wanted[one.match].head
            ]
        except (segment.Damaged, BadLog) as problem:
            raise BadBackup(f"{self._folder.path / name} is damaged: {problem}") from None

    async def _append(self, logs: list[tuple[str, list[bytes]]]) -> None:
        """Many at once: a store that syncs every write does so once for all that it is sent together."""
        pipe = self._client.pipeline(transaction=False)
        for match, lines in logs:
            pipe.execute_command("DEL", keys.log(match))
            for seq, line in enumerate(lines, 1):
                pipe.execute_command("XADD", keys.log(match), f"{seq}-0", "e", line)
        with reaching():
            await send(pipe)

    async def _bring_keys(self, manifest: Manifest) -> None:
        count = 0
        for batch in batches(self._folder.records(manifest.keys), AT_ONCE):
            await records.write(self._client, batch)
            count += len(batch)
            self._tell(f"{count} of {manifest.records} records")
        if count != manifest.records:
            raise BadBackup(f"the backup has {count} records instead of {manifest.records}")

    async def _bring_archive(self, manifest: Manifest) -> None:
        for number, name in enumerate(manifest.archive, 1):
            data = self._folder.get(f"{ARCHIVE}/{name}")
            there = await self._archive.shelf.get(name, len(data) - 1, 2)
            if there != data[-1:]:  # else it lies there already, in this length: names are never used again
                await self._archive.shelf.put(name, data)
            self._tell(f"{number} of {len(manifest.archive)} segments")

    async def digest(self) -> str:
        """Of all that lasts in this store."""
        found, batch = Digest(), []
        async for key in self._keys(keys.EVERY):
            if keys.is_passing(key):
                continue
            if key.endswith(":log") and await self._sound(key, found):
                continue
            batch.append(key)
            if len(batch) >= AT_ONCE:
                await self._sum(found, batch)
                batch = []
        await self._sum(found, batch)
        return found.text

    async def _sound(self, key: str, found: Digest) -> bool:
        match = keys.match_of(key)
        lines = await self._store.read(match)
        if not is_sound(match, lines):
            return False
        found.add(of_log(match, len(lines), codec.digest(lines[-1])))
        return True

    async def _sum(self, found: Digest, batch: list[str]) -> None:
        for record in await records.read(self._client, batch):
            if not record.expires:
                found.add(record.digest)

    async def _compare(self, manifest: Manifest) -> None:
        """What lasts only for a while, record by record."""
        soon = time.time() * 1000 + SOON_MS
        passing = (one for one in self._folder.records(manifest.keys) if one.expires > soon)
        for batch in batches(passing, AT_ONCE):
            there: dict[str, Record] = {
                one.key: one for one in await records.read(self._client, [one.key for one in batch])
            }
            wrong = [one.key for one in batch if there.get(one.key) != one]
            if wrong:
                raise BadBackup(f"{wrong[0]} did not come back as it was")

    async def _announce(self, manifest: Manifest, places: list[Place]) -> None:
        """Whoever follows logs looks again at what was running, and at what lists may not have had yet."""
        lists, late = ReadModel(self._client), set(manifest.unfollowed)
        for place in places:
            if place.pack.startswith(f"{RUNNING}/") or place.match in late or await _differs(lists, place):
                await self._store.announce(place.match, place.events)


async def _differs(lists: ReadModel, place: Place) -> bool:
    shown = await lists.get(place.match)
    return shown is None or shown.seq != place.events
