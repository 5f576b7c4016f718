"""Jobs are names and plain JSON, with ids that say what they are for: enqueueing one twice does no harm.

The names are stored in the queue: never rename one.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import redis
import structlog
from rq import Queue
from rq.exceptions import DuplicateJobError, InvalidJobOperation, NoSuchJobError
from rq.job import Job, JobStatus
from rq.serializers import JSONSerializer

from engine.identity import turn_of_bot, turn_of_stand_in
from infra.store import keys
from infra.store.redis import reaching

log = structlog.get_logger(__name__)

BOTS, HEAVY, NOTIFY, CALLS = "bots", "bots-heavy", "notify", "calls"
QUEUES = (BOTS, HEAVY, NOTIFY, CALLS)  # in this order a worker looks for work
BOT_TURN = "workers.bot_turn.run"
STAND_IN = "workers.stand_in.run"
NOTICE = "workers.notify.run"
CALL = "workers.call.run"
TIMEOUT_S = 120  # bots and deliveries have shorter limits of their own: this ends what they overlooked
RESULT_TTL_S = 5  # an id is taken while its job's hash exists: keep it short
FAILURE_TTL_S = 3600
EXECUTIONS = "rq:executions:{}"  # RQ's notes of who runs a job
QUEUE_PREFIX = Queue.redis_queue_namespace_prefix


class BotTurn(NamedTuple):
    """A turn's identity: the seat, and the event that put it into to_act."""

    match: str
    seat: int
    since: int

    @property
    def job_id(self) -> str:
        return f"bot-{self.match}-{self.since}-{self.seat}"

    @property
    def key(self) -> str:
        """The command id under which the turn is played: at most once."""
        return turn_of_bot(self.since, self.seat)


class StandIn(NamedTuple):
    """A remote bot's turn that a bot of the house plays."""

    match: str
    seat: int
    since: int

    @property
    def job_id(self) -> str:
        return turn_of_stand_in(self.match, self.since, self.seat)


class Call(NamedTuple):
    """A message for a remote bot's webhook: `kind` is turn, seated, away or over."""

    kind: str
    match: str
    seat: int
    since: int

    @property
    def job_id(self) -> str:
        return f"call-{self.kind}-{self.match}-{self.since}-{self.seat}"

    @property
    def member(self) -> str:
        """How it is noted in the store."""
        return f"{self.kind} {self.match} {self.seat} {self.since}"

    @classmethod
    def read(cls, member: str) -> "Call":
        kind, match, seat, since = member.split(" ")
        return cls(kind, match, int(seat), int(since))


class Notice(NamedTuple):
    """A notice on one of its recipient's channels."""

    member: str
    channel: str

    @property
    def job_id(self) -> str:
        return f"notice-{self.member.replace(' ', '-')}-{self.channel}"


AnyJob = BotTurn | StandIn | Call | Notice
PLAYED: dict[str, type[BotTurn] | type[StandIn]] = {BOT_TURN: BotTurn, STAND_IN: StandIn}


class Jobs:
    """The queues, seen from whoever fills them."""

    def __init__(self, connection: redis.Redis) -> None:
        self._connection = connection
        self._queues = {
            name: Queue(name, connection=connection, serializer=JSONSerializer) for name in QUEUES
        }
        self._bots, self._notify, self._calls = (self._queues[name] for name in (BOTS, NOTIFY, CALLS))

    def were_lost(self) -> bool:
        """Whether the queue is a new one since anybody asked: everything that was in it is gone."""
        with reaching():
            return bool(self._connection.set(keys.QUEUE_MARK, 1, nx=True))

    def bot_turns(self, turns: Iterable[BotTurn], queue: str = BOTS) -> None:
        """Ask for these turns. One that waits already stays; remains of earlier tries are dropped."""
        with reaching():
            for turn in turns:
                if not self._ask(self._queues[queue], BOT_TURN, turn) and self._forget(turn.job_id):
                    self._ask(self._queues[queue], BOT_TURN, turn)

    def waits(self, turn: BotTurn) -> bool:
        """Whether a turn waits in its queue for a worker who is free."""
        with reaching():
            job = self._find(turn.job_id)
            return job is not None and self._is_queued(job)

    def take(self, queue: str, most: int) -> list[BotTurn | StandIn]:
        """Take bots' turns out of a queue, those that wait longest first: who does so plays them."""
        with reaching():
            ids: Any = self._connection.lpop(f"{QUEUE_PREFIX}{queue}", most) or []
            found = Job.fetch_many(
                [one.decode() for one in ids], connection=self._connection, serializer=JSONSerializer
            )
            waiting = [(PLAYED.get(job.func_name or ""), job) for job in found if job is not None]
            self._put_back(queue, [job.id for kind, job in waiting if kind is None])
            taken = [Job.key_for(job.id) for kind, job in waiting if kind is not None]
            if taken:
                self._connection.delete(*taken)
        return [kind(**job.kwargs) for kind, job in waiting if kind is not None]

    def _put_back(self, queue: str, ids: list[str]) -> None:
        """What only a worker of the queue can do, in the old order."""
        if ids:
            self._connection.lpush(f"{QUEUE_PREFIX}{queue}", *reversed(ids))

    def notices(self, notices: Iterable[Notice]) -> None:
        """Ask for these notices. Whoever asks again knows that they are not written down yet."""
        with reaching():
            for notice in notices:
                if self._forget(notice.job_id):
                    self._ask(self._notify, NOTICE, notice)

    def calls(self, calls: Iterable[Call]) -> None:
        """Ask for these messages to be delivered."""
        with reaching():
            for message in calls:
                if self._forget(message.job_id):
                    self._ask(self._calls, CALL, message)

    def stand_ins(self, turns: Iterable[StandIn]) -> None:
        """Ask for these turns to be played by a bot of the house."""
        with reaching():
            for turn in turns:
                if self._forget(turn.job_id):
                    self._ask(self._bots, STAND_IN, turn)

    def _ask(self, queue: Queue, name: str, job: AnyJob) -> bool:
        """Says whether the job's id was free: one that somebody asked for meanwhile is as good."""
        try:
            self._enqueue(queue, name, job)
        except DuplicateJobError:
            log.debug("queued already", job=job.job_id)
            return False
        return True

    def _enqueue(self, queue: Queue, name: str, job: AnyJob) -> None:
        queue.enqueue_call(
            name,
            kwargs=job._asdict(),
            job_id=job.job_id,
            unique=True,
            timeout=TIMEOUT_S,
            result_ttl=RESULT_TTL_S,
            failure_ttl=FAILURE_TTL_S,
            description=job.job_id,
        )

    def _forget(self, job_id: str) -> bool:
        """Drop what is known of a job unless it only waits in its queue; returns whether to ask again."""
        job = self._find(job_id)
        if job is not None and self._is_queued(job):
            return False
        if job is not None:
            self._drop(job)
        # A worker that ends a job that was dropped leaves a hash: no job, and yet its id is taken.
        self._connection.delete(Job.key_for(job_id), EXECUTIONS.format(job_id))
        return True

    def _find(self, job_id: str) -> Job | None:
        try:
            return Job.fetch(job_id, connection=self._connection, serializer=JSONSerializer)
        except NoSuchJobError:
            return None

    def _is_queued(self, job: Job) -> bool:
        """In the list of its own queue, which may be another one than it would be put into today."""
        try:
            waits = job.get_status() == JobStatus.QUEUED
        except InvalidJobOperation:  # it ended in this moment, and its hash with it
            return False
        return waits and self._connection.lpos(f"{QUEUE_PREFIX}{job.origin}", job.id) is not None

    def _drop(self, job: Job) -> None:
        """RQ looks at a job piece by piece: whatever a worker takes away meanwhile, it misses."""
        try:
            job.delete()
        except (ValueError, NoSuchJobError, InvalidJobOperation) as missed:
            log.info("a job ended while it was dropped", job=job.id, reason=str(missed))
