"""A relay that is killed when it begins to follow a match: `python -m tests.dying_relay STORE_URL`."""

import asyncio
import os
import signal
import sys
from typing import Any

from infra.process.settings import Settings
from infra.store.redis import connect_sync
from service.bootstrap import wire
from workers.jobs import Jobs
from workers.relay import Relay


async def die(*_: Any) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


async def main(url: str) -> None:
    Relay._follow = die  # type: ignore[method-assign]
    await Relay(wire(Settings(), url), Jobs(connect_sync(url))).run(asyncio.Event())


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
