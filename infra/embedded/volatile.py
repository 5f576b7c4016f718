"""A server for what may be lost at any time: the job queue, and counters of the last second.

It keeps nothing on the disk, so nothing in it waits for one. Whoever uses it can do without all of it.
"""

from __future__ import annotations

from pathlib import Path

from infra.embedded.bundled import Embedded
from infra.embedded.server import VOLATILE, config

FOLDER = "queue"  # inside the data directory


class Volatile(Embedded):
    """Beside the store of a data directory, with a folder of its own."""

    name = "the queue"
    with_what = "empty"

    def __init__(self, data: Path | str) -> None:
        super().__init__(Path(data) / FOLDER)

    def _config(self, password: str) -> str:
        return config(self.url, password, settings=VOLATILE)

    def look_at_room(self) -> bool:
        """It needs no room."""
        return False
