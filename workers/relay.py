"""From the outbox to whatever follows: read models and bot turns.

Everything here may happen twice and may be interrupted anywhere. What is owed is derived from the log, noted
in the store before the outbox entry is acknowledged, and asked for again until it is done.
"""

import asyncio
import math
import time
from contextlib import suppress
from typing import NamedTuple

import structlog
from redis.exceptions import RedisError

from engine.identity import of_account
from infra.fleet.shares import Shares
from infra.store import signs_of_life
from infra.store.eventstore import StoreUnavailable
from infra.store.keys import SHARDS
from infra.store.outbox import Outbox, OutboxEntry
from infra.store.parked import Parked
from service.archive import moving
from service.bootstrap import Deps
from service.views import signatures
from service.views.summary import summary
from workers import clock, lists, results
from workers.archivist import Archivist
from workers.bots.schedule import Turns, are_alone
from workers.commands import Commands
from workers.guests import Guests
from workers.jobs import Jobs
from workers.notices.schedule import ASK_AGAIN_S, Notices
from workers.parking import parking
from workers.quiet import Quiet
from workers.webhooks.schedule import Calls

log = structlog.get_logger(__name__)

ROLE = "relay"  # as its heartbeat is named
BLOCK_MS = 1000
BATCH = 64
TRIM_EVERY_S = 60
AWAY = (StoreUnavailable, RedisError)  # a dying store says strange things: none of them is our end
BEAT_EVERY_S = 0.9  # however often the rest is looked at
CALM_S = 0.005  # between two reads that brought nothing but bots among themselves
MAX_QUIET = 4  # tables of bots alone that are followed between two reads: people's news wait for no more
LONGEST_CLAIM_S = 2.5  # between two looks for what dead relays held: each asks every shard


class Pace(NamedTuple):
    """How often to look, and after how long work counts as lost; in seconds of real time."""

    sweep_s: float = 1.0
    lost_turn_s: float = 3.0
    lost_notice_s: float = ASK_AGAIN_S
    moved_s: float = 15.0  # longer than a request may take from noting a change to keeping it
    dead_s: float = 5.0  # an outbox entry that its relay has not acknowledged for so long is claimed
    quiet_s: float = 0.25  # tables at which nobody waits are followed so often, however fast bots play there


PACE = Pace()


class Relay:
    def __init__(self, deps: Deps, jobs: Jobs, pace: Pace = PACE) -> None:
        self._deps = deps
        self._pace = pace
        self._outbox = Outbox(deps.client)
        self._parked = Parked(deps.client)
        self._jobs = jobs
        self._turns = Turns(deps, jobs, pace.lost_turn_s)
        self._notices = Notices(deps, jobs, pace.lost_notice_s)
        self._calls = Calls(deps, jobs)
        self._guests = Guests(deps)
        self._name = signs_of_life.instance()
        self._shares, self._shards = Shares(deps.client, self._name), set(range(SHARDS))
        self._commands = Commands(deps)
        self._quiet = Quiet(pace.quiet_s)
        self._archivist = Archivist(deps)
        self._trimmed = time.monotonic()
        self._prepared = False
        self._beat_at = self._claim_at = 0.0

    async def run(self, stop: asyncio.Event) -> None:
        """Until told to stop; a store or a queue that is away is waited for, a match that fails is parked.

        What nobody foresaw and is no match's fault ends all its parts, so that a supervisor starts the relay
        again: half a relay would look alive and do nothing.
        """
        works = (self._stepping(stop), self._sweeping(stop), self._archivist.run(stop))
        parts = [asyncio.create_task(work) for work in works]
        try:
            await asyncio.wait(parts, return_when=asyncio.FIRST_EXCEPTION)
        finally:
            stop.set()  # not cancelled: a read that waits for the store may swallow that, and go on
        await asyncio.gather(*parts)
        with suppress(StoreUnavailable):
            await signs_of_life.fall_silent(self._deps.client, ROLE)
            await self._shares.leave()
        await self._outbox.aclose()

    async def _stepping(self, stop: asyncio.Event) -> None:
        while not stop.is_set():
            try:
                await self.step(BLOCK_MS, True)
            except AWAY as reason:
                log.warning("store unreachable", reason=str(reason))
                await asyncio.sleep(0.2)
        with suppress(*AWAY):  # else another relay claims it
            await self._pass_on(self._quiet.due(math.inf))

    async def step(self, block_ms: int = 0, calmly: bool = False) -> int:
        """Pass on what is new; returns how many entries came.

        `calmly`: what bots do among themselves some times a second, however much that is.
        """
        await self._prepare()
        entries = await self._outbox.take(self._name, self._quiet.wait_ms(block_ms, time.monotonic()), BATCH)
        news = self._quiet.sift(entries) if calmly else entries
        await self._pass_on(news)
        await self._pass_on(self._quiet.due(time.monotonic(), MAX_QUIET))
        if entries and not news:
            await asyncio.sleep(CALM_S)  # what they do meanwhile is read at once, too
        return len(entries)

    async def _prepare(self) -> None:
        """What the house's secrets are is asked once; a store that is away is asked again."""
        if not self._prepared:
            await self._deps.kept.load()
            self._prepared = True

    async def _sweeping(self, stop: asyncio.Event) -> None:
        while not stop.is_set():
            try:
                await self.sweep()
            except AWAY as reason:
                log.warning("store unreachable", reason=str(reason))
            await asyncio.sleep(self._pace.sweep_s)

    async def sweep(self) -> None:
        """Once a second: show that we live, take over from the dead, ask again for what is overdue."""
        await self._prepare()
        if time.monotonic() >= self._beat_at:
            self._beat_at = time.monotonic() + BEAT_EVERY_S
            await signs_of_life.beat(self._deps.client, ROLE)
            self._shards = await self._shares.renew()
            self._outbox.keep_to(self._shards)
        if time.monotonic() >= self._claim_at:
            # As often as anything can newly count as lost; a crowd of shards is not asked for nothing.
            self._claim_at = time.monotonic() + min(LONGEST_CLAIM_S, max(BEAT_EVERY_S, self._pace.dead_s / 2))
            await self._pass_on(await self._outbox.claim(self._name, int(self._pace.dead_s * 1000)))
        if await asyncio.to_thread(self._jobs.were_lost):
            await self._ask_anew()
        await self._turns.sweep()
        await self._try_parked()
        await self._look_at_profiles()
        await self._look_at_clocks()
        await self._calls.sweep()
        await self._notices.sweep()
        await self._guests.sweep()
        await self._commands.sweep()
        if time.monotonic() - self._trimmed > TRIM_EVERY_S:
            self._trimmed = time.monotonic()
            await self._outbox.trim()
            await signs_of_life.forget_dead(self._deps.client)

    async def _ask_anew(self) -> None:
        """The queue is empty: it was restarted, or it is another one."""
        log.info("the queue was emptied; its jobs are asked for again")
        await self._turns.queue_lost()
        await self._calls.queue_lost()
        self._notices.queue_lost()

    async def _pass_on(self, entries: list[OutboxEntry]) -> None:
        if not entries:
            return
        first: dict[str, int] = {}
        for entry in entries:
            first[entry.match] = min(entry.first, first.get(entry.match, entry.first))
        for ident, news in first.items():
            await self._follow_safely(ident, news)
        await self._outbox.ack(entries)

    async def _follow_safely(self, ident: str, first: int | None = None) -> None:
        """A damaged log, or a bug that it meets, must not stop the others."""
        async with parking(self._deps, ident, "follow", first) as outcome:
            await self._follow(ident, first)
            if await self._parked.clear(ident):
                log.info("a parked match goes on", match=ident)
        if outcome.gone:
            await lists.hide(self._deps, ident)

    async def _try_parked(self) -> None:
        for stuck in await self._parked.due():
            async with parking(self._deps, stuck.match, stuck.where, stuck.first):
                await clock.look(self._deps, stuck.match)
                await self._follow(stuck.match, stuck.first)
                await self._parked.clear(stuck.match)

    async def _follow(self, ident: str, first: int | None = None) -> None:
        """All that follows from a match as it is now; its events from `first` on are news."""
        match = await self._deps.matches.now(ident)
        deadlines = await self._deps.clocks.deadlines(match)
        if match.clock is not None:  # a vacation may have moved what the append noted
            await self._deps.store.set_due(ident, await self._deps.clocks.due(match), match.seq)
        shown = summary(match, deadlines, await self._deps.clocks.starts(match))
        if await lists.show(self._deps, shown):
            await self._turns.forget(match.id)
        self._quiet.note(match.id, are_alone(match) and match.status == "running", time.monotonic())
        await self._turns.plan(match)
        await self._calls.plan(match, first)
        await self._notices.plan(match, deadlines)
        if match.status in moving.OVER:
            await moving.over(self._deps, match.id)
        if match.status == "finished":
            await results.count(self._deps, match)
            await self._commands.let_go(match.id)
            await signatures.signed(self._deps, match)  # with the key of these days, whatever becomes of it

    async def _look_at_profiles(self) -> None:
        """Vacations move deadlines and reminders, also if whoever took the change down died right after."""
        for account, when in await self._deps.profiles.moved(self._pace.moved_s):
            async with parking(self._deps, of_account(account), "profile"):
                for mine in await self._deps.readmodel.turns(of_account(account)):
                    await self._follow_safely(mine.summary.match)
            await self._deps.profiles.seen(account, when)

    async def _look_at_clocks(self) -> None:
        """Matches whose time has come, also those whose time came while nobody looked."""
        now = int(self._deps.now().timestamp() * 1000)
        for ident, _ in await self._deps.store.due_before(now, BATCH, self._shards):
            async with parking(self._deps, ident, "clock") as outcome:
                if not await clock.look(self._deps, ident):
                    await self._follow(ident)  # a deadline has moved: lists should say so
            if outcome.failed or outcome.gone:
                # It must not stand before the others; who tries it again sets the moment again.
                await self._deps.store.set_due(ident, None)
