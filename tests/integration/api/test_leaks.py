"""Nothing secret leaves: random matches are played while every body for every caller is searched.

Two questions. Is anything in a body that is secret for everybody (seed, salts, keys of commands)? And does a
body change when only what its reader may not know changes? For the second, the stored log is exchanged for
one with other secrets, as the game states them in `secrets.py`, and every answer must stay the same byte for
byte, but for the hashes of events.
"""

import json
from random import Random

import httpx2
import msgspec
import pytest

from engine import chance, codec, registry
from engine.events import reader
from engine.log import load
from service.bots import remote
from service.notices.messages import Scene, notice
from service.views import sight
from tests.integration.api.conftest import Guest
from tests.integration.api.worlds import masked, stored_instead
from tests.worlds import otherwise

pytestmark = pytest.mark.anyio

NOTICES = ("turn", "remind-25", "begun", "asked", "wish-pause", "wish-abandon", "stepped", "stepped-owner",
           "away", "relieved", "rematch")  # fmt: skip
MAX_ACTIONS = 40  # of long games the beginning must do


class Table:
    """A match whose seats are all held by guests, and people who only look."""

    def __init__(self, house, rules, seats):
        self.house, self.rules, self.seats = house, rules, seats

    async def open(self):
        self.guests = [await self.house.guest() for _ in range(self.seats)]
        self.callers = [*self.guests, await self.house.guest(), self.house.nobody]
        places = [{"kind": "me"}, *[{"kind": "open"}] * (self.seats - 1)]
        match = await self.guests[0].open(game=self.rules.key, seats=places)
        self.path = f"/api/matches/{match['id']}"
        for seat, guest in enumerate(self.guests[1:], 1):
            assert (await guest.post(f"{self.path}/seats/{seat}", {"nonce": f"n{seat}"})).status_code == 200
        self.id = match["id"]
        assert (await self.guests[0].post(f"{self.path}/chat", {"text": "good luck"})).status_code == 201
        return self

    async def now(self):
        return await self.house.deps.matches.now(self.id)

    def seat(self, caller):
        return self.guests.index(caller) if caller in self.guests else None

    async def step(self, rng):
        """One random action with a key that nobody may ever read; the actor's answer."""
        match = await self.now()
        may = [s for s in range(self.seats) if s not in match.to_act and self.rules.legal(match.state, s)]
        seat = rng.choice(may if may and rng.random() < 0.3 else match.to_act)
        action = msgspec.to_builtins(rng.choice(self.rules.legal(match.state, seat)))
        key = f"SECRET-KEY-{match.seq}"
        body = {"seq": match.seq, "action": action}
        guest = self.guests[seat]
        answer = await guest.post(f"{self.path}/actions", body, headers={"Idempotency-Key": key})
        assert answer.status_code == 200, answer.text
        return guest, answer.text

    async def bodies(self, caller, rng, tries=()):
        """Everything this caller can get out of the house now; `tries`: actions that it may not take."""
        at = rng.randrange(1, (await self.now()).seq + 1)
        own = await self.own(caller, rng)
        nonsense = {"seq": 0, "action": {"type": "no such thing"}}
        wrong_seq = {"seq": 10**9, "action": {"type": "no such thing"}}
        asked = [
            ("GET", self.path, None),
            ("GET", f"{self.path}?at={at}", None),
            ("GET", f"{self.path}?open=1", None),
            ("GET", f"{self.path}?at={at}&open=1", None),
            ("GET", f"{self.path}/events", None),
            ("GET", f"{self.path}/events?text=1", None),
            ("GET", f"{self.path}/log", None),
            ("GET", f"{self.path}/chat", None),
            ("GET", f"{self.path}/views", None),
            ("GET", f"{self.path}/verify", None),
            ("GET", f"{self.path}/draws", None),
            ("GET", f"{self.path}/proof", None),
            ("GET", "/api/archive/roots", None),
            ("GET", "/api/keys", None),
            ("POST", f"{self.path}/why", {"action": {"type": "no such thing"}}),
            ("POST", f"{self.path}/preview", {"action": {"type": "no such thing"}}),
            ("GET", f"{self.path}/hint", None),
            ("POST", f"{self.path}/hint", {}),
            ("GET", "/api/matches", None),
            ("POST", f"{self.path}/actions", nonsense),
            ("POST", f"{self.path}/actions", wrong_seq),
            ("POST", f"{self.path}/seats/0", {}),
            ("POST", f"{self.path}/cancel", {}),
            ("POST", f"{self.path}/undo", {"seq": 0, "to": 1}),
            ("POST", f"{self.path}/undo/answer", {"agree": True}),
            ("POST", f"{self.path}/rematch", {}),
            ("POST", f"{self.path}/fork", {"at": at, "seats": []}),
            ("POST", f"{self.path}/seats/0/invite", {}),
            ("GET", "/api/me/export", None),
            ("GET", "/api/me/turns", None),
            ("GET", "/api/me/notifications", None),
            ("GET", "/api/me/channels", None),
            ("GET", f"/api/leaderboard?game={self.rules.key}", None),
            ("GET", f"/api/players/{self.guests[0].account['name']}", None),
            ("GET", f"/api/matches?player={self.guests[0].account['name']}", None),
            ("GET", f"/matches/{self.id}", None),
            ("GET", f"/matches/{self.id}/picture.png", None),
            *(("POST", f"{self.path}/why", {"action": raw}) for raw in tries),
            *(("POST", f"{self.path}/preview", {"action": raw}) for raw in (*tries, *own)),
            *(("POST", f"{self.path}/actions", {"seq": 0, "action": raw}) for raw in tries),
        ]
        found = {}
        for method, path, body in asked:
            answer = await caller.ask(method, path, json=body)
            assert answer.status_code < 500
            found[f"{method} {path} {body}"] = answer.text
        return found | await self.notices(caller)

    async def own(self, caller, rng):
        """Some actions that this caller may take now: what they would lead to must tell no secret either."""
        seat, match = self.seat(caller), await self.now()
        legal = [] if seat is None or match.state is None else list(self.rules.legal(match.state, seat))
        return [msgspec.to_builtins(action) for action in rng.sample(legal, min(len(legal), 6))]

    def forbidden(self, here, there, seat, rng):
        """Some actions of others in both worlds that this seat may not take in either."""
        worlds = [match.state for match in (here, there)]
        mine = [
            action for state in worlds for action in self.rules.legal(state, -1 if seat is None else seat)
        ]
        found = [action for state in worlds for other in range(self.seats)
                 for action in self.rules.legal(state, other) if action not in mine]  # fmt: skip
        return [msgspec.to_builtins(action) for action in rng.sample(found, min(len(found), 4))]

    async def notices(self, caller):
        """What letters would tell this caller."""
        match, seat = await self.now(), self.seat(caller)
        if seat is None:
            return {}
        lines = await self.house.deps.store.read(self.id)
        names = await self.house.deps.names.of(match, "en")
        scene = Scene(match, lines, seat, caller.who, names, "en", since=match.seq)
        return {f"notice {kind}": notice(scene, kind, "id").text for kind in NOTICES}


TABLES = sorted(
    {(game.key, seats) for game in registry.games() for seats in (game.players[0], game.players[-1])}
)


@pytest.fixture(params=TABLES, ids=lambda table: f"{table[0]}-{table[1]}")
async def table(house, request):
    key, seats = request.param
    return await Table(house, registry.game(key), seats).open()


async def secrets_of(table):
    """What nobody may read before the end."""
    match = await table.now()
    seed = bytes.fromhex(match.seed)
    salts = [chance.salt(seed, seq) for seq in range(1, match.seq + 1)]
    return [match.seed, *salts, "SECRET-KEY", '"salt"', '"seed"', '"cmd"', '"nonces"']


def search(secrets, bodies):
    for asked, body in bodies.items():
        for secret in secrets:
            assert secret not in body, f"{asked} shows {secret}"


async def test_no_body_shows_what_is_secret_for_all(table):
    rng = Random(1)
    await table.house.list_it(table.id)
    for step in range(MAX_ACTIONS):
        if (await table.now()).status != "running":
            break
        _, answer = await table.step(rng)
        if (await table.now()).status != "running":
            break
        secrets = await secrets_of(table)
        search(secrets, {"action": answer})
        if step % 6 == 0:
            for caller in table.callers:
                search(secrets, await table.bodies(caller, rng))


async def test_events_read_as_the_game_redacts_them(table):
    """Events, streams and logs show each fact exactly as `redact` leaves it for that caller."""
    rng = Random(2)
    for _ in range(12):
        if (await table.now()).status == "running":
            await table.step(rng)
    match = await table.now()
    if match.status != "running":
        return
    lines = await table.house.deps.store.read(table.id)
    for caller in table.callers:
        seat = table.seat(caller)
        shown = (await caller.get(f"{table.path}/events")).text.splitlines()
        for line, raw in zip(shown, lines, strict=True):
            event, stored = json.loads(line), reader(match.game).decode(raw)
            facts = [table.rules.redact(fact, seat) for fact in getattr(stored, "facts", ())]
            assert codec.encode(event.get("facts", [])) == codec.encode(facts)
            assert event["hash"] == codec.digest(raw)


HIDING = [(key, seats) for key, seats in TABLES if registry.game(key).exchange is not None]


@pytest.fixture(params=HIDING, ids=lambda table: f"{table[0]}-{table[1]}")
async def hiding(house, request):
    """A table whose players have secrets."""
    key, seats = request.param
    return await Table(house, registry.game(key), seats).open()


async def test_worlds_that_a_caller_cannot_tell_apart_read_the_same(hiding):
    rng = Random(3)
    other = 0
    for step in range(MAX_ACTIONS):
        match = await hiding.now()
        if match.status != "running":
            break
        if step % 6 == 0:
            for caller in hiding.callers:
                other += await compare_worlds(hiding, caller, rng)
        await hiding.step(rng)
    assert other > 5, "hardly anything was exchanged"


async def compare_worlds(table, caller, rng):
    """Every body of this world and of another one; says whether the other one was another."""
    seat, deps = table.seat(caller), table.house.deps
    lines = await deps.store.read(table.id)
    others = otherwise(lines, seat, rng)
    tries = table.forbidden(load(lines), load(others), seat, rng)
    here = await table.bodies(caller, Random(7), tries)
    async with stored_instead(deps, table.id, others):
        there = await table.bodies(caller, Random(7), tries)
    assert masked(here, lines) == masked(there, others)
    return lines != others


async def test_streams_show_no_more_than_events(served, rules):
    table = await Table(served, rules, rules.players[0]).open()
    rng = Random(4)
    for _ in range(6):
        if (await table.now()).status == "running":
            await table.step(rng)
    match = await table.now()
    secrets = await secrets_of(table)
    for caller in table.callers:
        expected = (await caller.get(f"{table.path}/events")).text.splitlines()
        got = await streamed(table, caller, match.seq)
        assert got == expected
        if match.status == "running":
            search(secrets, {"stream": "\n".join(got)})


async def streamed(table, caller, count):
    found = []
    path = f"{table.path}/stream"
    async with table.house.client.stream("GET", path, headers=caller.headers) as answer:
        assert isinstance(answer, httpx2.Response)
        async for line in answer.aiter_lines():
            if line.startswith("data: "):
                found.append(line.removeprefix("data: "))
            if len(found) == count:
                break
    return found


class BotTable(Table):
    """The same with a remote bot at the first seat: what it is offered is searched like everything else."""

    async def open(self):
        self.guests = [await self.house.guest() for _ in range(self.seats)]
        wanted = {"name": "robo", "games": [self.rules.key], "delivery": {"kind": "stream"}}
        made = (await self.guests[1 % self.seats].post("/api/bots", wanted)).json()
        self.bot = Guest(self.house.client, None, made["token"])
        self.callers = [self.bot]
        places = [{"kind": "remote", "bot": "robo"}, *[{"kind": "open"}] * (self.seats - 1)]
        match = await self.guests[1 % self.seats].open(game=self.rules.key, seats=places)
        self.id, self.path = match["id"], f"/api/matches/{match['id']}"
        for seat, guest in enumerate(self.guests[1:], 1):
            assert (await guest.post(f"{self.path}/seats/{seat}")).status_code == 200
        self.guests[0] = self.bot
        return self

    async def bodies(self, caller, rng, tries=()):
        """Stream, long poll and webhook send the same message: it is made in one place."""
        await self.house.list_it(self.id)
        bot = await self.house.deps.bots.get(self.bot.token.split(".")[1])
        poll = await caller.get("/api/bot/turns")
        match = await self.house.deps.matches.now(self.id)
        told = [remote.told(bot, match, kind) for kind in ("seated", "away", "over")]
        return {"turns": poll.text, "told": sight.encode(told).decode()}


BOT_TABLES = [(game.key, max(2, game.players[0])) for game in registry.games()]


@pytest.fixture(params=BOT_TABLES, ids=lambda table: table[0])
async def bot_table(house, request):
    key, seats = request.param
    return await BotTable(house, registry.game(key), seats).open()


async def test_a_remote_bot_is_told_what_its_seat_may_know(bot_table):
    rng, turns = Random(5), 0
    for _ in range(MAX_ACTIONS):
        match = await bot_table.now()
        if match.status != "running":
            break
        if 0 in match.to_act:
            turns += 1
            found = await bot_table.bodies(bot_table.bot, rng)
            assert json.loads(found["turns"])["items"], "nothing was searched"
            search(await secrets_of(bot_table), found)
            if bot_table.rules.exchange is not None:
                await compare_worlds(bot_table, bot_table.bot, rng)
        await bot_table.step(rng)
    assert turns > 3


async def test_a_stream_to_a_bot_says_the_same_as_a_poll(served, rules):
    table = await BotTable(served, rules, max(2, rules.players[0])).open()
    rng = Random(6)
    while 0 not in (await table.now()).to_act:
        await table.step(rng)
    expected = json.loads((await table.bodies(table.bot, rng))["turns"])["items"]
    async with served.client.stream("GET", "/api/bot/stream", headers=table.bot.headers) as answer:
        async for line in answer.aiter_lines():
            if line:
                assert [json.loads(line)] == expected
                break
