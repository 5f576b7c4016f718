"""A match is played on while bots are to act: for a while, one turn after the other.

Each action is an event of its own, and durable before the next one is thought about. Whatever else happens in
the match between two of them is noticed by the append, which wants the log to be as long as it was. A person
or a remote bot who is to act ends it: then no bot owes anything.
"""

import asyncio
from collections.abc import Callable
from typing import NamedTuple

import structlog

from engine.match import Match
from infra.store.lanes import Handed, Hold, Lane, Lanes
from service.bootstrap import Tables
from workers.bots import advising, limits
from workers.bots.bot_turn import advise, begin, owed, play_in, still_owed
from workers.bots.playing import WHO, holding
from workers.bots.schedule import are_alone, owing
from workers.bots.turnstile import Turnstile
from workers.jobs import BotTurn

log = structlog.get_logger(__name__)
MAX_TURNS = 64
LONGEST_S = 0.5  # then others have their turn; the match waits in its opener's line
MAX_MISSED = 3  # turns that were no longer owed: somebody else plays here, too


class Bench(NamedTuple):
    """What whoever plays on needs."""

    deps: Tables
    lanes: Lanes
    turnstile: Turnstile
    is_over: Callable[[], bool]  # then no further turn is begun


async def play_on(bench: Bench, turn: BotTurn) -> list[Handed]:
    """Play a turn if it is still true, and those that follow; returns what others may play now."""
    match = await bench.deps.matches.now(turn.match)
    name = still_owed(match, turn)
    if name is None:
        return []
    if advising.is_asked(match, turn):
        await advise(bench.deps, match, turn)
        return []
    piece = _Slice(bench, match, limits.lane(name))
    if are_alone(
        match
    ):  # nobody waits: first say that all of it is ours, and no relay asks for the next turn
        return await piece.held(turn) if await piece.hold() else []
    following = await piece.first(turn)
    log.info("bot acted", match=turn.match, seat=turn.seat, seq=turn.since, bot=name)
    if following is None or not await piece.hold():
        return []
    return await piece.held(following)


class _Slice:
    def __init__(self, bench: Bench, match: Match, lane: Lane) -> None:
        self._bench, self._match = bench, match
        self._hold = Hold(WHO(), lane, are_alone(match), match.creator)
        self._until = asyncio.get_running_loop().time() + LONGEST_S
        self._begun = self._missed = self._spent_ms = 0
        self._from = match.seq

    async def hold(self) -> bool:
        match = self._match
        return await self._bench.lanes.hold(match.id, match.seq, owing(match), self._hold)

    async def held(self, turn: BotTurn | None) -> list[Handed]:
        """Play on to the end of the slice, and let go."""
        async with holding(self._bench.deps.client, self._match.id):
            while turn is not None:
                turn = await self.first(turn) if not self._begun else await self._next(turn)
            match = self._match
            log.info("bots played on", match=match.id, first=self._from + 1, last=match.seq)
            return await self._bench.lanes.release(
                match.id, match.seq, owing(match), self._hold, self._spent_ms
            )

    async def first(self, turn: BotTurn) -> BotTurn | None:
        """The one that was asked for: how often it was begun is counted. Gives the next one."""
        self._begun += 1
        await self._bench.turnstile.pass_through(not self._hold.alone)
        return await self._played(await begin(self._bench.deps, self._match, turn))

    async def _next(self, turn: BotTurn) -> BotTurn | None:
        """One that came up. If we die of it, whoever finds it counts that."""
        self._begun += 1
        name = still_owed(self._match, turn) or ""
        self._spent_ms += limits.thinking_ms(name)
        await self._bench.turnstile.pass_through(not self._hold.alone)
        return await self._played(await play_in(self._bench.deps, self._match, turn))

    async def _played(self, after: Match | None) -> BotTurn | None:
        if after is None:
            self._missed += 1
            after = await self._bench.deps.matches.now(self._match.id)
        self._match = after
        return None if self._is_over() else self._following()

    def _is_over(self) -> bool:
        return (
            self._begun >= MAX_TURNS
            or self._missed >= MAX_MISSED
            or asyncio.get_running_loop().time() >= self._until
            or self._bench.is_over()
        )

    def _following(self) -> BotTurn | None:
        """The next turn in the same lane."""
        for turn in owed(self._match):
            if advising.is_asked(self._match, turn):
                continue
            if limits.lane(still_owed(self._match, turn) or "") == self._hold.lane:
                return turn
        return None
