"""So many requests a second for each token, and for each address without one."""

from __future__ import annotations

import time

from limits import RateLimitItemPerSecond
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import FixedWindowRateLimiter

from service.errors import Problem


class RateLimit:
    def __init__(self, per_second: int) -> None:
        self._item = RateLimitItemPerSecond(per_second)
        self._limiter = FixedWindowRateLimiter(MemoryStorage())

    async def check(self, who: str) -> None:
        """Count a request; raises Problem rate_limited."""
        if await self._limiter.hit(self._item, who):
            return
        window = await self._limiter.get_window_stats(self._item, who)
        problem = Problem("rate_limited")
        problem.headers["Retry-After"] = str(max(1, round(window.reset_time - time.time())))
        raise problem
