"""Clocks of running matches: histories in memory, and deadlines derived from them when they are asked for.

Nothing is stored but the next moment at which a match must be looked at. Losing that loses nothing: the log
brings it back.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from engine import codec
from engine.events import Event
from engine.identity import account_id
from engine.log import Rewound, steps
from engine.match import Match
from engine.policy import Bank, InvalidClock, Policy, read_policy
from engine.undo import waited_for
from infra.people.profiles import Profiles, Times
from infra.store.eventstore import KEEP, EventStore, Keep
from service.basics.bounded import Bounded
from service.basics.stamps import at
from service.memory.matches import Matches
from service.time.history import History, extend, history, seconds
from service.time.policy import allowed, deadlines
from service.time.waking_hours import after, in_force

MAX_HISTORIES = 2000
ASK_S = 24 * 3600  # of waking time: so long the others may think about a question


class Plan(NamedTuple):
    """When a match must be looked at after an append, and the history that says so."""

    due: int | Keep | None
    past: History | None = None


class Clocks:
    def __init__(self, store: EventStore, profiles: Profiles, matches: Matches) -> None:
        self._store, self._profiles, self._matches = store, profiles, matches
        self._kept: Bounded[str, tuple[Match, History]] = Bounded(MAX_HISTORIES)
        matches.lost.append(self._forget)

    async def history(self, match: Match) -> History:
        """Who was waited for when, up to exactly this moment of the match."""
        before, past = self._kept.get(match.id, (None, None))
        if before is None or past is None or before.seq > match.seq:
            return await self._whole(match)
        if before.head == match.head:
            return past
        lines = await self._store.read(match.id, before.seq - 1, match.seq - before.seq + 1)
        if not lines or codec.digest(lines[0]) != before.head:
            return await self._whole(match)
        try:
            known = self._matches.past(match.id)
            return self.keep(match, extend(past, before, steps(lines[1:], before, known)))
        except Rewound:
            return await self._whole(match)

    async def _whole(self, match: Match) -> History:
        return self.keep(match, history(await self._store.read(match.id, 0, match.seq)))

    def _forget(self, match: str) -> None:
        """Its log is not the one it was: whatever the clock remembers may never have happened."""
        self._kept.pop(match, None)

    def keep(self, match: Match, past: History) -> History:
        """Remember a history unless a newer one is remembered."""
        known = self._kept.get(match.id)
        if known is None or known[0].seq <= match.seq:
            self._kept.keep(match.id, (match, past))
        return past

    async def times(self, match: Match) -> dict[int, Times]:
        """The times of the people and remote bots that are waited for; a bot never sleeps."""
        found = {}
        for seat in match.to_act:
            holder = match.chairs[seat].holder
            if holder is not None and holder.kind != "bot":
                found[seat] = await self._profiles.of(account_id(holder.id))
        return found

    async def deadlines(self, match: Match, known: float = math.inf) -> dict[int, float]:
        """By seat: when its time is up. `known`: vacations announced later do not count."""
        if match.clock is None or match.status != "running":
            return {}
        return deadlines(await self.history(match), policy_of(match), await self.times(match), known)

    async def starts(self, match: Match) -> dict[int, float]:
        """By seat of a remote bot that is waited for: since when. Turns are offered in that order."""
        seats = [seat for seat in match.to_act if _is_remote(match, seat)]
        past = await self.history(match) if seats else History()
        return {seat: turn.start for seat in seats if (turn := past.current(seat)) is not None}

    async def due(self, match: Match) -> int | None:
        """When somebody must look at this match again: the next deadline, or the end of a question."""
        return _ms([*(await self.deadlines(match)).values(), *await self._asked(match)])

    async def answer_by(self, match: Match) -> float | None:
        """Until when a question is open: nobody who is asked has slept or been away through all of it."""
        if match.ask is None:
            return None
        asked = seconds(match.ask.at)
        people = [match.chairs[seat].holder for seat in waited_for(match)]
        times = [await self._profiles.of(account_id(one.id)) for one in people if one is not None]
        return max((after(asked, ASK_S, in_force(known, asked)) for known in times), default=asked + ASK_S)

    async def _asked(self, match: Match) -> list[float]:
        until = await self.answer_by(match)
        return [] if until is None else [until]

    async def plan(self, before: Match | None, match: Match, written: Sequence[tuple[Event, Match]]) -> Plan:
        """The same for what is about to be appended. Most matches have no clock and nothing asked."""
        if match.clock is None and match.ask is None and (before is None or before.ask is None):
            return Plan(KEEP, self._grown(before, written))
        asked = await self._asked(match)
        if match.clock is None:
            return Plan(_ms(asked), self._grown(before, written))
        past = History() if before is None else await self.history(before)
        past = extend(past, before or written[0][1], written)
        found = deadlines(past, policy_of(match), await self.times(match))
        return Plan(_ms([*found.values(), *asked]), past)

    def _grown(self, before: Match | None, written: Sequence[tuple[Event, Match]]) -> History | None:
        """A history that is remembered follows what we write ourselves: it need not be read again."""
        known, past = self._kept.get(before.id, (None, None)) if before is not None else (None, None)
        if before is None or known is None or past is None or known.head != before.head:
            return None
        return extend(past, before, written)

    async def shown(self, match: Match, now: float) -> dict[str, Any] | None:
        """The clock as everybody may see it, as of `now`."""
        if match.clock is None:
            return None
        answer: dict[str, Any] = {"timeout": "caretaker", **match.clock, "paused": match.paused}
        found = await self.deadlines(match, now)
        answer["deadlines"] = {str(seat): at(moment) for seat, moment in sorted(found.items())}
        policy = policy_of(match)
        if isinstance(policy, Bank):
            answer["banks"] = await self._banks(match, policy, found, now)
        return answer

    async def _banks(self, match: Match, policy: Bank, found: dict[int, float], now: float) -> dict[str, int]:
        """What each running bank held when its turn began."""
        past, times = await self.history(match), await self.times(match)
        turns = [turn for seat in found if (turn := past.current(seat)) is not None]
        return {str(t.seat): int(allowed(past, policy, times[t.seat], t, now)) for t in turns}


def _is_remote(match: Match, seat: int) -> bool:
    holder = match.chairs[seat].holder
    return holder is not None and holder.kind == "remote"


def policy_of(match: Match) -> Policy | None:
    """The policy in the log. One that cannot be read (of an older house) is no clock."""
    try:
        return read_policy(match.clock)
    except InvalidClock:
        return None


def _ms(moments: Iterable[float]) -> int | None:
    first = min(moments, default=None)
    return None if first is None else math.ceil(first * 1000)
