"""The people and the clock of the simulated week."""

import asyncio
import heapq
import time
from datetime import UTC, datetime, timedelta
from random import Random

import msgspec

from infra.channels import Channel
from infra.outbox import Outbox
from infra.profiles import Times, Vacation
from infra.redis import call
from service import handlers
from service.commands import Act, OpenMatch, Sit
from service.notices import SETTLE_S
from service.profiles import hours
from service.waking import in_force, next_awake
from tests.letterbox import Receiver
from tests.roles import FileClock, Role
from workers.notices import PLAN

START = datetime(2026, 10, 21, 6, tzinfo=UTC)  # the clocks go back in Europe on the Sunday of this week
END = START + timedelta(days=7)
ZONES = [
    "Europe/Prague",
    "America/New_York",
    "Asia/Tokyo",
    "Australia/Sydney",
    "Asia/Kolkata",
    "America/Los_Angeles",
]
PEOPLE, MATCHES, STRIKES = 24, 50, 6
VANISH = (3, 11)
AWAY = (5, 16)
CLOCK = {"kind": "per_move", "seconds": 16 * 3600}


class Person:
    def __init__(self, number: int, account: str, times: Times) -> None:
        self.number, self.id, self.times = number, account, times
        self.who = f"account:{account}"

    def reply_at(self, since: float, now: float, rng: Random) -> float | None:
        """When this person acts: on a full hour, awake, some hours after the notice. None: never."""
        if self.number in VANISH and now > START.timestamp() + 86400:
            return None
        told = next_awake(since + SETTLE_S, in_force(self.times, since))
        wish = told + rng.choice([2, 4, 7, 9, 11]) * 3600
        awake = next_awake(wish, in_force(self.times, wish))
        return max(-(-awake // 3600) * 3600, now + 1800)


class Week:
    def __init__(self, deps, clock: FileClock, roles: list[Role], rng: Random) -> None:
        self.deps, self.clock, self.roles, self.rng = deps, clock, roles, rng
        self.people: dict[str, Person] = {}
        self.matches: list[str] = []
        self.agenda: list[tuple[float, str, int, int]] = []  # (when, match, seat, since)
        self.noted: set[tuple[str, int, int]] = set()
        self.outbox = Outbox(deps.client)

    async def settle(self) -> None:
        """Until nothing is left to do at this moment."""
        patience = time.monotonic() + 20
        while not await self._is_quiet():
            if time.monotonic() > patience:
                raise AssertionError(f"nobody does what is due: {await self.pending()}")
            for role in self.roles:
                assert role.process.poll() is None, f"{role.name} died"
            await asyncio.sleep(0.01)

    async def _is_quiet(self) -> bool:
        now = int(self.clock().timestamp() * 1000)
        if await call(self.deps.client, "ZCOUNT", PLAN, "-inf", now):
            return False
        if await self.outbox.lag() or await self.deps.store.due_before(now, 1):
            return False
        return not await call(self.deps.client, "ZCARD", "tl:owed") or not await self._bots_owe()

    async def pending(self) -> dict[str, object]:
        now = int(self.clock().timestamp() * 1000)
        return {
            "plan": await call(self.deps.client, "ZRANGE", PLAN, "-inf", now, "BYSCORE"),
            "due": await self.deps.store.due_before(now, 5),
            "outbox": await self.outbox.lag(),
            "owed": await call(self.deps.client, "ZRANGE", "tl:owed", 0, -1),
            "bots": await self._bots_owe(),
        }

    async def _bots_owe(self) -> bool:
        found = await asyncio.gather(*map(self.deps.matches.now, self.matches))
        return any(match.chairs[seat].holder.kind == "bot" for match in found for seat in match.to_act)

    async def note_turns(self) -> None:
        """People make up their minds when they will act."""
        now = self.clock().timestamp()
        for match in await asyncio.gather(*map(self.deps.matches.now, self.matches)):
            ident = match.id
            for seat in match.to_act:
                holder, since = match.chairs[seat].holder, match.since[seat]
                if holder.kind != "person" or (ident, seat, since) in self.noted:
                    continue
                self.noted.add((ident, seat, since))
                turn = (await self.deps.clocks.history(match)).current(seat)
                moment = now if turn.own else self.people[holder.id].reply_at(turn.start, now, self.rng)
                if moment is not None:
                    heapq.heappush(self.agenda, (moment, ident, seat, since))

    async def act(self) -> None:
        while self.agenda and self.agenda[0][0] <= self.clock().timestamp():
            _, ident, seat, since = heapq.heappop(self.agenda)
            match = await self.deps.matches.now(ident)
            holder = match.chairs[seat].holder
            if match.since[seat] == since and holder.kind == "person":
                legal = list(match.rules.legal(match.state, seat))
                action = msgspec.to_builtins(self.rng.choice(legal))
                await handlers.act(self.deps, Act(who=holder.id, match=ident, seq=match.seq, action=action))
                await self.note_turns_of(ident)

    async def note_turns_of(self, ident: str) -> None:
        kept, self.matches = self.matches, [ident]
        await self.note_turns()
        self.matches = kept

    async def next_moment(self) -> float:
        plan = await call(self.deps.client, "ZRANGE", PLAN, 0, 0, "WITHSCORES")
        due = await self.deps.store.due_before(2**53, 1)
        moments = [END.timestamp()]
        moments += [float(plan[0][1]) / 1000] if plan else []
        moments += [due[0][1] / 1000] if due else []
        moments += [self.agenda[0][0]] if self.agenda else []
        return max(min(moments), self.clock().timestamp() + 0.001)

    async def run(self) -> None:
        strikes = sorted(START.timestamp() + self.rng.random() * 6.5 * 86400 for _ in range(STRIKES))
        await self.settle()
        await self.note_turns()
        while self.clock() < END:
            moment = await self.next_moment()
            self.clock.set(datetime.fromtimestamp(-(-moment * 1000 // 1) / 1000, UTC))
            await self.act()
            if strikes and strikes[0] <= moment:
                strikes.pop(0)
                await asyncio.sleep(self.rng.random() * 0.05)
                role = self.rng.choice(self.roles)
                role.kill()
                role.start()
            await self.settle()
            await self.note_turns()


async def make_people(week: Week, receiver: Receiver) -> None:
    now = START.timestamp() - 86400
    for number in range(PEOPLE):
        account = await week.deps.accounts.create(f"Person {number}", locale=("en", "cs")[number % 2])
        tz = ZONES[number % len(ZONES)]
        quiet = {"from": f"{20 + number % 4}:00", "to": f"0{6 + number % 4}:00"}
        local = START.date() + timedelta(days=2)
        vacations = (Vacation(local, local + timedelta(days=1), now),) if number in AWAY else ()
        times = Times((hours(now, tz, quiet),), vacations)
        await week.deps.profiles.put(account.id, times)
        by_mail = {"address": f"p{number}@example.org"}
        by_hook = {"url": f"{receiver.url}/{account.id}", "secret": "whsec_" + "c2VjcmV0" * 4}
        kind, config = ("email", by_mail) if number % 3 else ("webhook", by_hook)
        await week.deps.channels.put(account.id, Channel("one", kind, config, 0))
        week.people[f"account:{account.id}"] = Person(number, account.id, times)


async def make_matches(week: Week) -> None:
    everybody = list(week.people.values())
    for number in range(MATCHES):
        first, second = week.rng.sample(everybody, 2)
        game = ("tides-of-time", "machi-koro")[number % 2]
        seats = ({"kind": "me"}, {"kind": "open"})
        match = await handlers.open_match(
            week.deps, OpenMatch(who=first.who, game=game, seats=seats, clock=CLOCK)
        )
        await handlers.sit(week.deps, Sit(who=second.who, match=match.id, seat=1))
        week.matches.append(match.id)
