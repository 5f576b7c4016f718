"""An API, a relay or a worker as a process of its own, with a clock that a test moves.

`python -m tests.roles api|relay|worker`; the rest comes from the environment.
"""

import asyncio
import dataclasses
import os
import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

from infra.people.ledger import Ledger
from infra.process import telemetry
from infra.process.settings import Settings
from infra.store.redis import connect_sync
from service.api.app import create_app
from service.api.frame.serving import server
from service.bootstrap import Deps, wire
from workers.jobs import Jobs
from workers.relay import Pace, Relay
from workers.runtime import Runtime
from workers.worker import work

PACE = Pace(sweep_s=0.05, lost_turn_s=1.0, lost_notice_s=2.5, moved_s=1.0, dead_s=2.0)


class FileClock:
    """The time that stands in a file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __call__(self) -> datetime:
        return datetime.fromtimestamp(int(self._path.read_text(encoding="ascii") or 0) / 1000, UTC)

    def set(self, moment: datetime) -> None:
        draft = self._path.with_suffix(".new")
        draft.write_text(str(int(moment.timestamp() * 1000)), encoding="ascii")
        draft.replace(self._path)  # in one step: readers never see half of it

    def on(self, delta: timedelta) -> None:
        self.set(self() + delta)


def wired(settings: Settings, url: str, clock: FileClock) -> Deps:
    deps = wire(settings, url, clock)
    return dataclasses.replace(deps, ledger=Ledger(deps.client, claim_ms=2000))


class Role:
    """A process that can be killed and comes back."""

    def __init__(self, name: str, env: dict[str, str], log: Path) -> None:
        self.name, self._env, self._log = name, env, log
        self.start()

    def start(self) -> None:
        with self._log.open("a", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tests.roles", self.name],
                env={**os.environ, **self._env},
                stderr=log,
                stdout=log,
            )

    def log_end(self) -> str:
        """The last of what it said, for whoever must find out why it died."""
        return self._log.read_text(encoding="utf-8")[-4000:]

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.kill()


async def relay(deps: Deps, queue: str) -> None:
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    await Relay(deps, Jobs(connect_sync(queue)), PACE).run(stop)
    await deps.close()


def main(name: str) -> None:
    telemetry.configure("warning")
    settings, url = Settings.from_env(), os.environ["TURNLOG_REDIS_URL"]
    deps = wired(settings, url, FileClock(Path(os.environ["TESTS_CLOCK"])))
    if name == "api":
        server(create_app(deps), settings.host, settings.port).run()
    elif name == "relay":
        asyncio.run(relay(deps, settings.queue_at(url)))
    else:
        work(settings, url, settings.queue_at(url), prepared=Runtime(settings, url, deps))


if __name__ == "__main__":
    main(sys.argv[1])
