"""A command that comes again gets its first answer; some days after the end nobody asks for that any more."""

import math
import time

from service.bootstrap import Tables

KEPT_S = 7 * 24 * 3600  # after the end of a match
EVERY_S = 60.0  # of real time
AT_ONCE = 200


class Commands:
    def __init__(self, deps: Tables) -> None:
        self._deps = deps
        self._at = 0.0
        self._mark: str | None = None

    async def let_go(self, match: str) -> None:
        """A match is over: from now on its commands are kept for so long, and then the store drops them."""
        await self._deps.store.forget_commands([match], KEPT_S)

    async def sweep(self) -> None:
        """Once in the life of a relay, a page a minute: matches that ended before anybody did this."""
        if time.monotonic() < self._at:
            return
        self._at = time.monotonic() + EVERY_S
        found, mark = await self._deps.readmodel.list(
            "finished", listed=None, limit=AT_ONCE, cursor=self._mark
        )
        await self._deps.store.forget_commands([one.match for one in found], KEPT_S)
        self._mark = mark
        if mark is None:
            self._at = math.inf
