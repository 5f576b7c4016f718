"""So many requests a second for each token, and for each address without one."""

from __future__ import annotations

import time
from collections import Counter

from service.errors import Problem


class RateLimit:
    """Counts in whole seconds. Nobody has to wait longer than one, so that is what Retry-After says."""

    def __init__(self, per_second: int) -> None:
        self._most = per_second
        self._second = 0
        self._counts: Counter[str] = Counter()

    def check(self, who: str) -> None:
        """Count a request; raises Problem rate_limited."""
        second = int(time.monotonic())
        if second != self._second:
            self._second = second
            self._counts.clear()
        self._counts[who] += 1
        if self._counts[who] > self._most:
            problem = Problem("rate_limited")
            problem.headers["Retry-After"] = "1"
            raise problem
