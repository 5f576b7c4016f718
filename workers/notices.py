"""The relay's side of notices: note what is owed, ask for what is due, forget what is not true any more.

What is owed is noted in the store before the outbox entry is acknowledged, and looked at every second until
the ledger shows it: neither the death of a worker nor that of a relay loses a notice.
"""

import asyncio
import time
from collections.abc import Iterable, Mapping

from engine import codec
from engine.game import Lang
from engine.match import Match
from infra import agenda
from infra.accounts import Account
from infra.agenda import PLAN as PLAN
from infra.channels import Channel
from infra.ledger import Entry
from service import messages, rematches
from service.bootstrap import Deps
from service.history import History
from service.notices import SETTLE_S, Reader, Readers, accounts, digest_of, next_digest, planned, wishes
from service.owed import PERSON, Owed, recipient
from service.waking import in_force, next_awake
from workers.jobs import Jobs, Notice
from workers.parking import parking

MOST = 500  # looked at in one sweep
ASK_AGAIN_S = 5.0  # of real time, until a job counts as lost
STUCK_S = 60.0  # what cannot be looked at now is looked at again after this
OVER = "the turn was over before"


class Notices:
    def __init__(self, deps: Deps, jobs: Jobs, again_s: float = ASK_AGAIN_S) -> None:
        self._deps, self._jobs, self._again_s = deps, jobs, again_s
        self._asked: dict[str, float] = {}

    async def plan(self, match: Match, deadlines: Mapping[int, float]) -> None:
        """Note what a match owes now. Noting it again changes nothing that is due already."""
        readers = await self._readers(match)
        if not readers or match.status not in ("running", "finished"):
            return
        past = await self._deps.clocks.history(match)
        due = await self._planned(match, past, deadlines, readers)
        await agenda.note(self._deps.client, ((owed.member, moment) for owed, moment in due.items()))
        await agenda.note(self._deps.client, self._digests(match, past, readers))

    async def _readers(self, match: Match) -> Readers:
        """Those who want to be told of this match."""
        found = {}
        for ident in accounts(match):
            account = await self._account(ident)
            if account is not None:
                found[ident] = Reader(wishes(account.notify), await self._deps.profiles.of(ident))
        return found

    async def _planned(
        self, match: Match, past: History, deadlines: Mapping[int, float], readers: Readers
    ) -> dict[Owed, float]:
        again = await rematches.standing(self._deps, match)
        return dict(planned(match, past, await self._last_by(match), deadlines, readers, again))

    async def _account(self, ident: str) -> Account | None:
        account = await self._deps.accounts.get(ident)
        return account if account is not None and wishes(account.notify).mode != "off" else None

    async def _last_by(self, match: Match) -> str:
        """Whose doing the end of a match was: they know."""
        if match.status != "finished":
            return ""
        lines = await self._deps.store.read(match.id, match.seq - 1, 1)
        return str(codec.decode(lines[0])["by"]) if lines else ""

    def _digests(self, match: Match, past: History, readers: Readers) -> Iterable[tuple[str, float]]:
        for seat in match.to_act:
            turn = past.current(seat)
            who = turn.who.removeprefix(PERSON) if turn else ""
            daily = digest_of(turn, readers[who]) if turn is not None and who in readers else None
            if daily is not None:
                yield digest_member(who, daily[0]), daily[1]

    async def sweep(self) -> None:
        """Once a second: everything that is due now."""
        now = self._deps.now().timestamp()
        jobs: list[Notice] = []
        for member in await agenda.due_by(self._deps.client, now, MOST):
            async with parking(self._deps, subject(member), "notice") as outcome:
                jobs += await self._look(member, now)
            if outcome.failed:
                await agenda.put_off(self._deps.client, member, now + STUCK_S)
            elif outcome.gone:
                await self._forget(member)
        if jobs:
            await asyncio.to_thread(self._jobs.notices, jobs)

    async def _look(self, member: str, now: float) -> list[Notice]:
        """The jobs that a notice needs now; none if they are under way. One that is done is forgotten."""
        who, due = await (self._daily(member) if is_digest(member) else self._owed(member, now))
        channels = await live_channels(self._deps, who) if who else []
        if who is None or not channels:
            return await self._forget(member)
        awake = next_awake(max(now, due), in_force(await self._deps.profiles.of(who), now))
        if awake > now:
            await agenda.put_off(self._deps.client, member, awake)
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
            await agenda.put_off(
                self._deps.client, member, min(entry.next or 0 for _, entry in owed if entry) / 1000
            )
            return []
        return [Notice(member, channel.name) for channel in ready if self._is_lost(member, channel)]

    async def _owed(self, member: str, now: float) -> tuple[str | None, float]:
        """Who is owed this notice, and since or from when: a vacation may have moved it, a wish ended it."""
        owed = Owed.read(member)
        match = await self._deps.matches.now(owed.match)
        past = await self._deps.clocks.history(match)
        who = recipient(match, past, owed, await rematches.standing(self._deps, match))
        if who is None:
            await self._cancel(match, past, owed, now)
            return None, 0.0
        deadlines = await self._deps.clocks.deadlines(match)
        due = (await self._planned(match, past, deadlines, await self._readers(match))).get(owed)
        return (None, 0.0) if due is None else (who, due)

    async def _daily(self, member: str) -> tuple[str | None, float]:
        who = member.split(" ")[1]
        account = await self._account(who)
        wanted = account is not None and wishes(account.notify).mode == "digest"
        return (who if wanted and await self._deps.readmodel.turns(f"{PERSON}{who}") else None), 0.0

    async def _tomorrow(self, member: str, who: str, now: float) -> None:
        """What still waits is in the next daily letter too."""
        account = await self._account(who) if is_digest(member) else None
        if account is not None:
            tz = in_force(await self._deps.profiles.of(who), now).hours.tz
            day, moment = next_digest(now + SETTLE_S, wishes(account.notify).digest_at, tz)
            await agenda.note(self._deps.client, [(digest_member(who, day), moment)])

    async def _cancel(self, match: Match, past: History, owed: Owed, now: float) -> None:
        """Somebody moved before they were told: their history says so."""
        turn = past.rooted(owed.seat, owed.since) if owed.kind == "turn" else None
        account = await self._account(turn.who.removeprefix(PERSON)) if turn and turn.end else None
        if account is None:
            return
        lang: Lang = account.locale or "en"
        subject = messages.subject("turn", match, owed.seat, await self._deps.names.of(match, lang), lang)
        for channel in await live_channels(self._deps, account.id):
            entry = Entry(key(owed.member, channel.name), int(now * 1000), "cancelled", subject, 0, OVER)
            await self._deps.ledger.put(account.id, entry, fresh=True)

    def _is_lost(self, member: str, channel: Channel) -> bool:
        """Whether to ask (again): never asked by this relay, or so long ago that the job must be lost."""
        asked, now = f"{member} {channel.name}", time.monotonic()
        if now - self._asked.get(asked, -self._again_s) < self._again_s:
            return False
        self._asked[asked] = now
        return True

    async def _forget(self, member: str) -> list[Notice]:
        await agenda.forget(self._deps.client, member)
        self._asked = {asked: at for asked, at in self._asked.items() if not asked.startswith(f"{member} ")}
        return []


def digest_member(who: str, day: str) -> str:
    return f"digest {who} 0 {day}"


def subject(member: str) -> str:
    """What a notice is about: a match, or everything that waits for somebody."""
    return f"account:{member.split(' ')[1]}" if is_digest(member) else Owed.read(member).match


def is_digest(member: str) -> bool:
    return member.startswith("digest ")


def key(member: str, channel: str) -> str:
    """The ledger's name of a notice on a channel."""
    return f"{member.replace(' ', ':')}:{channel}"


async def live_channels(deps: Deps, account: str) -> list[Channel]:
    return [channel for channel in await deps.channels.of(account) if channel.enabled and channel.confirmed]
