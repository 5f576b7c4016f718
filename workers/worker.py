"""A worker process: RQ without forking, so that a bot's answer is there in milliseconds."""

import asyncio
import logging
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import redis
import structlog
from rq import SimpleWorker
from rq.exceptions import InvalidJobOperation, NoSuchJobError
from rq.serializers import JSONSerializer

from infra.process.errors import StoreUnavailable
from infra.process.metrics import JOB_SECONDS, JOBS
from infra.process.settings import Settings
from infra.store import signs_of_life
from infra.store.redis import Client, connect, connect_sync
from workers import runtime
from workers.bots import limits, playing
from workers.jobs import BOTS, CALLS, HEAVY, NOTIFY, QUEUES
from workers.runtime import STOP

log = structlog.get_logger(__name__)
ROLES = {BOTS: "worker", HEAVY: "heavy", NOTIFY: "notifier", CALLS: "caller"}  # as their heartbeats are named
# What RQ says if a queue is emptied under its hands.
GONE = (ValueError, NoSuchJobError, InvalidJobOperation)


def work(
    settings: Settings,
    store_url: str,
    queue_url: str,
    queues: tuple[str, ...] = QUEUES,
    prepared: runtime.Runtime | None = None,
) -> None:
    """Work until SIGTERM or SIGINT; the job at hand is finished first. A queue that is away is waited for."""
    logging.getLogger("rq.worker").setLevel(logging.WARNING)
    runtime.use(prepared or runtime.Runtime(settings, store_url))
    limits.end_process_when_deaf()
    roles = [ROLES[name] for name in queues]
    beating = threading.Thread(target=lambda: asyncio.run(_beat(store_url, roles)), daemon=True)
    beating.start()
    while not STOP.is_set():
        _work_once(connect_sync(queue_url), queues)
    beating.join(2.0)
    runtime.current().close()


def _work_once(connection: redis.Redis, queues: tuple[str, ...]) -> None:
    """Until somebody asks us to stop, or the connection breaks."""
    try:
        worker = Worker(queues, connection=connection, serializer=JSONSerializer)
        worker.work(logging_level="WARNING")
    except GONE as reason:
        log.info("a job vanished from the queue", reason=str(reason))
    except (redis.RedisError, OSError) as reason:
        log.warning("queue unreachable", reason=str(reason))
        # A store that answers and refuses has no room: it will take a while, and RQ says a lot each time.
        STOP.wait(2.0 if isinstance(reason, redis.ResponseError) else 0.2)


class Worker(SimpleWorker):
    """Says what failed in our own log, with the job's id. Nobody sends it commands, so it listens to none."""

    def subscribe(self) -> None: ...

    def unsubscribe(self) -> None: ...

    def request_stop(self, signum: Any, frame: Any) -> None:
        STOP.set()  # RQ's own wish is lost when its connection breaks on the way out
        super().request_stop(signum, frame)  # type: ignore[no-untyped-call] # RQ has no types

    def perform_job(self, job: Any, queue: Any) -> bool:
        started = time.perf_counter()
        done = bool(super().perform_job(job, queue))
        JOBS.labels(queue.name, "done" if done else "failed").inc()
        JOB_SECONDS.labels(queue.name).observe(time.perf_counter() - started)
        return done

    def handle_exception(self, job: Any, *exc_info: Any) -> None:
        log.error("job failed", job=job.id, exc_info=exc_info)
        super().handle_exception(job, *exc_info)


async def _beat(store_url: str, roles: Sequence[str]) -> None:
    """Shows `/ready` that a worker lives, and the relays what it plays; apart from the thread that thinks."""
    client = connect(store_url)
    try:
        while not STOP.is_set():
            await _beat_once(client, roles)
            await asyncio.to_thread(STOP.wait, playing.RENEW_S)
        with suppress(StoreUnavailable):
            for role in roles:
                await signs_of_life.fall_silent(client, role)
    finally:
        await client.aclose()


async def _beat_once(client: Client, roles: Sequence[str]) -> None:
    try:
        await playing.renew(client)
        for role in roles:
            await signs_of_life.beat(client, role)
    except StoreUnavailable as reason:
        log.warning("heartbeat not stored", reason=str(reason))
