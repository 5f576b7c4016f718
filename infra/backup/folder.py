"""A backup as a folder: packs of logs that are only ever added, one file of all other keys, and a manifest.

The manifest is written last and in one step: until then the backup before it counts. Packs have the format of
the archive's segments, so each says by itself which matches it has.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Self

import msgspec

from infra.archive import segment
from infra.archive.segment import Entry
from infra.backup.records import Record
from infra.process.errors import InfraError
from infra.process.files import private_dir, write_private

VERSION = 1
MANIFEST = "manifest.json"
PACKS, RUNNING, ARCHIVE = "packs", "running", "archive"  # folders
READ_BYTES = 1 << 20


class BadBackup(InfraError):
    """This folder is no backup, or not all of one."""


class Manifest(msgspec.Struct, frozen=True):
    """One backup: its files, what is in them, and the digest of all of it."""

    at: str
    keys: str  # file of all keys but logs
    logs: str  # file of which match is in which pack
    matches: int
    records: int
    digest: str
    archive: list[str] = []
    unfollowed: list[str] = []  # matches whose last events nobody may have followed
    version: int = VERSION


class Place(msgspec.Struct, frozen=True, array_like=True):
    """Where the log of a match is; `pack` empty: it is damaged, and lies byte by byte among the keys."""

    match: str
    events: int
    head: str
    pack: str


class Lines:
    """A compressed file of lines, written as they come and there at once or not at all."""

    def __init__(self, path: Path) -> None:
        self._path, self._draft = path, path.with_name(f".{path.name}.draft")
        private_dir(path.parent)
        self._file: BinaryIO = self._draft.open("wb")
        self._draft.chmod(0o600)  # before anything is in it
        self._packer = zlib.compressobj(6)
        self.count = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Whoever was interrupted leaves nothing behind."""
        self._file.close()
        self._draft.unlink(missing_ok=True)

    def add(self, one: msgspec.Struct) -> None:
        self._file.write(self._packer.compress(msgspec.json.encode(one) + b"\n"))
        self.count += 1

    def close(self) -> str:
        """Its name, now that all of it is on the disk."""
        self._file.write(self._packer.flush())
        self._file.flush()
        os.fsync(self._file.fileno())
        self._draft.replace(self._path)
        return self._path.name


class BackupFolder:
    def __init__(self, path: Path) -> None:
        self.path = path

    def manifest(self) -> Manifest | None:
        """The backup that counts; None in a new folder. Raises BadBackup."""
        try:
            found = msgspec.json.decode((self.path / MANIFEST).read_bytes(), type=Manifest)
        except FileNotFoundError:
            return None
        except msgspec.DecodeError as problem:
            raise BadBackup(f"{self.path / MANIFEST} cannot be read: {problem}") from None
        if found.version > VERSION:
            raise BadBackup(f"{self.path} was made by a newer version of Turnlog")
        return found

    def publish(self, manifest: Manifest) -> None:
        write_private(self.path / MANIFEST, msgspec.json.encode(manifest) + b"\n")

    def packed(self) -> dict[str, tuple[str, Entry]]:
        """Every finished match that a pack has, also one of a backup that was interrupted."""
        found = {}
        for path in sorted((self.path / PACKS).glob("*")):
            if not path.name.startswith("."):
                for entry in self._entries(path):
                    found[entry.match] = (f"{PACKS}/{path.name}", entry)
        return found

    def _entries(self, path: Path) -> list[Entry]:
        try:
            return segment.entries(path.read_bytes())
        except segment.Damaged:
            return []  # then its matches are packed again

    def put(self, name: str, data: bytes) -> None:
        for folder in reversed((self.path / name).relative_to(self.path).parents):
            private_dir(self.path / folder)
        write_private(self.path / name, data)

    def has(self, name: str) -> bool:
        return (self.path / name).is_file()

    def get(self, name: str) -> bytes:
        """Raises BadBackup."""
        try:
            return (self.path / name).read_bytes()
        except OSError as problem:
            raise BadBackup(f"{self.path / name} cannot be read: {problem.strerror}") from None

    def records(self, name: str) -> Iterator[Record]:
        """All keys but logs, as they were. Raises BadBackup."""
        return (msgspec.json.decode(line, type=Record) for line in self._lines(name))

    def places(self, name: str) -> list[Place]:
        return [msgspec.json.decode(line, type=Place) for line in self._lines(name)]

    def _lines(self, name: str) -> Iterator[bytes]:
        opener, rest = zlib.decompressobj(), b""
        try:
            with (self.path / name).open("rb") as file:
                while data := file.read(READ_BYTES):
                    *lines, rest = (rest + opener.decompress(data)).split(b"\n")
                    yield from lines
        except (OSError, zlib.error) as problem:
            raise BadBackup(f"{self.path / name} cannot be read: {problem}") from None
        if rest or not opener.eof:
            raise BadBackup(f"{self.path / name} is cut off")

    def prune(self, manifest: Manifest, needed: set[str]) -> None:
        """Files of earlier backups that this one does not need."""
        kept = {manifest.keys, manifest.logs, MANIFEST}
        for path in self.path.iterdir():
            if path.is_file() and path.name not in kept:
                path.unlink()
        for folder in (PACKS, RUNNING):
            for path in (self.path / folder).glob("*"):
                if f"{folder}/{path.name}" not in needed:
                    path.unlink()
