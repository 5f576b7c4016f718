"""A backup of a house that goes on meanwhile.

The order makes it consistent: first what follows from logs and could be ahead of them (results that count),
then each log with its commands in one step, then all else. So nothing in a backup tells of an event that it
does not have, apart from lists and deadlines, which follow the logs again after a restore, and what people
were told, which they are not told twice.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from fnmatch import fnmatchcase
from typing import Any

from engine import codec
from engine.log import BadLog, events_of
from infra.archive import segment
from infra.archive.archive import Archive
from infra.archive.segment import Beside
from infra.backup import records
from infra.backup.folder import ARCHIVE, PACKS, RUNNING, BackupFolder, Lines, Manifest, Place
from infra.backup.records import Digest, Record, of_log
from infra.store import keys
from infra.store.redis import Client, reaching
from infra.store.scripts import Script

MAX_MATCHES, MAX_BYTES = 500, 16 * 1024 * 1024  # matches of a pack, and bytes of their logs
OVER = ("finished", "cancelled")
Tell = Callable[[str], None]

LAST = Script(
    "local tail = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]"
    " return {redis.call('XLEN', KEYS[1]), tail and tail[2][2] or ''}"
)
# A log and its commands as they are at one moment: else a command might be remembered that the log has not.
WHOLE = Script(
    "local lines = {}"
    " for _, one in ipairs(redis.call('XRANGE', KEYS[1], '-', '+')) do lines[#lines + 1] = one[2][2] end"
    " return {lines, redis.call('HGETALL', KEYS[2]), redis.call('PEXPIRETIME', KEYS[2])}"
)


class Packs:
    """Logs on their way into packs of one folder."""

    def __init__(self, folder: BackupFolder, where: str, stamp: str) -> None:
        self._folder, self._where, self._stamp = folder, where, stamp
        self._waiting: list[tuple[str, segment.Record]] = []
        self._bytes = self._number = 0
        self.places: list[Place] = []

    async def add(self, match: str, lines: list[bytes]) -> None:
        self._waiting.append((match, segment.Record(lines, Beside())))
        self._bytes += sum(map(len, lines))
        if len(self._waiting) >= MAX_MATCHES or self._bytes >= MAX_BYTES:
            await self.flush()

    async def flush(self) -> None:
        if not self._waiting:
            return
        self._number += 1
        name = f"{self._where}/{self._stamp}-{self._number:04d}"
        self._folder.put(name, await asyncio.to_thread(segment.pack, self._waiting))
        self.places += [Place(match, len(one.lines), one.head, name) for match, one in self._waiting]
        self._waiting, self._bytes = [], 0


class Saving:
    """One backup. What an interrupted one has packed is not packed again."""

    def __init__(self, client: Client, archive: Archive, folder: BackupFolder, at: str, tell: Tell) -> None:
        self._client, self._archive, self._folder, self._at, self._tell = client, archive, folder, at, tell
        self._stamp = at.replace(":", "").replace("-", "")
        self._digest = Digest()
        self._records = 0
        self._unfollowed: set[str] = set()

    async def save(self) -> Manifest:
        known = await asyncio.to_thread(self._folder.packed)
        with self._lines("keys") as out, self._lines("logs") as index:
            for record in await self._of(keys.RATED):
                self._add(out, record)
            places = await self._logs(out, known)
            for place in places:
                index.add(place)
            logged = {place.match for place in places}
            await self._others(out, logged)
            manifest = Manifest(
                at=self._at,
                archive=await self._archived(),
                keys=out.close(),
                logs=index.close(),
                matches=len(places),
                records=self._records,
                digest=self._digest.text,
                unfollowed=sorted(self._unfollowed & logged),
            )
        self._folder.publish(manifest)
        self._folder.prune(manifest, {place.pack for place in places})
        return manifest

    def _lines(self, what: str) -> Lines:
        return Lines(self._folder.path / f"{what}-{self._stamp}.z")

    def _add(self, out: Lines, record: Record) -> None:
        out.add(record)
        self._records += 1
        if not record.expires:
            self._digest.add(record.digest)

    async def _of(self, pattern: str) -> list[Record]:
        return await records.read(self._client, [key async for key in self._scan(pattern)])

    async def _scan(self, pattern: str) -> AsyncIterator[str]:
        seen = set()
        with reaching():
            async for key in self._client.scan_iter(match=pattern, count=1000):
                if key not in seen:
                    seen.add(key)
                    yield key.decode()

    async def _logs(self, out: Lines, known: dict[str, tuple[str, segment.Entry]]) -> list[Place]:
        finished, running = (Packs(self._folder, where, self._stamp) for where in (PACKS, RUNNING))
        places = []
        async for key in self._scan(keys.LOGS):
            match = keys.match_of(key)
            place = await self._packed(match, known.get(match))
            if place is not None:
                places.append(place)
                for record in await records.read(self._client, [keys.of_match(match).commands]):
                    self._add(out, record)
                continue
            lines, commands = await self._whole(match)
            if not is_sound(match, lines):
                for record in await records.read(self._client, [key]):
                    self._add(out, record)
                continue
            if commands is not None:
                self._add(out, commands)
            await (finished if _kind(lines[-1]) in OVER else running).add(match, lines)
            self._tell(f"{len(places) + len(finished.places) + len(running.places)} matches")
        for packs in (finished, running):
            await packs.flush()
        places += [*finished.places, *running.places]
        for place in places:
            self._digest.add(of_log(place.match, place.events, place.head))
        return places

    async def _packed(self, match: str, found: tuple[str, segment.Entry] | None) -> Place | None:
        """Where a match that is over lies already, if it still is what it was."""
        if found is None:
            return None
        pack, entry = found
        with reaching():
            length, last = await LAST.run(self._client, [keys.log(match)], [])
        same = length == entry.events and codec.digest(last) == entry.head
        return Place(match, entry.events, entry.head, pack) if same else None

    async def _whole(self, match: str) -> tuple[list[bytes], Record | None]:
        where = keys.of_match(match)
        with reaching():
            lines, commands, expires = await WHOLE.run(self._client, [where.log, where.commands], [])
        if not commands:
            return lines, None
        return lines, records.record(where.commands, [b"hash", expires, commands])

    async def _others(self, out: Lines, logged: set[str]) -> None:
        """All keys but those that were read before; names last, those alone whose account is there."""
        accounts, names, batch = set(), [], []
        async for key in self._scan(keys.EVERY):
            if key.endswith(":outbox"):
                self._unfollowed |= await self._outbox(key)
            if keys.is_passing(key) or self._was_read(key, logged):
                continue
            if key.startswith(keys.NAMES):
                names.append(key)
                continue
            if key == keys.account(keys.account_of(key), "account"):
                accounts.add(keys.account_of(key))
            batch.append(key)
            if len(batch) >= records.AT_ONCE:
                await self._copy(out, batch)
                batch = []
        await self._copy(out, batch)
        for record in await records.read(self._client, names):
            if records.text(record) in accounts:
                self._add(out, record)

    async def _copy(self, out: Lines, batch: list[str]) -> None:
        for record in await records.read(self._client, batch):
            self._add(out, record)

    def _was_read(self, key: str, logged: set[str]) -> bool:
        if fnmatchcase(key, keys.RATED):
            return True
        if not key.endswith((":log", keys.COMMANDS)):
            return False
        return key.endswith(":log") or keys.match_of(key) in logged

    async def _outbox(self, key: str) -> set[str]:
        untyped: Any = self._client
        with reaching():
            return {fields[b"match"].decode() for _, fields in await untyped.xrange(key)}

    async def _archived(self) -> list[str]:
        """Segments and heads of months, those that are new."""
        notes = self._archive.notes
        names = [*await notes.segments(), *(f"{month}/heads" for month in await notes.roots())]
        for number, name in enumerate(names, 1):
            if not self._folder.has(f"{ARCHIVE}/{name}"):
                data = await self._archive.shelf.get(name)
                if data is not None:  # else it is damaged here, and so it stays
                    self._folder.put(f"{ARCHIVE}/{name}", data)
                self._tell(f"{number} of {len(names)} segments")
        return [name for name in names if self._folder.has(f"{ARCHIVE}/{name}")]


def _kind(line: bytes) -> str:
    return str(codec.decode(line).get("kind"))


def is_sound(match: str, lines: list[bytes]) -> bool:
    """Whether its head stands for all of a log; a damaged one is kept byte by byte."""
    try:
        events, broken = events_of(lines) if lines else ([], None)
    except BadLog:
        return False
    return broken is None and bool(events) and events[0].match == match
