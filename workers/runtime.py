"""What a worker process keeps between jobs: one event loop, one set of connections."""

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

from infra.process.settings import Settings
from service.bootstrap import Deps, wire

T = TypeVar("T")
STOP = threading.Event()  # somebody asked this process to end


class Runtime:
    """Jobs are synchronous, handlers are not: this joins the two."""

    def __init__(self, settings: Settings, url: str, deps: Deps | None = None) -> None:
        self._loop = asyncio.new_event_loop()
        self.deps: Deps = deps or wire(settings, url)
        self._prepared = False

    def run(self, job: Coroutine[Any, Any, T]) -> T:
        task = self._loop.create_task(self._done(job))
        try:
            return self._loop.run_until_complete(task)
        finally:
            if not task.done():  # the time of a job is up: what it began must not go on in the next one
                task.cancel()
                self._loop.run_until_complete(asyncio.wait([task]))

    async def _done(self, job: Coroutine[Any, Any, T]) -> T:
        try:
            if not self._prepared:
                await self.deps.kept.load()
                self._prepared = True
        except BaseException:
            job.close()
            raise
        return await job

    def close(self) -> None:
        self._loop.run_until_complete(self.deps.close())
        self._loop.close()


_current: list[Runtime] = []


def use(runtime: Runtime) -> None:
    """Jobs of this process run on this runtime."""
    _current[:] = [runtime]


def current() -> Runtime:
    """The runtime of this process; made from the environment by a worker that nobody prepared."""
    if not _current:
        settings = Settings.from_env()
        if settings.redis_url is None:
            raise RuntimeError("a worker needs TURNLOG_REDIS_URL")
        use(Runtime(settings, settings.redis_url))
    return _current[0]
