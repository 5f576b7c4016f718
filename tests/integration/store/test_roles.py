"""Relays and workers when something goes wrong inside them: whole or not at all."""

import asyncio
import signal

import pytest
from redis.exceptions import InvalidResponse, ResponseError

from infra.process.errors import StoreUnavailable
from infra.store.redis import connect_sync
from workers.jobs import Jobs
from workers.relay import Pace, Relay
from workers.runtime import Runtime

SOON_S = 60.0  # generous: the machine may be busy


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
        await asyncio.wait_for(relay.run(asyncio.Event()), SOON_S)


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
    await asyncio.wait_for(relay.run(stop), SOON_S)
    assert len(tries) == 3


class TimeIsUp(Exception):
    pass


def test_a_job_whose_time_is_up_does_not_go_on_in_the_next():
    went_on, freed = [], asyncio.Event()

    class Nothing:
        kept = property(lambda self: self)

        async def load(self): ...
        async def close(self): ...

    async def slow():
        signal.setitimer(signal.ITIMER_REAL, 0.01)
        await freed.wait()
        went_on.append(1)

    async def another():
        freed.set()
        for _ in range(10):  # turns of the loop: whoever waits there would go on in the first
            await asyncio.sleep(0)

    def ring(*_):
        raise TimeIsUp

    runtime = Runtime(None, "", Nothing())
    before = signal.signal(signal.SIGALRM, ring)
    try:
        with pytest.raises(TimeIsUp):
            runtime.run(slow())
        runtime.run(another())
    finally:
        signal.signal(signal.SIGALRM, before)
        runtime.close()
    assert went_on == []
