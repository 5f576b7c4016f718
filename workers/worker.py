"""A worker process: RQ without forking, so that a bot's answer is there in milliseconds."""

import logging
import threading
import time
from typing import Any

import redis
import structlog
from rq import SimpleWorker
from rq.serializers import JSONSerializer

from infra.redis import connect_sync
from infra.settings import Settings
from workers import limits, runtime
from workers.jobs import BOTS, QUEUES

log = structlog.get_logger(__name__)
BEAT = "tl:beat:worker"
BEAT_EVERY_S = 2.0
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
    if BOTS in queues:
        threading.Thread(target=_beat, args=(connect_sync(store_url),), daemon=True).start()
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


def _beat(connection: redis.Redis) -> None:
    """Shows `/ready` that a worker lives."""
    while True:
        try:
            connection.set(BEAT, int(time.time() * 1000))
        except (redis.RedisError, OSError) as reason:
            log.warning("no heartbeat", reason=str(reason))
        time.sleep(BEAT_EVERY_S)
