"""The relay's side of built-in bots: note what they owe, let a fair few into the queue, find the lost.

What is owed is noted in the store before the outbox entry is acknowledged. Whether a turn was played, the log
says; the queue is only the way to a worker, and may lose or repeat what it likes.
"""

import asyncio
from collections.abc import Sequence

import structlog

from engine.match import Match
from infra.process.settings import Settings
from infra.store import signs_of_life
from infra.store.lanes import FREE_LOSSES, LAST, Bounds, Handed, Lane, Lanes, Owing
from infra.store.parked import Parked
from service.bootstrap import Tables
from workers.bots import limits
from workers.bots.bot_turn import owed, still_owed
from workers.jobs import BOTS, HEAVY, BotTurn, Jobs
from workers.parking import parking

log = structlog.get_logger(__name__)
QUEUES: dict[Lane, str] = {"light": BOTS, "heavy": HEAVY}
LIGHT_FOR_EACH_WORKER = 16  # enough that their appends share commits
ALONE_FOR_EACH_WORKER = 12  # of these, at tables of bots alone: who plays with people finds a place at once


def bounds(settings: Settings) -> Bounds:
    return Bounds(
        turns_each=settings.turns_each,
        thinking_each_ms=settings.thinking_each * 1000,
        light=settings.workers * LIGHT_FOR_EACH_WORKER,
        # Not more than can be played at once: whoever comes next is chosen as late as possible.
        heavy=settings.heavy_workers,
        alone=settings.workers * ALONE_FOR_EACH_WORKER,
    )


class Turns:
    def __init__(self, deps: Tables, jobs: Jobs, lost_s: float) -> None:
        self._deps, self._jobs = deps, jobs
        self._lanes = Lanes(deps.client, bounds(deps.settings), int(lost_s * 1000))

    async def plan(self, match: Match) -> None:
        """Note what the bots of a match owe now, and ask for what has its turn."""
        await self._ask(await self._lanes.settle(match.id, match.seq, await self._unanswered(match)))

    async def _unanswered(self, match: Match) -> list[Owing]:
        """What is owed, without advice that was given: the log says only that it was asked for."""
        found, asked = owing(match), match.advice
        if asked is None or await self._deps.beside.advice(match.id, asked[1]) is None:
            return found
        return [one for one in found if (one.seat, one.since) != asked]

    async def forget(self, match: str) -> None:
        """What was noted of events that a match does not have any more."""
        await self._ask(await self._lanes.settle(match, LAST, ()))

    async def sweep(self) -> None:
        """Once a second: what is overdue, and what there is room for again."""
        late = [BotTurn(*parts) for parts in await self._lanes.overdue()]
        for turn in late:
            async with parking(self._deps, turn.match, "turn"):
                await self._look(turn)
        await self._ask(await self._lanes.hand_out())

    async def queue_lost(self) -> None:
        """Everything that was handed out is asked for again; it is nobody's fault, so no loss is counted."""
        for turn in [BotTurn(*parts) for parts in await self._lanes.in_the_air()]:
            async with parking(self._deps, turn.match, "turn"):
                name = still_owed(await self._deps.matches.now(turn.match), turn)
                if name is not None:
                    await asyncio.to_thread(self._jobs.bot_turns, [turn], QUEUES[limits.lane(name)])

    async def _look(self, turn: BotTurn) -> None:
        try:
            match = await self._deps.matches.now(turn.match)
        except Exception:
            await self._ask(await self._lanes.forget(*turn))
            raise
        name = still_owed(match, turn)
        given = match.advice == (turn.seat, turn.since) and await self._deps.beside.advice(
            match.id, turn.since
        )
        if name is None or given or not await self._lanes.knows(*turn):
            await self.plan(match)
        elif await self._is_played(turn):
            log.info("a turn takes long", job=turn.job_id)
        elif not await asyncio.to_thread(self._jobs.waits, turn):
            await self._again(turn, limits.lane(name))

    async def _is_played(self, turn: BotTurn) -> bool:
        """By itself, or as one of many of a match that somebody plays on."""
        alive = await signs_of_life.is_played(self._deps.client, turn.job_id)
        return alive or await self._lanes.is_held(turn.match)

    async def _again(self, turn: BotTurn, lane: Lane) -> None:
        """Whoever had it is dead, or it failed; perhaps of it, as one that it played on to."""
        if await self._lanes.was_dropped(turn.match):
            await signs_of_life.note_death(self._deps.client, turn.job_id)
        lost = await self._lanes.lost(*turn)
        log.warning("a turn is overdue", job=turn.job_id, lost=lost)
        if 0 < lost <= FREE_LOSSES:
            await asyncio.to_thread(self._jobs.bot_turns, [turn], QUEUES[lane])
        elif lost:
            await Parked(self._deps.client).park(
                turn.match, "turn", ("Lost", f"the turn of seat {turn.seat} was lost {lost} times")
            )

    async def _ask(self, handed: Sequence[Handed]) -> None:
        for lane, queue in QUEUES.items():
            turns = [BotTurn(one.match, one.seat, one.since) for one in handed if one.lane == lane]
            if turns:
                await asyncio.to_thread(self._jobs.bot_turns, turns, queue)


def owing(match: Match) -> list[Owing]:
    """The turns that built-in bots owe a match now, on the account of whoever opened it."""
    return [_owing(match, turn) for turn in owed(match)]


def _payer(match: Match, turn: BotTurn) -> str:
    """Whoever opened a match has its bots play on their account; advice goes on the asker's."""
    holder = match.chairs[turn.seat].holder
    return holder.id if holder is not None and match.advice == (turn.seat, turn.since) else match.creator


def _owing(match: Match, turn: BotTurn) -> Owing:
    name = still_owed(match, turn) or ""
    return Owing(
        seat=turn.seat,
        since=turn.since,
        lane=limits.lane(name),
        alone=are_alone(match),
        thinking_ms=limits.thinking_ms(name),
        opener=_payer(match, turn),
    )


def are_alone(match: Match) -> bool:
    """Whether only built-in bots play: nobody waits for them."""
    return all(chair.holder is None or chair.holder.kind == "bot" for chair in match.chairs)
