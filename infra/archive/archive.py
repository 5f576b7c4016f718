"""Archived matches as they are read: a note in the store says where, and the shelf has the bytes."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator

from engine.log import BadLog
from engine.match import Imported
from infra.archive import segment
from infra.archive.notes import Note, Notes
from infra.archive.segment import Beside, Damaged, Entry, Record
from infra.archive.shelf import Shelf
from infra.process.errors import ArchiveAway
from infra.process.metrics import ARCHIVE_READS
from infra.store.redis import Client

MAX_KEPT = 8 * 1024 * 1024  # bytes of logs that a process remembers
NOTHING = Beside()


class Archive:
    """`shelf` None: nothing is archived by this process, and what was cannot be read."""

    def __init__(self, client: Client, shelf: Shelf | None) -> None:
        self.notes = Notes(client)
        self._shelf = shelf
        self._kept: OrderedDict[str, tuple[Note, Record]] = OrderedDict()
        self._bytes = 0

    @property
    def is_open(self) -> bool:
        return self._shelf is not None

    @property
    def shelf(self) -> Shelf:
        """Raises ArchiveAway if none is named."""
        if self._shelf is None:
            raise ArchiveAway("This match is archived, and TURNLOG_ARCHIVE does not say where.")
        return self._shelf

    async def lines(self, match: str) -> list[bytes]:
        found = await self.record(match)
        return [] if found is None else found.lines

    async def length(self, match: str) -> int:
        note = await self.notes.of(match)
        return 0 if note is None else note.events

    async def origin(self, match: str) -> Imported | None:
        return (await self._beside(match)).origin

    async def signature(self, match: str) -> tuple[str, str] | None:
        return (await self._beside(match)).signed

    async def matches(self) -> AsyncIterator[str]:
        async for match, _ in self.notes.matches():
            yield match

    async def record(self, match: str) -> Record | None:
        """An archived match; None if it is not archived. Raises BadLog, ArchiveAway."""
        note = await self.notes.of(match)
        if note is None:
            return None
        known = self._kept.get(match)
        if known is not None and known[0] == note:
            self._kept.move_to_end(match)
            return known[1]
        with ARCHIVE_READS.time():
            found = await self._read(note)
        self._keep(match, note, found)
        return found

    async def index(self, name: str, size: int) -> list[Entry]:
        """Which matches a segment of that many bytes has. Raises Damaged."""
        start = size - segment.END.size
        end = await self.shelf.get(name, start)
        if end is None or len(end) != segment.END.size:
            raise Damaged("it is not there, or cut off")
        offset = segment.END.unpack(end)[0]
        if not len(segment.MAGIC) <= offset <= start:
            raise Damaged("not a segment")
        tail = await self.shelf.get(name, offset)
        return segment.index(tail or b"")

    async def _beside(self, match: str) -> Beside:
        found = await self.record(match)
        return NOTHING if found is None else found.beside

    async def _read(self, note: Note) -> Record:
        blob = await self.shelf.get(note.segment, note.offset, note.size)
        if blob is None:
            raise BadLog(1, "missing_segment", f"segment {note.segment} is not in the archive")
        return await asyncio.to_thread(segment.record, blob, note.events, note.head)

    def _keep(self, match: str, note: Note, found: Record) -> None:
        """The latest, up to so many bytes together."""
        self._forget(match)
        self._kept[match] = note, found
        self._bytes += _size(found)
        while self._bytes > MAX_KEPT and len(self._kept) > 1:
            self._forget(next(iter(self._kept)))

    def _forget(self, match: str) -> None:
        gone = self._kept.pop(match, None)
        if gone is not None:
            self._bytes -= _size(gone[1])


def _size(found: Record) -> int:
    return sum(map(len, found.lines))
