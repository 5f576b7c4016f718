"""A deadline that passes while nobody looks, or while the store is away, fires once afterwards."""

import asyncio
import os
import signal
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from engine import codec
from infra.embedded.bundled import Embedded
from infra.process.settings import Settings
from infra.store.outbox import Outbox
from service.bootstrap import Deps
from service.commands import tables
from service.commands.records import OpenMatch, Sit
from tests.roles import FileClock, Role, wired
from tests.week import AUTUMN

pytestmark = [pytest.mark.anyio, pytest.mark.fault]
PATIENCE_S = 120.0  # of a busy machine
HOUR = {"kind": "per_move", "seconds": 3600}


@pytest.fixture
def clock(tmp_path: Path) -> FileClock:
    clock = FileClock(tmp_path / "clock")
    clock.set(AUTUMN.start)
    return clock


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Embedded]:
    with Embedded(tmp_path / "data") as store:
        yield store


@pytest.fixture
async def deps(tmp_path: Path, store: Embedded, clock: FileClock) -> Any:
    deps = wired(Settings(data=tmp_path / "data", given_secret="a secret of tests"), store.url, clock)
    await Outbox(deps.client).ensure_groups()
    yield deps
    await deps.close()


def relay(tmp_path: Path, store: Embedded) -> Role:
    env = {
        "TURNLOG_REDIS_URL": store.url,
        "TURNLOG_DATA": str(tmp_path / "data"),
        "TURNLOG_SECRET": "a secret of tests",
        "TESTS_CLOCK": str(tmp_path / "clock"),
    }
    return Role("relay", env, tmp_path / "relay.log")


async def match_of_an_hour(deps: Deps) -> str:
    seats = ({"kind": "me"}, {"kind": "open"})
    wanted = OpenMatch(who="account:a", game="machi-koro", seats=seats, clock=HOUR)
    match = await tables.open_match(deps, wanted)
    await tables.sit(deps, Sit(who="account:b", match=match.id, seat=1))
    return match.id


async def events(deps: Deps, match: str, kind: str) -> list[dict[str, Any]]:
    found = [codec.decode(line) for line in await deps.store.read(match)]
    return [event for event in found if event["kind"] == kind]


async def until(what: Any) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not await what():
        assert time.monotonic() < deadline, "nobody noticed"
        await asyncio.sleep(0.02)


async def fired_once(deps: Deps, match: str) -> None:
    """The deadline fires, and however long everybody looks on, it stays at that."""
    await until(lambda: events(deps, match, "timed_out"))
    await until(lambda: lag_is_gone(deps))
    assert len(await events(deps, match, "timed_out")) == 1
    [given] = await events(deps, match, "handed_over")
    assert (given["why"], given["at"]) == ("timed_out", deps.at())


async def is_missed(watching: Role) -> bool:
    """The relay finds nobody where the store was, and waits."""
    return "store unreachable" in watching.log_end()


async def lag_is_gone(deps: Deps) -> bool:
    return await Outbox(deps.client).lag() == 0


async def test_relays_that_were_down_across_a_deadline_catch_up(
    tmp_path: Path, store: Embedded, deps: Deps, clock: FileClock
) -> None:
    first = relay(tmp_path, store)
    match = await match_of_an_hour(deps)
    await until(lambda: lag_is_gone(deps))
    first.kill()
    clock.on(timedelta(days=2))
    assert await events(deps, match, "timed_out") == []
    relays = [relay(tmp_path, store) for _ in range(2)]  # both find it at once
    try:
        await fired_once(deps, match)
    finally:
        for one in relays:
            one.stop()


async def test_a_store_that_is_killed_across_a_deadline(
    tmp_path: Path, store: Embedded, deps: Deps, clock: FileClock
) -> None:
    watching = relay(tmp_path, store)
    try:
        match = await match_of_an_hour(deps)
        await until(lambda: lag_is_gone(deps))
        assert store.pid is not None
        os.kill(store.pid, signal.SIGKILL)
        clock.on(timedelta(days=2))
        await until(lambda: is_missed(watching))
        store.restart()
        await fired_once(deps, match)
        assert watching.process.poll() is None, "the relay did not survive the store"
    finally:
        watching.stop()
