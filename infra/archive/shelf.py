"""Where segments lie: a folder, or what looks like one. Nothing on a shelf is ever changed."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from infra.process.errors import ArchiveAway
from infra.process.files import private_dir, write_private


class Shelf(Protocol):
    """Named bytes. Whoever cannot reach it raises ArchiveAway."""

    @property
    def where(self) -> str:
        """In words, for the operator."""

    async def put(self, name: str, data: bytes) -> None:
        """Keep it for good: when this returns, it is on the disk. The same again changes nothing."""

    async def get(self, name: str, offset: int = 0, size: int | None = None) -> bytes | None:
        """The whole, or a part; None if there is no such thing."""


class Folder:
    """On a disk of this machine, or one that all machines share."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @property
    def where(self) -> str:
        return str(self._path)

    async def put(self, name: str, data: bytes) -> None:
        with self._reaching():
            await asyncio.to_thread(self._put, name, data)

    async def get(self, name: str, offset: int = 0, size: int | None = None) -> bytes | None:
        with self._reaching():
            return await asyncio.to_thread(self._get, name, offset, size)

    @contextmanager
    def _reaching(self) -> Iterator[None]:
        try:
            yield
        except OSError as problem:
            raise ArchiveAway(f"The archive in {self._path} cannot be used: {problem.strerror}") from problem

    def _put(self, name: str, data: bytes) -> None:
        path = self._path / name
        private_dir(path.parent)
        write_private(path, data)
        for folder in (path.parent, self._path):  # their entries, too, must survive a power cut
            _sync(folder)

    def _get(self, name: str, offset: int, size: int | None) -> bytes | None:
        try:
            with (self._path / name).open("rb") as file:
                file.seek(offset)
                return file.read() if size is None else file.read(size)
        except FileNotFoundError:
            return None


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
