"""The people, the clock and the accidents of the simulated week."""

import asyncio
import heapq
import os
import signal
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from itertools import count
from random import Random
from typing import Any, NamedTuple

from engine import registry
from infra.embedded.bundled import Embedded
from infra.people.profiles import MOVED
from infra.store import keys
from infra.store.outbox import Outbox
from infra.store.redis import call
from tests.house import Answer, House
from tests.letterbox import Letterbox, Receiver, text_of
from tests.reckoning import SETTLE, Habits, Holiday, Life
from tests.roles import FileClock, Role

ZONES = [
    "Europe/Prague",
    "America/New_York",
    "Asia/Tokyo",
    "Australia/Sydney",
    "Asia/Kolkata",
    "America/Los_Angeles",
]
HOUR = 3600.0
LONG, SHORT = 16 * 3600, 7 * 3600  # seconds for a turn
QUICK = ("tides-of-time", "machi-koro")  # more of those whose turns cost little
PATIENCE_S = 60.0  # of real time, for everything that is due at a moment
VANISH, RETURN = (3, 11), 11  # who does not come any more after a day; who of them returns on the fourth
AWAY, SUDDEN = (5, 16), 8  # who is on vacation from the start; who announces one on the way
MOVER = 9  # who flies to another zone
DAILY = {2: 8, 13: 9}  # who reads once a day, and at which hour
REGRETS = (1, 6, 14)  # who likes to take back


class Span(NamedTuple):
    """A time to play through: with more or fewer people, matches and accidents."""

    start: datetime
    days: int
    people: int
    matches: int
    strikes: tuple[str, ...]

    @property
    def end(self) -> datetime:
        return self.start + timedelta(days=self.days)


AUTUMN = Span(datetime(2026, 10, 21, 6, tzinfo=UTC), 7, 24, 44, ("api", "relay", "worker", "store") * 3)
SPRING = Span(datetime(2027, 3, 26, 6, tzinfo=UTC), 4, 18, 14, ("api", "relay", "worker", "store"))


class Person:
    """Somebody with a token and channels; `channels` = the name of each and where it leads."""

    def __init__(self, number: int, account: dict[str, Any], token: str) -> None:
        self.number, self.id, self.token = number, account["id"], token
        self.who = f"account:{self.id}"
        self.channels: dict[str, str] = {}
        self.life = Life()
        self.is_gone = False

    @property
    def daily(self) -> int | None:
        return DAILY.get(self.number)

    def reply_at(self, since: float, now: float, rng: Random) -> float | None:
        """When this person acts: on a full hour, awake, some hours after the notice. None: never."""
        if self.is_gone:
            return None
        wish = self.life.next_awake(since + SETTLE) + rng.choice([6, 9, 12, 14]) * HOUR
        awake = self.life.next_awake(wish)
        return max(-(-awake // HOUR) * HOUR, now + HOUR / 2)


class Week:
    def __init__(
        self,
        span: Span,
        deps: Any,
        home: House,
        store: Embedded,
        clock: FileClock,
        roles: list[Role],
        rng: Random,
    ) -> None:
        self.span, self.deps, self.home = span, deps, home
        self.store, self.clock, self.rng = store, clock, rng
        self.roles = {role.name: role for role in roles}
        self.people: dict[str, Person] = {}
        self.matches: list[str] = []
        self.agenda: list[tuple[float, int, Callable[[], Awaitable[None]]]] = []
        self.noted: set[tuple[str, int, int]] = set()
        self.strikes: list[float] = []  # when something was killed
        self.outbox = Outbox(deps.client)
        self.numbers = count()

    def at(self, moment: float, what: Callable[[], Awaitable[None]]) -> None:
        heapq.heappush(self.agenda, (moment, next(self.numbers), what))

    async def ask(self, method: str, path: str, who: Person, body: Any = None) -> Answer:
        """A request like a careful client's: asked again with the same key until there is an answer."""
        key = f"k{next(self.numbers)}"
        return await asyncio.to_thread(self.home.call, method, path, body, who.token, key)

    async def look(self, ident: str, who: Person) -> Any:
        return (await self.ask("GET", f"/api/matches/{ident}?labels=0", who)).json

    async def settle(self) -> None:
        """Until nothing is left to do at this moment."""
        patience = time.monotonic() + PATIENCE_S
        while not await self._is_quiet():
            assert time.monotonic() < patience, (
                f"nobody does what is due: {await self.pending()}{self.logs()}"
            )
            for role in self.roles.values():
                assert role.process.poll() is None, f"{role.name} died by itself:\n{role.log_end()}"
            await asyncio.sleep(0.03)

    def logs(self) -> str:
        return "".join(f"\n--- {role.name}\n{role.log_end()}" for role in self.roles.values())

    async def _is_quiet(self) -> bool:
        """Bots are looked at between: an action leads to an outbox entry, that to a notice, never back."""
        if await self._is_busy() or await self._bots_owe():
            return False
        return not await self._is_busy()

    async def _is_busy(self) -> bool:
        """Asked in the order in which one thing leads to the next, so that nothing slips through."""
        now = int(self.clock().timestamp() * 1000)
        if await call(self.deps.client, "ZCARD", MOVED) or await self.deps.store.due_before(now, 1):
            return True
        return bool(
            await self.outbox.lag() or await call(self.deps.client, "ZCOUNT", keys.NOTICES, "-inf", now)
        )

    async def pending(self) -> dict[str, object]:
        now = int(self.clock().timestamp() * 1000)
        return {
            "plan": await call(self.deps.client, "ZRANGE", keys.NOTICES, "-inf", now, "BYSCORE"),
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
                if holder.kind != "person" or match.paused or (match.id, seat, since) in self.noted:
                    continue
                self.noted.add((match.id, seat, since))
                turn = (await self.deps.clocks.history(match)).current(seat)
                person = self.people[holder.id]
                moment = person.reply_at(turn.start, now, self.rng)
                if moment is not None:
                    self.at(moment, lambda m=match.id, s=seat, p=person: self._act(m, s, p))  # type: ignore[misc]

    async def act(self) -> None:
        """Whoever wants to do something now does, all at once, over HTTP."""
        now, wanted = self.clock().timestamp(), []
        while self.agenda and self.agenda[0][0] <= now:
            wanted.append(heapq.heappop(self.agenda)[2]())
        await asyncio.gather(*wanted)

    async def _act(self, ident: str, seat: int, who: Person) -> None:
        """As many actions as the turn has; a time-out or the end may come in between."""
        match, regrets = await self.look(ident, who), who.number in REGRETS and self.rng.random() < 0.3
        if match["agreed"]["paused"]:
            return  # they come again when it goes on
        while match["status"] == "running" and seat in match["to_act"] and match["legal"]:
            body = {"seq": match["seq"], "action": self.rng.choice(match["legal"])}
            answer = await self.ask("POST", f"/api/matches/{ident}/actions?labels=0", who, body)
            assert answer.status == 200 or answer.json["code"] in ("stale_seq", "away"), answer.body
            match = answer.json if answer.status == 200 else await self.look(ident, who)
            if regrets and answer.status == 200 and match["status"] == "running":
                regrets = False
                match = await self._take_back(match, who)

    async def _take_back(self, match: Any, who: Person) -> Any:
        """Freely where that is possible; else the others are asked, who play on instead of answering."""
        to = match["undo"]["to"] if match["undo"] else match["seq"] - 1
        body = {"seq": match["seq"], "to": to}
        answer = await self.ask("POST", f"/api/matches/{match['id']}/undo", who, body)
        codes = ("stale_seq", "away", "nothing_to_undo", "already_asked")
        assert answer.status in (200, 202) or answer.json["code"] in codes, answer.body
        return await self.look(match["id"], who)

    async def next_moment(self) -> float:
        plan = await self.deps.client.zrange(keys.NOTICES, 0, 0, withscores=True)
        due = await self.deps.store.due_before(2**53, 1)
        moments = [self.span.end.timestamp()]
        moments += [plan[0][1] / 1000] if plan else []
        moments += [due[0][1] / 1000] if due else []
        moments += [self.agenda[0][0]] if self.agenda else []
        return max(min(moments), self.clock().timestamp() + 0.001)

    async def strike(self, name: str) -> None:
        """kill -9 in the middle of whatever is going on, and a fresh start."""
        await asyncio.sleep(self.rng.random() * 0.06)
        self.strikes.append(self.clock().timestamp())
        if name == "store":
            assert self.store.pid is not None
            os.kill(self.store.pid, signal.SIGKILL)
            self.store.restart()
        else:
            self.roles[name].kill()
            self.roles[name].start()

    async def run(self) -> None:
        victims = self.rng.sample(self.span.strikes, len(self.span.strikes))
        length = (self.span.days - 0.5) * 86400
        moments = sorted(self.span.start.timestamp() + self.rng.random() * length for _ in victims)
        await self.settle()
        await self.note_turns()
        while self.clock() < self.span.end:
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
    for number in range(week.span.people):
        wanted = {"name": f"Person {number}", "locale": ("en", "cs")[number % 2], "tz": ZONES[number % 6]}
        person = Person(number, **week.home.call("POST", "/api/accounts", wanted).json)
        week.people[person.who] = person
        await live(week, person, ZONES[number % 6], 20 + number % 4, 6 + number % 3)
        if number in AWAY:
            await leave(week, person, 2, 3)
        if person.daily is not None:
            wish = {"mode": "digest", "digest_at": f"{person.daily:02}:00", "reminders": [25]}
            assert (await week.ask("PATCH", "/api/me", person, {"notify": wish})).status == 200
        if number % 3:
            await subscribe(week, person, "mail", {"kind": "email", "address": f"p{number}@example.org"})
        if number % 3 == 0 or number % 8 == 4:
            await subscribe(week, person, "hook", {"kind": "webhook", "url": f"{receiver.url}/p{number}"})
    for letter in box.letters:
        link = text_of(letter).split("/api/confirm/")[1].split()[0]
        assert week.home.call("POST", f"/api/confirm/{link}").status == 200
    box.letters.clear()


async def live(week: Week, person: Person, tz: str, bed: int, up: int) -> None:
    """Say where one lives and when one sleeps, from now on."""
    quiet = {"from": f"{bed}:00", "to": f"{up:02}:00"}
    answer = await week.ask("PATCH", "/api/me", person, {"tz": tz, "quiet_hours": quiet})
    assert answer.status == 200, answer.body
    person.life.habits.append(Habits(week.clock().timestamp(), tz, bed, up))


async def leave(week: Week, person: Person, first: int, last: int) -> None:
    """Announce a vacation, from one day of the week to another."""
    days = [week.span.start.date() + timedelta(days=day) for day in (first, last)]
    answer = await week.ask(
        "PATCH", "/api/me", person, {"vacation": {"from": f"{days[0]}", "to": f"{days[1]}"}}
    )
    assert answer.status == 200, answer.body
    person.life.holidays.append(Holiday(days[0], days[1], week.clock().timestamp()))


async def subscribe(week: Week, person: Person, name: str, wanted: dict[str, str]) -> None:
    answer = await week.ask("PUT", f"/api/me/channels/{name}", person, wanted)
    assert answer.status == 200, answer.body
    person.channels[name] = answer.json["to"]


async def make_matches(week: Week) -> None:
    everybody = list(week.people.values())
    games = [*registry.GAMES, *QUICK, *QUICK]
    for number in range(week.span.matches):
        game = games[number % len(games)]
        seats = 3 if number % 4 == 1 and 3 in registry.game(game).players else 2
        players = week.rng.sample(everybody, seats)
        if number % 6 == 2 and not any(person.daily for person in players):
            players[0] = next(person for person in everybody if person.daily)
        clock = {"kind": "per_move", "seconds": SHORT if number % 6 == 2 else LONG}
        open_seats = [{"kind": "me"}, *[{"kind": "open"}] * (seats - 1)]
        wanted = {"game": game, "seats": open_seats, "clock": clock}
        match = (await week.ask("POST", "/api/matches", players[0], wanted)).json
        for seat, person in enumerate(players[1:], 1):
            seated = await week.ask("POST", f"/api/matches/{match['id']}/seats/{seat}", person)
        assert seated.json["status"] == "running", seated.body
        week.matches.append(match["id"])


def make_plans(week: Week) -> None:
    """What happens besides turns: people vanish and return, fly, go on vacation, rest together."""
    start, people = week.span.start.timestamp(), {person.number: person for person in week.people.values()}

    async def vanish(person: Person) -> None:
        person.is_gone = True

    async def come_back(person: Person) -> None:
        person.is_gone = False
        for ident in week.matches:
            match = await week.look(ident, person)
            if match["you"] is not None and match["status"] == "running" and _is_away(match):
                answer = await week.ask("POST", f"/api/matches/{ident}/seats/{match['you']}", person)
                assert answer.status == 200, answer.body

    for number in VANISH:
        week.at(start + 24 * HOUR, lambda p=people[number]: vanish(p))  # type: ignore[misc]
    week.at(start + 74 * HOUR, lambda: come_back(people[RETURN]))
    week.at(start + 50 * HOUR, lambda: leave(week, people[SUDDEN], 3, 3))
    week.at(start + 53 * HOUR, lambda: live(week, people[MOVER], "Asia/Tokyo", 23, 7))
    for number, ident in enumerate(week.matches[::5]):
        week.at(start + (20 + 7 * number) * HOUR, lambda i=ident: rest(week, i))  # type: ignore[misc]


def _is_away(match: Any) -> bool:
    seat = match["seats"][match["you"]]
    return bool(seat["caretaker"]) and not seat["resigned"]


async def rest(week: Week, ident: str) -> None:
    """Somebody proposes a pause; the others agree hours later, if nobody has played; a day later it ends."""
    match = await week.deps.matches.now(ident)
    people = [week.people[match.chairs[seat].holder.id] for seat in match.people]
    if match.status != "running" or len(people) < 2:
        return
    await week.ask("POST", f"/api/matches/{ident}/pause", people[0])
    later = week.clock().timestamp() + 3 * HOUR

    async def agree() -> None:
        found = await week.look(ident, people[0])
        for person in people[1:] if found["status"] == "running" and found["agreed"]["pause"] else ():
            await week.ask("POST", f"/api/matches/{ident}/pause", person)

    async def go_on() -> None:
        found = await week.look(ident, people[0])
        if found["status"] == "running" and found["agreed"]["paused"]:
            assert (await week.ask("POST", f"/api/matches/{ident}/resume", people[0])).status == 200
            week.noted = {noted for noted in week.noted if noted[0] != ident}

    week.at(later, agree)
    week.at(later + 22 * HOUR, go_on)
