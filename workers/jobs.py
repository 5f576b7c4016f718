"""Jobs are names and plain JSON, with ids that say what they are for: enqueueing one twice does no harm.

The names are stored in the queue: never rename one.
"""

from collections.abc import Iterable
from typing import NamedTuple

import redis
import structlog
from rq import Queue
from rq.exceptions import DuplicateJobError, NoSuchJobError
from rq.job import Job, JobStatus
from rq.serializers import JSONSerializer

from infra.redis import reaching

log = structlog.get_logger(__name__)

BOTS, NOTIFY, CALLS = "bots", "notify", "calls"
QUEUES = (BOTS, NOTIFY, CALLS)
BOT_TURN = "workers.bot_turn.run"
STAND_IN = "workers.stand_in.run"
NOTICE = "workers.notify.run"
CALL = "workers.call.run"
TIMEOUT_S = 120  # bots and deliveries have shorter limits of their own: this ends what they overlooked
RESULT_TTL_S = 5  # an id is taken while its job's hash exists: keep it short
FAILURE_TTL_S = 3600


class Turn(NamedTuple):
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
        return f"turn-{self.since}-{self.seat}"


class StandIn(NamedTuple):
    """A remote bot's turn that a bot of the house plays."""

    match: str
    seat: int
    since: int

    @property
    def job_id(self) -> str:
        return f"stand-in-{self.match}-{self.since}-{self.seat}"


class Call(NamedTuple):
    """A message for a remote bot's webhook: `kind` is turn, seated or over."""

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


AnyJob = Turn | StandIn | Call | Notice


class Jobs:
    """The queues, seen from whoever fills them."""

    def __init__(self, connection: redis.Redis) -> None:
        self._connection = connection
        self._bots = Queue(BOTS, connection=connection, serializer=JSONSerializer)
        self._notify = Queue(NOTIFY, connection=connection, serializer=JSONSerializer)
        self._calls = Queue(CALLS, connection=connection, serializer=JSONSerializer)

    def bot_turns(self, turns: Iterable[Turn]) -> None:
        """Ask for these turns; those that are asked for already stay as they are."""
        with reaching():
            for turn in turns:
                self._ask(self._bots, BOT_TURN, turn)

    def bot_turns_again(self, turns: Iterable[Turn]) -> None:
        """Ask again for turns that are long overdue: whoever took them is dead, or they failed."""
        with reaching():
            for turn in turns:
                if self._forget(self._bots, turn.job_id):
                    self._ask(self._bots, BOT_TURN, turn)

    def notices(self, notices: Iterable[Notice]) -> None:
        """Ask for these notices. Whoever asks again knows that they are not written down yet."""
        with reaching():
            for notice in notices:
                if self._forget(self._notify, notice.job_id):
                    self._ask(self._notify, NOTICE, notice)

    def calls(self, calls: Iterable[Call]) -> None:
        """Ask for these messages to be delivered."""
        with reaching():
            for message in calls:
                if self._forget(self._calls, message.job_id):
                    self._ask(self._calls, CALL, message)

    def stand_ins(self, turns: Iterable[StandIn]) -> None:
        """Ask for these turns to be played by a bot of the house."""
        with reaching():
            for turn in turns:
                if self._forget(self._bots, turn.job_id):
                    self._ask(self._bots, STAND_IN, turn)

    def _ask(self, queue: Queue, name: str, job: AnyJob) -> None:
        """A job of this id that somebody asked for meanwhile, or that ends just now, is as good."""
        try:
            self._enqueue(queue, name, job)
        except DuplicateJobError:
            log.debug("queued already", job=job.job_id)

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

    def _forget(self, queue: Queue, job_id: str) -> bool:
        """Drop what is known of a job unless it only waits in its queue; answers whether to ask again."""
        try:
            job = Job.fetch(job_id, connection=self._connection, serializer=JSONSerializer)
        except NoSuchJobError:
            # A worker that ends a job that was dropped leaves a hash: no job, and yet its id is taken.
            self._connection.delete(Job.key_for(job_id))
            return True
        if job.get_status() == JobStatus.QUEUED and job_id in queue.job_ids:
            return False
        job.delete()
        return True
