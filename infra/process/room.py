"""Room on the disk: while there is little of it the store takes nothing new, and goes on reading.

A store that finds none in the middle of a write ends itself. What refuses before that is its own wish for
replicas: an embedded one has none, so wanting one refuses every write, also those of scripts.
"""

from __future__ import annotations

import os
from pathlib import Path

import redis

MB = 1024 * 1024
FLOOR_MB = 64
HOLD = "min-replicas-to-write"


class Room:
    """What is left for a directory, and whether that is too little."""

    def __init__(self, path: Path, floor_mb: int = FLOOR_MB) -> None:
        self._path, self._floor = path, floor_mb * MB
        self.low = False

    def left(self) -> int:
        """Bytes that we may still write."""
        found = os.statvfs(self._path)
        return found.f_bavail * found.f_frsize

    def look(self) -> bool:
        """Look again, and say whether it is too little; a little more than the floor ends it."""
        self.low = self.left() < self._floor + (self._floor // 8 if self.low else 0)
        return self.low

    def sentence(self) -> str:
        """What the operator is told of it."""
        left, floor = self.left() / MB, self._floor // MB
        return f"{left:.1f} MB are left on the disk of {self._path}, less than {floor} MB (TURNLOG_MIN_FREE)"


def hold(url: str, held: bool) -> None:
    """Make a running store refuse every write, or take them again."""
    with redis.Redis.from_url(url, socket_timeout=2.0, retry=None) as client:
        client.config_set(HOLD, int(held))
