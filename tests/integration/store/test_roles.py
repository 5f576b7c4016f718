"""Relays and workers when something goes wrong inside them: whole or not at all."""

import asyncio
import signal

import pytest
from redis.exceptions import InvalidResponse, ResponseError

from infra.errors import StoreUnavailable
from infra.redis import connect_sync
from workers.jobs import Jobs
from workers.relay import Pace, Relay
from workers.runtime import Runtime


@pytest.fixture
def relay(deps, embedded):
    connection = connect_sync(embedded.url)
    yield Relay(deps, Jobs(connection), Pace(sweep_s=0.01))
    connection.close()


@pytest.mark.anyio
@pytest.mark.parametrize("half", ["sweep", "step"])
async def test_half_a_relay_is_none(relay, monkeypatch, half):
    """It would look alive: what nobody foresaw must reach whoever starts it again."""

    async def broken(*_):
        raise RuntimeError("nobody foresaw this")

    monkeypatch.setattr(relay, half, broken)
    with pytest.raises(RuntimeError, match="foresaw"):
        await asyncio.wait_for(relay.run(asyncio.Event()), 10)


@pytest.mark.anyio
@pytest.mark.parametrize("half", ["sweep", "step"])
@pytest.mark.parametrize(
    "said", [StoreUnavailable("away"), InvalidResponse("half an answer"), ResponseError("NOPERM just now")]
)
async def test_a_store_that_is_away_is_waited_for(relay, monkeypatch, half, said):
    """Whatever a store says while it is slow, killed or restarted."""
    stop, tries = asyncio.Event(), []

    async def away(*_):
        tries.append(1)
        if len(tries) == 3:
            stop.set()
        raise said

    async def idle(*_):
        await asyncio.sleep(0.01)

    monkeypatch.setattr(relay, "sweep", idle)
    monkeypatch.setattr(relay, "step", idle)
    monkeypatch.setattr(relay, half, away)
    await asyncio.wait_for(relay.run(stop), 10)
    assert len(tries) == 3


class TimeIsUp(Exception):
    pass


def test_a_job_whose_time_is_up_does_not_go_on_in_the_next():
    went_on = []

    class Nothing:
        async def close(self): ...

    async def slow():
        await asyncio.sleep(0.2)
        went_on.append(1)

    def ring(*_):
        raise TimeIsUp

    runtime = Runtime(None, "", Nothing())
    before = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(TimeIsUp):
            runtime.run(slow())
        runtime.run(asyncio.sleep(0.4))
    finally:
        signal.signal(signal.SIGALRM, before)
        runtime.close()
    assert went_on == []
