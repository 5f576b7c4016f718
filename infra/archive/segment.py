"""A segment: many finished logs in one file that never changes. Pure: bytes in, bytes out.

    magic | record | record | … | index | where the index is

A record is one log and what was kept beside it, compressed by itself, so that it can be read alone. The index
at the end says which match lies where: a store that has lost its notes can have them back from the segments.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from engine import codec
from engine.log import BadLog
from engine.match import Imported

MAGIC = b"TURNLOG1"
END = struct.Struct(">QII8s")  # offset, size and CRC-32 of the index, magic
LEVEL = 9  # lzma is a seventh smaller, and five times as slow to write
MAX_BYTES = 256 * 1024 * 1024  # of one log: more is no log of ours


class Beside(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is kept beside a log: where it came from, and the signature under its end."""

    origin: Imported | None = None
    signed: tuple[str, str] | None = None


class Record(NamedTuple):
    """A finished match as the archive keeps it."""

    lines: list[bytes]
    beside: Beside

    @property
    def head(self) -> str:
        return codec.digest(self.lines[-1])


class Entry(msgspec.Struct, frozen=True, array_like=True):
    """Where a match lies in a segment, how many events it has, and its head."""

    match: str
    offset: int
    size: int
    events: int
    head: str


_beside = msgspec.json.Decoder(Beside).decode
_entry = msgspec.json.Decoder(Entry).decode


class Damaged(ValueError):
    """A segment is not what was written."""


def pack(records: Sequence[tuple[str, Record]]) -> bytes:
    """A whole segment."""
    parts, entries, offset = [MAGIC], [], len(MAGIC)
    for match, record in records:
        raw = b"\n".join([msgspec.json.encode(record.beside), *record.lines])
        blob = zlib.compress(raw, LEVEL)
        entries.append(Entry(match, offset, len(blob), len(record.lines), record.head))
        parts.append(blob)
        offset += len(blob)
    index = zlib.compress(b"".join(msgspec.json.encode(entry) + b"\n" for entry in entries), LEVEL)
    return b"".join([*parts, index, END.pack(offset, len(index), zlib.crc32(index), MAGIC)])


def entries(data: bytes) -> list[Entry]:
    """The index of a whole segment. Raises Damaged."""
    if data[: len(MAGIC)] != MAGIC or len(data) < END.size:
        raise Damaged("not a segment")
    offset = END.unpack(data[-END.size :])[0]
    return index(data[offset:])


def index(tail: bytes) -> list[Entry]:
    """The same from the end of a segment, where its index begins. Raises Damaged."""
    try:
        _, size, crc, magic = END.unpack(tail[-END.size :])
        packed = tail[: -END.size]
        if magic != MAGIC or len(packed) != size or zlib.crc32(packed) != crc:
            raise Damaged("not a segment")
        return [_entry(line) for line in _opened(packed).splitlines()]
    except (struct.error, zlib.error, msgspec.DecodeError) as problem:
        raise Damaged(str(problem)) from None


def record(blob: bytes, events: int, head: str) -> Record:
    """One record, if it is the log that ends with this head. Raises BadLog."""
    try:
        first, *lines = _opened(blob).split(b"\n")
        found = Record(lines, _beside(first))
    except (zlib.error, msgspec.DecodeError, Damaged) as problem:
        raise BadLog(1, "damaged_segment", f"its record in the archive cannot be read: {problem}") from None
    if len(lines) != events or found.head != head:
        raise BadLog(max(1, len(lines)), "damaged_segment", "its record in the archive is another one")
    return found


def _opened(blob: bytes) -> bytes:
    """What was compressed: all of it, and nothing after it."""
    opener = zlib.decompressobj()
    raw = opener.decompress(blob, MAX_BYTES)
    if not opener.eof or opener.unused_data:
        raise Damaged("it is cut off, or something follows it")
    return raw
