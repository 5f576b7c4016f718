"""A worker with a bot that is lost in foreign code: `python -m tests.deaf_worker STORE_URL`."""

import sys
from itertools import repeat

from bots.registry import BOTS
from infra.process import telemetry
from infra.process.settings import Settings
from workers.bots import limits
from workers.worker import work


def deaf(*_: object) -> object:
    """One call into C that lasts for hours and looks at no signal."""
    return sum(repeat(0, 10**13))


if __name__ == "__main__":
    telemetry.configure("info")
    BOTS["deaf"] = deaf  # type: ignore[assignment]
    limits.GREEDY_S = limits.GRACE_S = 0.3
    work(Settings(), sys.argv[1], sys.argv[1], ("bots",))
