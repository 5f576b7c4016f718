"""The relay's side of notices: note what is owed, ask for what is due, forget what is not true any more.

What is owed is noted in the store before the outbox entry is acknowledged, and looked at every second until
the ledger shows it: neither the death of a worker nor that of a relay loses a notice.
"""

import asyncio
import time
from collections.abc import Iterable, Mapping

import structlog

from engine import codec
from engine.match import Match
from infra.accounts import Account
from infra.channels import Channel
from infra.profiles import Times
from infra.redis import call
from service.bootstrap import Deps
from service.history import History
from service.notices import SETTLE_S, Owed, Wishes, accounts, next_digest, planned, recipient, wishes
from service.waking import in_force, next_awake
from workers.jobs import Jobs, Notice

log = structlog.get_logger(__name__)

PLAN = "tl:notices"  # sorted set: notice -> when it is due
MOST = 500  # looked at in one sweep
ASK_AGAIN_S = 5.0  # of real time, until a job counts as lost


class Notices:
    def __init__(self, deps: Deps, jobs: Jobs, again_s: float = ASK_AGAIN_S) -> None:
        self._deps, self._jobs, self._again_s = deps, jobs, again_s
        self._asked: dict[str, float] = {}

    async def plan(self, match: Match, deadlines: Mapping[int, float]) -> None:
        """Note what a match owes now. Noting it again changes nothing that is due already."""
        people = {ident: account for ident in accounts(match) if (account := await self._account(ident))}
        if not people or match.status not in ("running", "finished"):
            return
        times = {ident: await self._deps.profiles.of(ident) for ident in people}
        wanted = {ident: wishes(account.notify) for ident, account in people.items()}
        past = await self._deps.clocks.history(match)
        last_by = await self._last_by(match)
        due = planned(match, past, last_by, deadlines, times, wanted)
        await self._note((owed.member, moment) for owed, moment in due)
        await self._note(self._digests(match, past, times, wanted))

    async def _account(self, ident: str) -> Account | None:
        account = await self._deps.accounts.get(ident)
        return account if account is not None and wishes(account.notify).mode != "off" else None

    async def _last_by(self, match: Match) -> str:
        """Whose doing the end of a match was: they know."""
        if match.status != "finished":
            return ""
        lines = await self._deps.store.read(match.id, match.seq - 1, 1)
        return str(codec.decode(lines[0])["by"]) if lines else ""

    def _digests(
        self, match: Match, past: History, times: Mapping[str, Times], wanted: Mapping[str, Wishes]
    ) -> Iterable[tuple[str, float]]:
        for seat in match.to_act:
            turn = past.current(seat)
            who = turn.who.removeprefix("account:") if turn else ""
            if turn is None or turn.own or who not in wanted or wanted[who].mode != "digest":
                continue
            tz = in_force(times[who], turn.start).hours.tz
            day, moment = next_digest(turn.start + SETTLE_S, wanted[who].digest_at, tz)
            yield f"digest {who} 0 {day}", moment

    async def _note(self, due: Iterable[tuple[str, float]]) -> None:
        scored = [part for member, moment in due for part in (int(moment * 1000), member)]
        if scored:
            # An earlier moment wins: a notice that waits for another try keeps its own.
            await call(self._deps.client, "ZADD", PLAN, "NX", *scored)

    async def sweep(self) -> None:
        """Once a second: everything that is due now."""
        now = self._deps.now().timestamp()
        members = await call(
            self._deps.client, "ZRANGE", PLAN, "-inf", int(now * 1000), "BYSCORE", "LIMIT", 0, MOST
        )
        jobs: list[Notice] = []
        for member in (raw.decode() for raw in members):
            jobs += await self._look(member, now)
        if jobs:
            await asyncio.to_thread(self._jobs.notices, jobs)

    async def _look(self, member: str, now: float) -> list[Notice]:
        """The jobs that a notice needs now; none if they are under way. One that is done is forgotten."""
        who = await self._recipient(member)
        channels = await live_channels(self._deps, who) if who else []
        if who is None or not channels:
            return await self._forget(member)
        awake = next_awake(now, in_force(await self._deps.profiles.of(who), now))
        if awake > now:
            await self._later(member, awake)
            return []
        entries = [
            (channel, await self._deps.ledger.get(who, key(member, channel.name))) for channel in channels
        ]
        owed = [(channel, entry) for channel, entry in entries if entry is None or entry.outcome == "retry"]
        if not owed:
            return await self._forget(member)
        ready = [channel for channel, entry in owed if entry is None or (entry.next or 0) <= now * 1000]
        if not ready:
            await self._later(member, min(entry.next or 0 for _, entry in owed if entry) / 1000)
            return []
        return [Notice(member, channel.name) for channel in ready if self._is_lost(member, channel)]

    async def _recipient(self, member: str) -> str | None:
        if member.startswith("digest "):
            who = member.split(" ")[1]
            return who if await self._deps.readmodel.turns(f"account:{who}") else None
        owed = Owed.read(member)
        match = await self._deps.matches.now(owed.match)
        return recipient(match, await self._deps.clocks.history(match), owed)

    def _is_lost(self, member: str, channel: Channel) -> bool:
        """Whether to ask (again): never asked by this relay, or so long ago that the job must be lost."""
        asked, now = f"{member} {channel.name}", time.monotonic()
        if now - self._asked.get(asked, -self._again_s) < self._again_s:
            return False
        self._asked[asked] = now
        return True

    async def _later(self, member: str, moment: float) -> None:
        await call(self._deps.client, "ZADD", PLAN, "XX", int(moment * 1000), member)

    async def _forget(self, member: str) -> list[Notice]:
        await call(self._deps.client, "ZREM", PLAN, member)
        self._asked = {asked: at for asked, at in self._asked.items() if not asked.startswith(f"{member} ")}
        return []


def key(member: str, channel: str) -> str:
    """The ledger's name of a notice on a channel."""
    return f"{member.replace(' ', ':')}:{channel}"


async def live_channels(deps: Deps, account: str) -> list[Channel]:
    return [channel for channel in await deps.channels.of(account) if channel.enabled and channel.confirmed]
