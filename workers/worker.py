"""A worker process: RQ without forking, so that a bot's answer is there in milliseconds."""

import asyncio
import logging
import threading
import time
from collections.abc import Sequence
from typing import Any

import redis
import structlog
from rq import SimpleWorker
from rq.serializers import JSONSerializer

from infra.errors import StoreUnavailable
from infra.redis import Client, ask, connect, connect_sync
from infra.settings import Settings
from workers import limits, playing, runtime
from workers.jobs import BOTS, HEAVY, QUEUES

log = structlog.get_logger(__name__)
BEATS = {BOTS: "tl:beat:worker", HEAVY: "tl:beat:heavy"}
STOP = threading.Event()


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
    beats = [BEATS[name] for name in queues if name in BEATS]
    if beats:
        threading.Thread(target=lambda: asyncio.run(_beat(store_url, beats)), daemon=True).start()
    while not STOP.is_set():
        _work_once(connect_sync(queue_url), queues)
    runtime.current().close()


def _work_once(connection: redis.Redis, queues: tuple[str, ...]) -> None:
    """Until somebody asks us to stop, or the connection breaks."""
    try:
        worker = Worker(queues, connection=connection, serializer=JSONSerializer)
        worker.work(logging_level="WARNING")
    except (redis.RedisError, OSError) as reason:
        log.warning("the queue is away", reason=str(reason))
        # A store that answers and refuses has no room: it will take a while, and RQ says a lot each time.
        STOP.wait(2.0 if isinstance(reason, redis.ResponseError) else 0.2)


class Worker(SimpleWorker):
    """Says what failed in our own log, with the job's id."""

    def request_stop(self, signum: Any, frame: Any) -> None:
        STOP.set()  # RQ's own wish is lost when its connection breaks on the way out
        super().request_stop(signum, frame)  # type: ignore[no-untyped-call] # RQ has no types

    def handle_exception(self, job: Any, *exc_info: Any) -> None:
        log.error("job failed", job=job.id, exc_info=exc_info)
        super().handle_exception(job, *exc_info)


async def _beat(store_url: str, beats: Sequence[str]) -> None:
    """Shows `/ready` that a worker lives, and the relays what it plays; apart from the thread that thinks."""
    client = connect(store_url)
    try:
        while True:
            await _beat_once(client, beats)
            await asyncio.sleep(playing.RENEW_S)
    finally:
        await client.aclose()


async def _beat_once(client: Client, beats: Sequence[str]) -> None:
    try:
        await playing.renew(client)
        for beat in beats:
            await ask(client, "SET", beat, int(time.time() * 1000))
    except StoreUnavailable as reason:
        log.warning("no heartbeat", reason=str(reason))
