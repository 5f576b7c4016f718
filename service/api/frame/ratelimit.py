"""So many requests a second for each token, and for each address without one.

Every process counts for itself, at once and for nothing. Those who ask often are also counted in the volatile
server, ten times a second, so that several processes together allow what one would.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter

import structlog

from infra.people.rates import Rates
from infra.process.errors import StoreUnavailable
from service.basics.errors import Problem

log = structlog.get_logger(__name__)
SHARE_EVERY_S = 0.1
QUIET = 10  # who uses less than this part of the limit is counted here alone


class RateLimit:
    """Counts in whole seconds. Nobody has to wait longer than one, so that is what Retry-After says."""

    def __init__(self, per_second: int) -> None:
        self._most = per_second
        self._second = 0
        self._counts: Counter[str] = Counter()
        self._told: Counter[str] = Counter()  # of these, what the others know
        self._elsewhere: dict[str, int] = {}

    def check(self, who: str) -> None:
        """Count a request; raises Problem rate_limited."""
        second = int(time.time())
        if second != self._second:
            self._second = second
            self._counts.clear()
            self._told.clear()
            self._elsewhere.clear()
        self._counts[who] += 1
        if self._counts[who] + self._elsewhere.get(who, 0) > self._most:
            problem = Problem("rate_limited")
            problem.headers["Retry-After"] = "1"
            raise problem

    async def share(self, rates: Rates) -> None:
        """Tell the other processes, and hear of them, until cancelled. Without the server each is alone."""
        while True:
            await asyncio.sleep(SHARE_EVERY_S)
            try:
                await self.share_once(rates)
            except StoreUnavailable as reason:
                log.info("request rates are not shared between processes", reason=str(reason))
                await asyncio.sleep(1.0)

    async def share_once(self, rates: Rates) -> None:
        second = self._second
        busy = {who: n for who, n in self._counts.items() if n * QUIET > self._most}
        fresh = {who: n - self._told[who] for who, n in busy.items()}
        totals = await rates.add(second, fresh) if fresh else {}
        if second == self._second:
            self._told.update(fresh)
            self._elsewhere = {who: max(0, total - self._told[who]) for who, total in totals.items()}
