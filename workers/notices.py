"""The relay's side of notices: note what is owed, ask for what is due, forget what is not true any more.

What is owed is noted in the store before the outbox entry is acknowledged, and looked at every second until
the ledger shows it: neither the death of a worker nor that of a relay loses a notice.
"""

import asyncio
import time
from collections.abc import Iterable, Mapping

from engine import codec
from engine.match import Match
from infra.accounts import Account
from infra.channels import Channel
from infra.ledger import Entry
from infra.profiles import Times
from infra.redis import ask
from service import messages
from service.bootstrap import Deps
from service.history import History
from service.notices import SETTLE_S, Owed, Wishes, accounts, next_digest, planned, recipient, wishes
from service.waking import in_force, next_awake
from workers.jobs import Jobs, Notice
from workers.parking import parking

PLAN = "tl:notices"  # sorted set: notice -> when it is due
MOST = 500  # looked at in one sweep
ASK_AGAIN_S = 5.0  # of real time, until a job counts as lost
STUCK_S = 60.0  # what cannot be looked at now is looked at again after this
OVER = "the turn was over before"
People = Mapping[str, tuple[Wishes, Times]]  # by account


class Notices:
    def __init__(self, deps: Deps, jobs: Jobs, again_s: float = ASK_AGAIN_S) -> None:
        self._deps, self._jobs, self._again_s = deps, jobs, again_s
        self._asked: dict[str, float] = {}

    async def plan(self, match: Match, deadlines: Mapping[int, float]) -> None:
        """Note what a match owes now. Noting it again changes nothing that is due already."""
        people = await self._people(match)
        if not people or match.status not in ("running", "finished"):
            return
        past = await self._deps.clocks.history(match)
        due = await self._planned(match, past, deadlines, people)
        await self._note((owed.member, moment) for owed, moment in due.items())
        await self._note(self._digests(match, past, people))

    async def _people(self, match: Match) -> People:
        """Those who want to be told of this match, by account."""
        found = {}
        for ident in accounts(match):
            account = await self._account(ident)
            if account is not None:
                found[ident] = wishes(account.notify), await self._deps.profiles.of(ident)
        return found

    async def _planned(
        self, match: Match, past: History, deadlines: Mapping[int, float], people: People
    ) -> dict[Owed, float]:
        wanted = {ident: wish for ident, (wish, _) in people.items()}
        times = {ident: known for ident, (_, known) in people.items()}
        return dict(planned(match, past, await self._last_by(match), deadlines, times, wanted))

    async def _account(self, ident: str) -> Account | None:
        account = await self._deps.accounts.get(ident)
        return account if account is not None and wishes(account.notify).mode != "off" else None

    async def _last_by(self, match: Match) -> str:
        """Whose doing the end of a match was: they know."""
        if match.status != "finished":
            return ""
        lines = await self._deps.store.read(match.id, match.seq - 1, 1)
        return str(codec.decode(lines[0])["by"]) if lines else ""

    def _digests(self, match: Match, past: History, people: People) -> Iterable[tuple[str, float]]:
        for seat in match.to_act:
            turn = past.current(seat)
            who = turn.who.removeprefix("account:") if turn else ""
            if turn is None or turn.own or who not in people or people[who][0].mode != "digest":
                continue
            wish, times = people[who]
            tz = in_force(times, turn.start).hours.tz
            day, moment = next_digest(turn.start + SETTLE_S, wish.digest_at, tz)
            yield digest_member(who, day), moment

    async def _note(self, due: Iterable[tuple[str, float]]) -> None:
        scored = [part for member, moment in due for part in (int(moment * 1000), member)]
        if scored:
            # An earlier moment wins. One that must wait (for another try, for a later deadline) is looked at
            # when its time seems to have come, and put off again.
            await ask(self._deps.client, "ZADD", PLAN, "LT", *scored)

    async def sweep(self) -> None:
        """Once a second: everything that is due now."""
        now = self._deps.now().timestamp()
        members = await ask(
            self._deps.client, "ZRANGE", PLAN, "-inf", int(now * 1000), "BYSCORE", "LIMIT", 0, MOST
        )
        jobs: list[Notice] = []
        for member in (raw.decode() for raw in members):
            async with parking(self._deps, subject(member), "notice") as outcome:
                jobs += await self._look(member, now)
            if outcome.failed:
                await self._later(member, now + STUCK_S)
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
            await self._later(member, awake)
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
            await self._later(member, min(entry.next or 0 for _, entry in owed if entry) / 1000)
            return []
        return [Notice(member, channel.name) for channel in ready if self._is_lost(member, channel)]

    async def _owed(self, member: str, now: float) -> tuple[str | None, float]:
        """Who is owed this notice, and since or from when: a vacation may have moved it, a wish ended it."""
        owed = Owed.read(member)
        match = await self._deps.matches.now(owed.match)
        past = await self._deps.clocks.history(match)
        who = recipient(match, past, owed)
        if who is None:
            await self._cancel(match, past, owed, now)
            return None, 0.0
        deadlines = await self._deps.clocks.deadlines(match)
        due = (await self._planned(match, past, deadlines, await self._people(match))).get(owed)
        return (None, 0.0) if due is None else (who, due)

    async def _daily(self, member: str) -> tuple[str | None, float]:
        who = member.split(" ")[1]
        account = await self._account(who)
        wanted = account is not None and wishes(account.notify).mode == "digest"
        return (who if wanted and await self._deps.readmodel.turns(f"account:{who}") else None), 0.0

    async def _tomorrow(self, member: str, who: str, now: float) -> None:
        """What still waits is in the next daily letter too."""
        account = await self._account(who) if is_digest(member) else None
        if account is not None:
            tz = in_force(await self._deps.profiles.of(who), now).hours.tz
            day, moment = next_digest(now + SETTLE_S, wishes(account.notify).digest_at, tz)
            await self._note([(digest_member(who, day), moment)])

    async def _cancel(self, match: Match, past: History, owed: Owed, now: float) -> None:
        """Somebody moved before they were told: their history says so."""
        turn = past.rooted(owed.seat, owed.since) if owed.kind == "turn" else None
        account = await self._account(turn.who.removeprefix("account:")) if turn and turn.end else None
        if account is None:
            return
        subject = messages.subject("turn", match, account.locale or "en")
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

    async def _later(self, member: str, moment: float) -> None:
        await ask(self._deps.client, "ZADD", PLAN, "XX", int(moment * 1000), member)

    async def _forget(self, member: str) -> list[Notice]:
        await ask(self._deps.client, "ZREM", PLAN, member)
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
