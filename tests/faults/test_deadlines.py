"""A deadline that passes while the store is away, or while nobody looks, fires once afterwards."""

from datetime import timedelta
from pathlib import Path

import pytest

from engine import codec
from infra.embedded import Embedded
from infra.outbox import Outbox
from infra.redis import connect_sync
from infra.settings import Settings
from service import handlers
from service.commands import OpenMatch, Sit
from tests.roles import FileClock, wired
from tests.week import START
from workers.jobs import Jobs
from workers.relay import Relay

pytestmark = [pytest.mark.anyio, pytest.mark.fault]


async def test_a_store_that_restarts_across_a_deadline(tmp_path: Path) -> None:
    clock = FileClock(tmp_path / "clock")
    clock.set(START)
    with Embedded(tmp_path / "data") as store:
        deps = wired(Settings(data=tmp_path / "data", given_secret="a secret of tests"), store.url, clock)
        jobs = connect_sync(store.url)
        await Outbox(deps.client).ensure_groups()
        seats = ({"kind": "me"}, {"kind": "open"})
        hour = {"kind": "per_move", "seconds": 3600}
        wanted = OpenMatch(who="account:a", game="machi-koro", seats=seats, clock=hour)
        match = await handlers.open_match(deps, wanted)
        await handlers.sit(deps, Sit(who="account:b", match=match.id, seat=1))
        store.restart()
        clock.on(timedelta(days=2))
        relays = [Relay(deps, Jobs(jobs)) for _ in range(2)]
        for relay in (*relays, *relays):
            await relay.sweep()
        kinds = [codec.decode(line)["kind"] for line in await deps.store.read(match.id)]
        assert kinds.count("timed_out") == kinds.count("handed_over") == 1
        jobs.close()
        await deps.close()
