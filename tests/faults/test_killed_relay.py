"""A relay that is killed between taking news and following it loses nothing: another one passes it on."""

import asyncio
import signal
import sys

import pytest

from infra.store.outbox import Outbox
from infra.store.redis import connect_sync
from service.commands import tables
from service.commands.records import OpenMatch
from workers.jobs import Jobs
from workers.relay import Pace, Relay

pytestmark = [pytest.mark.fault, pytest.mark.anyio]
SEATS = ({"kind": "me"}, {"kind": "bot", "bot": "random"})


async def kill_one(url):
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", "tests.dying_relay", url)
    assert await asyncio.wait_for(process.wait(), 60) == -signal.SIGKILL


async def test_what_a_killed_relay_had_in_hand_is_passed_on(deps, embedded):
    matches = [
        await tables.open_match(deps, OpenMatch(who="account:anna", game="tides-of-time", seats=SEATS))
        for _ in range(3)
    ]
    await kill_one(embedded.url)
    assert await deps.readmodel.get(matches[0].id) is None, "it was killed before it did anything"
    assert await Outbox(deps.client).lag() == 3, "nothing is acknowledged that was not passed on"
    connection = connect_sync(embedded.url)
    relay = Relay(deps, Jobs(connection), Pace(dead_s=0.0))
    async with asyncio.timeout(120):  # the dead one's share of the shards is kept for it for a while
        while await Outbox(deps.client).lag():
            await relay.sweep()
            await asyncio.sleep(0.1)
    connection.close()
    for match in matches:
        assert await deps.readmodel.get(match.id) is not None
    jobs = await deps.client.lrange("rq:queue:bots", 0, -1)
    waiting = {job.decode().removeprefix("bot-").rsplit("-", 2)[0] for job in jobs}
    assert waiting == {match.id for match in matches}
    assert await Outbox(deps.client).lag() == 0
