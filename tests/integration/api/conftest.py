"""A house with its API, and guests who visit it."""

from __future__ import annotations

import asyncio
import itertools
from contextlib import asynccontextmanager
from random import Random

import httpx2
import msgspec
import pytest

from bots.registry import bot
from engine import registry
from infra.store.outbox import Outbox
from infra.store.redis import connect_sync
from service.api.app import create_app
from service.api.frame.serving import server
from service.commands import actions
from service.commands.records import Act
from service.views.summary import summary
from workers.jobs import Jobs
from workers.relay import Relay

TIDES = {"game": "tides-of-time", "seats": [{"kind": "me"}, {"kind": "bot", "bot": "random"}]}
names = itertools.count(1)


class Guest:
    """Somebody with a token, or nobody in particular without one."""

    def __init__(self, client, account=None, token=None):
        self._client = client
        self.account, self.token = account, token
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}

    @property
    def who(self):
        return f"account:{self.account['id']}" if self.account else None

    async def ask(self, method, path, headers=None, **more):
        return await self._client.request(method, path, headers={**self.headers, **(headers or {})}, **more)

    async def get(self, path, **more):
        return await self.ask("GET", path, **more)

    async def post(self, path, json=None, **more):
        return await self.ask("POST", path, json=json, **more)

    async def open(self, **wanted):
        answer = await self.post("/api/matches", {**TIDES, **wanted})
        assert answer.status_code == 201, answer.text
        return answer.json()

    async def look(self, match, query=""):
        answer = await self.get(f"/api/matches/{match['id']}{query}")
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def act(self, match, action=None, key=None, seq=None):
        body = {
            "seq": match["seq"] if seq is None else seq,
            "action": match["legal"][0] if action is None else action,
        }
        headers = {"Idempotency-Key": key} if key else {}
        return await self.post(f"/api/matches/{match['id']}/actions", body, headers=headers)


class House:
    def __init__(self, deps, app, client):
        self.deps, self.app, self.client = deps, app, client
        self.nobody = Guest(client)

    async def guest(self, **wanted):
        answer = await self.client.post("/api/accounts", json={"name": f"Guest {next(names)}", **wanted})
        assert answer.status_code == 201, answer.text
        return Guest(self.client, **answer.json())

    async def bots_act(self, ident, rng):
        """Let the bots of a match answer, through the handlers, until a person must."""
        while True:
            match = await self.deps.matches.now(ident)
            waiting = [s for s in match.to_act if match.chairs[s].holder.kind == "bot"]
            if not waiting:
                return match
            await actions.act(self.deps, bot_command(match, waiting[0], rng))

    async def both_act(self, guest, match, rng):
        """One action of a guest and the bots' answers; the match after them."""
        answer = await guest.act(match, rng.choice(match["legal"]))
        assert answer.status_code == 200, answer.text
        await self.bots_act(match["id"], rng)
        return await guest.look(match)

    async def play_out(self, guest, match, rng):
        await self.bots_act(match["id"], rng)
        match = await guest.look(match)
        while match["status"] == "running":
            match = await self.both_act(guest, match, rng)
        return match

    async def list_it(self, ident):
        """What the relay does."""
        await self.deps.readmodel.put(summary(await self.deps.matches.now(ident)))

    async def length(self, match):
        return await self.deps.store.length(match["id"])


def bot_command(match, seat, rng):
    rules, name = match.rules, match.chairs[seat].holder.id
    action = bot(name)(rules, rules.view(match.state, seat), seat, rules.legal(match.state, seat), rng)
    return Act(
        who=f"bot:{name}", match=match.id, seq=match.seq, action=msgspec.to_builtins(action), seat=seat
    )


@asynccontextmanager
async def open_house(deps):
    """In process: no server, no sockets."""
    app = create_app(deps)
    transport = httpx2.ASGITransport(app)
    async with httpx2.AsyncClient(transport=transport, base_url="http://house") as client:
        yield House(deps, app, client)


@pytest.fixture
async def house(deps):
    async with open_house(deps) as house:
        yield house


@pytest.fixture
def open_another():
    """For houses with other settings."""
    return open_house


@pytest.fixture
async def served(deps):
    """The same behind a real server, for whatever streams."""
    app = create_app(deps)
    running = server(app, "127.0.0.1", 0)
    task = asyncio.create_task(running.serve())
    while not running.started:  # noqa: ASYNC110 - the server tells nobody
        await asyncio.sleep(0.01)
    port = running.servers[0].sockets[0].getsockname()[1]
    async with httpx2.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
        house = House(deps, app, client)
        house.server, house.port = running, port
        yield house
    running.should_exit = True
    await task


@pytest.fixture
async def guest(house):
    return await house.guest()


@pytest.fixture
async def relay(house, embedded):
    """The house's relay, which steps when it is told to."""
    queue = connect_sync(embedded.url)
    await Outbox(house.deps.client).ensure_groups()
    yield Relay(house.deps, Jobs(queue))
    queue.close()


@pytest.fixture
def rng():
    return Random(7)


@pytest.fixture(params=registry.GAMES)
def rules(request):
    return registry.game(request.param)
