"""Several matches at once in one process: their appends share commits, and each is warm in memory.

A job of the queue begins it; others that wait there, and turns that become free when a match is let go, join.
What is taken out of the queue and not played is found by the relay, like the work of any worker that dies.
"""

import asyncio
import time
from collections.abc import Coroutine, Sequence
from typing import Any

import structlog
from rq import get_current_job

from infra.process.errors import StoreUnavailable
from infra.store.lanes import Handed, Lanes
from service.bootstrap import Deps
from workers.bots import stand_in
from workers.bots.schedule import LIGHT_FOR_EACH_WORKER, QUEUES, bounds
from workers.bots.slices import Bench, play_on
from workers.bots.turnstile import Turnstile
from workers.jobs import BOTS, BotTurn, Jobs, StandIn
from workers.runtime import STOP, current

log = structlog.get_logger(__name__)
TOGETHER_S = 10.0  # then the queue's own worker looks whether it should stop, and what else there is
TAKE_EVERY_S = 0.01
SPARE = 4  # places for those who wait in the queue: what is handed over directly leaves them free
FEW = 4  # matches that a worker keeps to itself while another one may be idle


def run(match: str, seat: int, since: int) -> None:
    """The job. Played once, however often it runs: the turn's identity is the command's key."""
    runtime = current()
    job = get_current_job()
    jobs = None if job is None else Jobs(job.connection)
    company = Company(runtime.deps, jobs, BOTS if job is None else job.origin)
    runtime.run(company.play(BotTurn(match, seat, since)))


class Company:
    def __init__(self, deps: Deps, jobs: Jobs | None, queue: str) -> None:
        self._deps, self._jobs, self._queue = deps, jobs, queue
        # Whoever thinks for long does nothing else meanwhile.
        self._places = LIGHT_FOR_EACH_WORKER + SPARE if queue == BOTS else 1
        self._bench = Bench(deps, Lanes(deps.client, bounds(deps.settings)), Turnstile(), self._is_over)
        self._playing: dict[asyncio.Task[list[Handed]], BotTurn | StandIn] = {}
        self._behind: dict[str, BotTurn | StandIn] = {}  # by match: for when its turn at hand is over
        self._until = time.monotonic() + TOGETHER_S
        self._take_at = time.monotonic() + TAKE_EVERY_S

    async def play(self, first: BotTurn) -> None:
        """Until nothing is left to play, or for a while."""
        self._begin(first)
        failed: BaseException | None = None
        try:
            while self._playing:
                done, _ = await asyncio.wait(
                    self._playing, timeout=TAKE_EVERY_S, return_when=asyncio.FIRST_COMPLETED
                )
                for task in done:
                    failed = await self._end(task, first) or failed
                await self._take()
        finally:
            await self._cancel()
        if failed is not None:
            raise failed

    def _begin(self, turn: BotTurn | StandIn) -> None:
        """A match is played by one at a time."""
        if any(one.match == turn.match for one in self._playing.values()):
            self._behind[turn.match] = turn
            return
        self._playing[asyncio.create_task(self._work(turn), name=turn.job_id)] = turn

    def _work(self, turn: BotTurn | StandIn) -> Coroutine[Any, Any, list[Handed]]:
        return play_on(self._bench, turn) if isinstance(turn, BotTurn) else self._stand_in(turn)

    async def _stand_in(self, turn: StandIn) -> list[Handed]:
        await stand_in.play(self._deps, turn)
        return []

    async def _end(self, task: asyncio.Task[list[Handed]], first: BotTurn) -> BaseException | None:
        """What the queue should know of: only of its own job. The others' failures are found by the relay."""
        turn = self._playing.pop(task)
        behind = self._behind.pop(turn.match, None)
        if behind is not None:
            self._begin(behind)
        problem = task.exception()
        if problem is None:
            await self._hand_on(task.result())
        elif turn != first:
            log.error("job failed", job=turn.job_id, exc_info=problem)
            return None
        return problem

    async def _hand_on(self, handed: Sequence[Handed]) -> None:
        """What became free we play ourselves, as far as there is room; the rest goes into the queue."""
        for one in handed:
            turn = BotTurn(one.match, one.seat, one.since)
            if QUEUES[one.lane] == self._queue and self._keeps():
                self._begin(turn)
            elif self._jobs is not None:
                await asyncio.to_thread(self._jobs.bot_turns, [turn], QUEUES[one.lane])

    async def _take(self) -> None:
        """Whoever waits in the queue joins."""
        now = time.monotonic()
        if self._jobs is None or not self._has_room() or (self._playing and now < self._take_at):
            return
        self._take_at = now + TAKE_EVERY_S
        try:
            taken = await asyncio.to_thread(self._jobs.take, self._queue, self._places - len(self._playing))
        except StoreUnavailable as reason:
            log.info("nothing more from the queue", reason=str(reason))
            self._jobs = None
            return
        for turn in taken:
            self._begin(turn)

    def _keeps(self) -> bool:
        """Whether what became free is played right here; in the queue an idle worker may find it."""
        others = self._deps.settings.workers > 1
        return self._has_room(SPARE) and (len(self._playing) < FEW or not others)

    def _has_room(self, spare: int = 0) -> bool:
        return not self._is_over() and len(self._playing) < max(1, self._places - spare)

    def _is_over(self) -> bool:
        return STOP.is_set() or time.monotonic() >= self._until

    async def _cancel(self) -> None:
        """The time of the job is up: what it began must not go on in the next one."""
        for task in self._playing:
            task.cancel()
        if self._playing:
            await asyncio.wait(self._playing)
