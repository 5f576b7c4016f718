"""From the store into the archive: written, read back, checked, and only then dropped.

Whoever dies on the way leaves the name of the segment behind; the next one reads it and goes on from there.
"""

import asyncio
import secrets
from typing import NamedTuple

import structlog

from engine import codec
from engine.events import Cancelled, Finished
from engine.log import BadLog, events_of
from infra.archive import segment
from infra.archive.notes import Note
from infra.archive.segment import Beside, Damaged, Entry, Record
from infra.process.errors import ArchiveAway, StoreUnavailable
from infra.process.metrics import ARCHIVED
from service.bootstrap import Process, Tables
from service.time.history import seconds

MAX_MATCHES = 500  # matches of a segment
MAX_BYTES = 32 * 1024 * 1024  # of their logs
DAY_MS = 24 * 3600 * 1000
OVER = ("finished", "cancelled")  # how a match that is over is called
log = structlog.get_logger(__name__)


class Moved(NamedTuple):
    """How many matches moved, how many stay where they are, and the bytes that were written."""

    matches: int = 0
    stayed: int = 0
    size: int = 0

    def __add__(self, other: object) -> "Moved":
        assert isinstance(other, Moved)
        return Moved(*(one + more for one, more in zip(self, other, strict=True)))


async def fill(deps: Tables) -> int:
    """Once in the life of a store: note the matches that ended before anybody noted that."""
    if await deps.archive.notes.is_filled():
        return 0
    count = 0
    async for match in deps.store.stored():
        ended = await _end(deps, match)
        if ended is not None:
            await deps.archive.notes.over(match, ended)
            count += 1
    await deps.archive.notes.filled()
    return count


async def _end(deps: Tables, match: str) -> int | None:
    """When a match was over, in milliseconds since 1970; None if it is not, or if nobody can say."""
    length = await deps.store.length(match)
    last = await deps.store.read(match, length - 1, 1) if length else []
    try:
        event = codec.decode(last[0]) if last else {}
        return round(seconds(event["at"]) * 1000) if event.get("kind") in OVER else None
    except (*codec.UNREADABLE, AttributeError, KeyError, TypeError):
        return None  # damaged: it stays as it is, and `turnlog audit` says so


async def go_on(deps: Tables) -> Moved:
    """What somebody began who has died since."""
    name = await deps.archive.notes.begun()
    return Moved() if name is None else await _finish(deps, name)


async def move(deps: Tables, before: int, few: int = 1) -> Moved:
    """One segment of matches that were over at that time; none if they are fewer than `few`, which then
    wait for others, but not longer than a day.
    """
    due = await deps.archive.notes.due(before, MAX_MATCHES)
    if not due or (len(due) < few and due[0][1] > before - DAY_MS):
        return Moved()
    records = await _records(deps, [match for match, _ in due])
    if not records:
        return Moved(stayed=len(due))
    name = f"{deps.now():%Y-%m/%d%H%M%S}-{secrets.token_hex(3)}"
    await deps.archive.notes.begin(name)
    await deps.archive.shelf.put(name, await asyncio.to_thread(segment.pack, records))
    moved = await _finish(deps, name)
    if moved.matches < len(records):  # tried again, but not at once, and not before all others
        await deps.archive.notes.postpone([match for match, _ in records], _now(deps))
    return moved


def _now(deps: Process) -> int:
    return int(deps.now().timestamp() * 1000)


async def over(deps: Tables, match: str) -> None:
    """This match is over: some days from now it goes."""
    await deps.archive.notes.over(match, _now(deps))


async def _records(deps: Tables, matches: list[str]) -> list[tuple[str, Record]]:
    """As many of these as go into one segment; a log that does not hold stays where it is."""
    found, size = [], 0
    for match in matches:
        record = await _record(deps, match)
        if record is None:
            ARCHIVED.labels("stayed").inc()
            await deps.archive.notes.leave(match)
            continue
        found.append((match, record))
        size += sum(map(len, record.lines))
        if size > MAX_BYTES:
            break
    return found


async def _record(deps: Tables, match: str) -> Record | None:
    """What the archive would keep of a match; None if it had better stay. It holds no other up."""
    try:
        lines = await deps.store.read(match)
        if not await asyncio.to_thread(_is_sound, match, lines):
            return None
        return Record(lines, Beside(await deps.beside.origin(match), await deps.beside.signature(match)))
    except (StoreUnavailable, ArchiveAway):
        raise
    except Exception:
        log.exception("a match is not archived", match=match)
        return None


def _is_sound(match: str, lines: list[bytes]) -> bool:
    """Whether this is a whole log of a match that is over."""
    if not lines:
        return False
    try:
        events, broken = events_of(lines)
    except BadLog as damage:
        events, broken = [], damage
    if broken is not None:
        log.error("a damaged log is not archived", match=match, seq=broken.line, reason=broken.reason)
        return False
    return isinstance(events[-1], Finished | Cancelled) and events[0].match == match


async def _finish(deps: Tables, name: str) -> Moved:
    """Read a segment back, and let every match of it go whose log it has."""
    data = await deps.archive.shelf.get(name)
    moved = Moved()
    if data is not None:  # else its writer died before it was there
        for entry, last in await asyncio.to_thread(_checked, name, data):
            note = Note(entry.events, name, entry.offset, entry.size, entry.head)
            done = await deps.archive.notes.move(entry.match, note, last)
            ARCHIVED.labels("moved" if done else "stayed").inc()
            moved += Moved(matches=done, stayed=not done)
        moved = moved._replace(size=len(data))
    await deps.archive.notes.done(name, moved.matches, moved.size)
    if moved.matches:
        log.info("matches were archived", matches=moved.matches, segment=name, bytes=moved.size)
    return moved


def _checked(name: str, data: bytes) -> list[tuple[Entry, bytes]]:
    """The entries of a segment whose log is there, whole, each with its last line."""
    try:
        found = segment.entries(data)
    except Damaged as problem:
        log.error("a segment was not written well", segment=name, reason=str(problem))
        return []
    return [(entry, last) for entry in found if (last := _last(name, data, entry)) is not None]


def _last(name: str, data: bytes, entry: Entry) -> bytes | None:
    try:
        blob = data[entry.offset : entry.offset + entry.size]
        lines = segment.record(blob, entry.events, entry.head).lines
    except BadLog as damage:
        log.error("a record was not written well", segment=name, match=entry.match, reason=damage.reason)
        return None
    return lines[-1] if _is_sound(entry.match, lines) else None
