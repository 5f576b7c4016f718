"""The relay's side of notices: note what is owed, ask for what is due, forget what is not true any more.

What is owed is noted in the store before the outbox entry is acknowledged, and looked at every second until
the ledger shows it: neither the death of a worker nor that of a relay loses a notice.
"""

import asyncio
import time
from collections.abc import Mapping

from engine.events import plain
from engine.game import Lang
from engine.identity import account_id, of_account
from engine.match import Match
from infra.people.channels import Channel
from infra.people.ledger import LedgerEntry
from service.bootstrap import Deps, People
from service.commands import rematches
from service.notices import messages
from service.notices.owed import Owed, recipient
from service.notices.plan import (
    SETTLE_S,
    Reader,
    Readers,
    Wishes,
    accounts,
    digest_member,
    digests,
    next_digest,
    planned,
    wishes,
)
from service.time.history import History
from service.time.waking_hours import in_force, next_awake
from workers.jobs import Jobs, Notice
from workers.parking import parking

MAX_SWEPT = 500  # looked at in one sweep
ASK_AGAIN_S = 5.0  # of real time, until a job counts as lost
STUCK_S = 60.0  # what cannot be looked at now is looked at again after this
OVER = "the turn was over before"


class Notices:
    def __init__(self, deps: Deps, jobs: Jobs, again_s: float = ASK_AGAIN_S) -> None:
        self._deps, self._jobs, self._again_s = deps, jobs, again_s
        self._agenda = deps.notices
        self._asked: dict[str, float] = {}

    async def plan(self, match: Match, deadlines: Mapping[int, float]) -> None:
        """Note what a match owes now. Noting it again changes nothing that is due already."""
        readers = await self._readers(match)
        if not readers or match.status not in ("running", "finished"):
            return
        past = await self._deps.clocks.history(match)
        again = await rematches.standing(self._deps, match)
        due = await self._planned(match, past, deadlines, readers, again)
        letters = digests(match, past, readers)
        await self._agenda.note([*((owed.member, moment) for owed, moment in due.items()), *letters])

    async def _readers(self, match: Match) -> Readers:
        """Those who want to be told of this match."""
        found = {}
        for ident in accounts(match):
            wish = await self._wishes(ident)
            if wish is not None:
                found[ident] = Reader(wish, await self._deps.profiles.of(ident))
        return found

    async def _planned(
        self,
        match: Match,
        past: History,
        deadlines: Mapping[int, float],
        readers: Readers,
        again: Match | None,
    ) -> dict[Owed, float]:
        return dict(planned(match, past, await self._last_by(match), deadlines, readers, again))

    async def _wishes(self, ident: str) -> Wishes | None:
        """How somebody wants to be told; None for whoever is gone or wants silence."""
        account = await self._deps.accounts.get(ident)
        wish = None if account is None else wishes(account.notify)
        return None if wish is None or wish.mode == "off" else wish

    async def _last_by(self, match: Match) -> str:
        """Whose doing the end of a match was: they know."""
        if match.status != "finished":
            return ""
        lines = await self._deps.store.read(match.id, match.seq - 1, 1)
        return str(plain(lines[0])["by"]) if lines else ""

    async def sweep(self) -> None:
        """Once a second: everything that is due now."""
        now = self._deps.now().timestamp()
        jobs: list[Notice] = []
        for member in await self._agenda.due(now, MAX_SWEPT):
            async with parking(self._deps, subject(member), "notice") as outcome:
                jobs += await self._look(member, now)
            if outcome.failed:
                await self._agenda.later(member, now + STUCK_S)
            elif outcome.gone:
                await self._forget(member)
        if jobs:
            await asyncio.to_thread(self._jobs.notices, jobs)

    def queue_lost(self) -> None:
        """Whatever was asked for is asked for again."""
        self._asked.clear()

    async def _look(self, member: str, now: float) -> list[Notice]:
        """The jobs that a notice needs now; none if they are under way. One that is done is forgotten."""
        who, due = await (self._daily(member) if is_digest(member) else self._owed(member, now))
        channels = await live_channels(self._deps, who) if who else []
        if who is None or not channels:
            return await self._forget(member)
        awake = next_awake(max(now, due), in_force(await self._deps.profiles.of(who), now))
        if awake > now:
            await self._agenda.later(member, awake)
            return []
        entries = [
            (channel, await self._deps.ledger.get(who, key(member, channel.name))) for channel in channels
        ]
        owed = [(channel, entry) for channel, entry in entries if entry is None or entry.outcome == "retry"]
        if not owed:
            await self._tomorrow(member, who, now)
            return await self._forget(member)
        ready = [channel for channel, entry in owed if entry is None or (entry.next or 0) <= now * 1000]
        if not ready:
            await self._agenda.later(member, min(entry.next or 0 for _, entry in owed if entry) / 1000)
            return []
        return [Notice(member, channel.name) for channel in ready if self._is_lost(member, channel)]

    async def _owed(self, member: str, now: float) -> tuple[str | None, float]:
        """Who is owed this notice, and since or from when: a vacation may have moved it, a wish ended it."""
        owed = Owed.read(member)
        match = await self._deps.matches.now(owed.match)
        past = await self._deps.clocks.history(match)
        again = await rematches.standing(self._deps, match)
        who = recipient(match, past, owed, again)
        if who is None:
            await self._cancel(match, past, owed, now)
            return None, 0.0
        deadlines = await self._deps.clocks.deadlines(match)
        due = (await self._planned(match, past, deadlines, await self._readers(match), again)).get(owed)
        return (None, 0.0) if due is None else (who, due)

    async def _daily(self, member: str) -> tuple[str | None, float]:
        who = member.split(" ")[1]
        wish = await self._wishes(who)
        wanted = wish is not None and wish.mode == "digest"
        return (who if wanted and await self._deps.readmodel.turns(of_account(who)) else None), 0.0

    async def _tomorrow(self, member: str, who: str, now: float) -> None:
        """What still waits is in the next daily letter too."""
        wish = await self._wishes(who) if is_digest(member) else None
        if wish is not None:
            tz = in_force(await self._deps.profiles.of(who), now).hours.tz
            day, moment = next_digest(now + SETTLE_S, wish.digest_at, tz)
            await self._agenda.note([(digest_member(who, day), moment)])

    async def _cancel(self, match: Match, past: History, owed: Owed, now: float) -> None:
        """Somebody moved before they were told: their history says so."""
        turn = past.rooted(owed.seat, owed.since) if owed.kind == "turn" else None
        account = await self._deps.accounts.get(account_id(turn.who)) if turn and turn.end else None
        if account is None or wishes(account.notify).mode == "off":
            return
        lang: Lang = account.locale or "en"
        subject = messages.subject("turn", match, owed.seat, await self._deps.names.of(match, lang), lang)
        for channel in await live_channels(self._deps, account.id):
            entry = LedgerEntry(
                key(owed.member, channel.name), int(now * 1000), "cancelled", subject, 0, OVER
            )
            await self._deps.ledger.put(account.id, entry, fresh=True)

    def _is_lost(self, member: str, channel: Channel) -> bool:
        """Whether to ask (again): never asked by this relay, or so long ago that the job must be lost."""
        asked, now = f"{member} {channel.name}", time.monotonic()
        if now - self._asked.get(asked, -self._again_s) < self._again_s:
            return False
        self._asked[asked] = now
        return True

    async def _forget(self, member: str) -> list[Notice]:
        await self._agenda.forget(member)
        self._asked = {asked: at for asked, at in self._asked.items() if not asked.startswith(f"{member} ")}
        return []


def subject(member: str) -> str:
    """What a notice is about: a match, or everything that waits for somebody."""
    named = member.split(" ")[1]
    return of_account(named) if is_digest(member) else named


def is_digest(member: str) -> bool:
    return member.startswith("digest ")


def key(member: str, channel: str) -> str:
    """The ledger's name of a notice on a channel."""
    return f"{member.replace(' ', ':')}:{channel}"


async def live_channels(deps: People, account: str) -> list[Channel]:
    return [channel for channel in await deps.channels.of(account) if channel.enabled and channel.confirmed]
