"""The people, the clock and the accidents of the simulated week."""

import asyncio
import heapq
import os
import signal
import time
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from engine import registry
from infra.embedded import Embedded
from infra.outbox import Outbox
from infra.profiles import Times
from infra.redis import call
from service.notices import SETTLE_S
from service.waking import in_force, next_awake
from tests.house import Answer, House
from tests.letterbox import Letterbox, Receiver, text_of
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
PEOPLE, MATCHES = 24, 50
STRIKES = ("api", "relay", "worker", "store") * 3
VANISH = (3, 11)
AWAY = (5, 16)
CLOCK = {"kind": "per_move", "seconds": 16 * 3600}
QUICK = ("tides-of-time", "machi-koro")  # more of those whose turns cost little
PATIENCE_S = 60.0  # of real time, for everything that is due at a moment


class Person:
    """Somebody with a token and channels; `channels` = the name of each and where it leads."""

    def __init__(self, number: int, account: dict[str, Any], token: str) -> None:
        self.number, self.id, self.token = number, account["id"], token
        self.who = f"account:{self.id}"
        self.channels: dict[str, str] = {}
        self.times = Times()

    def reply_at(self, since: float, now: float, rng: Random) -> float | None:
        """When this person acts: on a full hour, awake, some hours after the notice. None: never."""
        if self.number in VANISH and now > START.timestamp() + 86400:
            return None
        told = next_awake(since + SETTLE_S, in_force(self.times, since))
        wish = told + rng.choice([6, 9, 12, 14]) * 3600
        awake = next_awake(wish, in_force(self.times, wish))
        return max(-(-awake // 3600) * 3600, now + 1800)


class Week:
    def __init__(
        self, deps: Any, home: House, store: Embedded, clock: FileClock, roles: list[Role], rng: Random
    ) -> None:
        self.deps, self.home, self.store, self.clock, self.rng = deps, home, store, clock, rng
        self.roles = {role.name: role for role in roles}
        self.people: dict[str, Person] = {}
        self.matches: list[str] = []
        self.agenda: list[tuple[float, str, int, str]] = []  # (when, match, seat, who)
        self.noted: set[tuple[str, int, int]] = set()
        self.outbox = Outbox(deps.client)
        self.commands = 0

    async def ask(self, method: str, path: str, who: Person, body: Any = None) -> Answer:
        """A request like a careful client's: asked again with the same key until there is an answer."""
        self.commands += 1
        key = f"k{self.commands}"
        return await asyncio.to_thread(self.home.call, method, path, body, who.token, key)

    async def settle(self) -> None:
        """Until nothing is left to do at this moment."""
        patience = time.monotonic() + PATIENCE_S
        while not await self._is_quiet():
            if time.monotonic() > patience:
                raise AssertionError(f"nobody does what is due: {await self.pending()}")
            for role in self.roles.values():
                assert role.process.poll() is None, f"{role.name} died by itself"
            await asyncio.sleep(0.03)

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
            for seat in match.to_act:
                holder, since = match.chairs[seat].holder, match.since[seat]
                if holder.kind != "person" or (match.id, seat, since) in self.noted:
                    continue
                self.noted.add((match.id, seat, since))
                turn = (await self.deps.clocks.history(match)).current(seat)
                moment = self.people[holder.id].reply_at(turn.start, now, self.rng)
                if moment is not None:
                    heapq.heappush(self.agenda, (moment, match.id, seat, holder.id))

    async def act(self) -> None:
        """Whoever wants to act now does, all at once, over HTTP."""
        now, wanted = self.clock().timestamp(), []
        while self.agenda and self.agenda[0][0] <= now:
            wanted.append(heapq.heappop(self.agenda)[1:])
        await asyncio.gather(*(self._act(ident, seat, self.people[who]) for ident, seat, who in wanted))

    async def _act(self, ident: str, seat: int, who: Person) -> None:
        """As many actions as the turn has; a time-out or the end may come in between."""
        match = (await self.ask("GET", f"/api/matches/{ident}?labels=0", who)).json
        while match["status"] == "running" and seat in match["to_act"] and match["legal"]:
            body = {"seq": match["seq"], "action": self.rng.choice(match["legal"])}
            answer = await self.ask("POST", f"/api/matches/{ident}/actions?labels=0", who, body)
            assert answer.status == 200 or answer.json["code"] in ("stale_seq", "away"), answer.body
            match = answer.json if answer.status == 200 else (
                await self.ask("GET", f"/api/matches/{ident}?labels=0", who)
            ).json  # fmt: skip

    async def next_moment(self) -> float:
        plan = await self.deps.client.zrange(PLAN, 0, 0, withscores=True)
        due = await self.deps.store.due_before(2**53, 1)
        moments = [END.timestamp()]
        moments += [plan[0][1] / 1000] if plan else []
        moments += [due[0][1] / 1000] if due else []
        moments += [self.agenda[0][0]] if self.agenda else []
        return max(min(moments), self.clock().timestamp() + 0.001)

    async def strike(self, name: str) -> None:
        """kill -9 in the middle of whatever is going on, and a fresh start."""
        await asyncio.sleep(self.rng.random() * 0.06)
        if name == "store":
            assert self.store.pid is not None
            os.kill(self.store.pid, signal.SIGKILL)
            self.store.restart()
        else:
            self.roles[name].kill()
            self.roles[name].start()

    async def run(self) -> None:
        victims = self.rng.sample(STRIKES, len(STRIKES))
        moments = sorted(START.timestamp() + self.rng.random() * 6.5 * 86400 for _ in STRIKES)
        await self.settle()
        await self.note_turns()
        while self.clock() < END:
            moment = await self.next_moment()
            self.clock.set(datetime.fromtimestamp(-(-moment * 1000 // 1) / 1000, UTC))
            struck = [asyncio.create_task(self.act())]
            if moments and moments[0] <= moment:
                moments.pop(0)
                struck.append(asyncio.create_task(self.strike(victims.pop())))
            await asyncio.gather(*struck)
            await self.settle()
            await self.note_turns()
        assert not victims, "somebody was spared"


async def make_people(week: Week, box: Letterbox, receiver: Receiver) -> None:
    vacation = {"from": str(START.date() + timedelta(days=2)), "to": str(START.date() + timedelta(days=3))}
    for number in range(PEOPLE):
        wanted = {"name": f"Person {number}", "locale": ("en", "cs")[number % 2], "tz": ZONES[number % 6]}
        person = Person(number, **week.home.call("POST", "/api/accounts", wanted).json)
        settings: dict[str, Any] = {
            "quiet_hours": {"from": f"{20 + number % 4}:00", "to": f"0{6 + number % 4}:00"}
        }
        settings |= {"vacation": vacation} if number in AWAY else {}
        assert (await week.ask("PATCH", "/api/me", person, settings)).status == 200
        if number % 3:
            await subscribe(week, person, "mail", {"kind": "email", "address": f"p{number}@example.org"})
        if number % 3 == 0 or number % 8 == 4:
            await subscribe(week, person, "hook", {"kind": "webhook", "url": f"{receiver.url}/p{number}"})
        person.times = await week.deps.profiles.of(person.id)
        week.people[person.who] = person
    for letter in box.letters:
        link = text_of(letter).split("/api/confirm/")[1].split()[0]
        assert week.home.call("POST", f"/api/confirm/{link}").status == 200
    box.letters.clear()


async def subscribe(week: Week, person: Person, name: str, wanted: dict[str, str]) -> None:
    answer = await week.ask("PUT", f"/api/me/channels/{name}", person, wanted)
    assert answer.status == 200, answer.body
    person.channels[name] = answer.json["to"]


async def make_matches(week: Week) -> None:
    everybody = list(week.people.values())
    games = [*registry.GAMES, *QUICK, *QUICK]
    for number in range(MATCHES):
        first, second = week.rng.sample(everybody, 2)
        wanted = {
            "game": games[number % len(games)],
            "seats": [{"kind": "me"}, {"kind": "open"}],
            "clock": CLOCK,
        }
        match = (await week.ask("POST", "/api/matches", first, wanted)).json
        seated = await week.ask("POST", f"/api/matches/{match['id']}/seats/1", second)
        assert seated.json["status"] == "running", seated.body
        week.matches.append(match["id"])
