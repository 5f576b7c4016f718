"""Matches that are long over leave the store, and months that are over get their root: aside, in peace."""

import asyncio
import time

import structlog
from redis.exceptions import RedisError

from infra.process.errors import ArchiveAway, StoreUnavailable
from service.archive import months, moving
from service.archive.moving import DAY_MS, Moved
from service.bootstrap import Tables

EVERY_S = 60.0  # of real time
LEASE_S = 600  # longer than a segment takes
FEW = 100  # so few wait for others, a day at most: small segments cost as much as large ones
AT_ONCE = 20  # segments, before the relays may choose another archivist
log = structlog.get_logger(__name__)


class Archivist:
    """Of all relays one at a time."""

    def __init__(self, deps: Tables, every_s: float = EVERY_S) -> None:
        self._deps, self._every_s = deps, every_s
        self._at = 0.0

    @property
    def works(self) -> bool:
        return self._deps.archive.is_open and self._deps.settings.archive_days > 0

    async def run(self, stop: asyncio.Event) -> None:
        """Until told to stop. An archive that is away is tried again later, and nothing else waits for it."""
        while not stop.is_set():
            if self.works and time.monotonic() >= self._at:
                self._at = time.monotonic() + self._every_s
                await self._try(stop)
            await asyncio.sleep(min(1.0, self._every_s))

    async def _try(self, stop: asyncio.Event) -> None:
        try:
            await self.step(stop=stop)
        except ArchiveAway as problem:
            log.error("the archive is away", reason=str(problem))
        except (StoreUnavailable, RedisError) as reason:
            log.warning("store unreachable", reason=str(reason))
        except Exception:  # bots and clocks do not wait for old matches
            log.exception("nothing could be archived")

    async def step(self, few: int = FEW, stop: asyncio.Event | None = None) -> Moved:
        """What is due now; nothing if another relay is at it. Asked to stop, it ends after a segment."""
        notes, moved = self._deps.archive.notes, Moved()
        if not await notes.take_over(LEASE_S):
            return moved
        try:
            moved += await moving.go_on(self._deps)
            await moving.fill(self._deps)
            for _ in range(AT_ONCE):
                some = await moving.move(self._deps, self.before(), few)
                moved += some
                stopped = stop is not None and stop.is_set()
                if not some.matches or stopped or not await notes.take_over(LEASE_S):
                    break
            await months.close(self._deps)
        finally:
            await notes.hand_back()
        return moved

    def before(self) -> int:
        """Who was over then is due now; milliseconds since 1970."""
        return int(self._deps.now().timestamp() * 1000) - self._deps.settings.archive_days * DAY_MS
