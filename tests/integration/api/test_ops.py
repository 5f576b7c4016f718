"""Alive, ready, figures."""

import dataclasses
import time

import pytest

from infra.store.outbox import Outbox
from infra.store.parked import Parked
from infra.store.redis import connect

pytestmark = pytest.mark.anyio
ALL = ("relay", "worker", "heavy", "notifier", "caller")


async def beat(deps, part, age_s=0.0):
    await deps.client.hset("tl:beats", f"{part} here-1", int((time.time() - age_s) * 1000))


async def test_health_needs_nobody(house):
    answer = await house.nobody.get("/health")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


async def test_ready_when_all_parts_are(house):
    await beat(house.deps, "relay")
    await beat(house.deps, "worker")
    for part in ("heavy", "notifier", "caller"):
        await beat(house.deps, part)
    answer = await house.nobody.get("/ready")
    assert answer.status_code == 200
    parts = {"store": "ok", "queue": "ok", "relay": "ok", "worker": "ok"}
    parts |= {"durability": "local: ok", "processes": dict.fromkeys(ALL, 1)}
    assert answer.json() == {"status": "ready", **parts, "warnings": []}


async def test_what_does_not_keep_the_house_from_working_is_a_warning(house):
    for part in ("relay", "worker"):
        await beat(house.deps, part)
    await Parked(house.deps.client).park("m1", "follow", ("BadLog", "line 3"))
    answer = await house.nobody.get("/ready")
    assert answer.status_code == 200
    assert answer.json()["warnings"] == [
        "parked matches: 1 (turnlog parked)",
        "the worker for bots that think: never heard",
        "the worker for notices: never heard",
        "the worker for webhooks: never heard",
    ]
    assert "m1" not in answer.text


async def test_what_is_missing_is_named(house):
    await beat(house.deps, "worker", age_s=60)
    answer = await house.nobody.get("/ready")
    assert answer.status_code == 503
    assert answer.json()["relay"] == "never heard"
    assert answer.json()["worker"].startswith("silent for 6")


async def test_an_api_takes_requests_though_no_relay_is_heard(house, deps, open_another):
    """A balancer that took every API away would make a slow house one that is closed."""
    assert (await house.nobody.get("/ready")).status_code == 503
    answer = await house.nobody.get("/ready?part=api")
    assert (answer.status_code, answer.json()["status"]) == (200, "ready")
    assert answer.json()["relay"] == answer.json()["queue"] == "not asked"
    house.app.draining = True
    assert (await house.nobody.get("/ready?part=api")).status_code == 503
    away = connect("redis://127.0.0.1:1")
    async with open_another(dataclasses.replace(deps, client=away)) as other:
        assert (await other.nobody.get("/ready?part=api")).status_code == 503
    await away.aclose()


async def test_a_store_that_is_away_is_named(deps, open_another):
    away = connect("redis://127.0.0.1:1")
    async with open_another(dataclasses.replace(deps, client=away)) as house:
        answer = await house.nobody.get("/ready")
        assert (answer.status_code, answer.json()["store"]) == (503, "no answer")
        assert answer.json()["relay"] == "unknown"
    await away.aclose()


async def test_a_queue_of_its_own_is_asked(wired, deps, open_another, embedded):
    for url, said in ((embedded.url, "ok"), ("redis://127.0.0.1:1", "no answer")):
        other = wired(queue_url=url)
        async with open_another(other) as house:
            assert (await house.nobody.get("/ready")).json()["queue"] == said
        await other.close()


async def test_figures_by_route(house, guest):
    match = await guest.open()
    await guest.act(match)
    figures = (await house.nobody.get("/metrics")).text
    assert (
        'turnlog_http_requests_total{method="POST",route="/api/matches/{match}/actions",status="200"}'
        in figures
    )
    assert 'route="/api/matches"' in figures
    assert match["id"] not in figures


async def test_figures_tell_how_far_the_relays_are_behind(house, guest):
    outbox = Outbox(house.deps.client)
    assert (await house.nobody.get("/metrics")).status_code == 200, "before the first relay"
    await outbox.take("test", 0, 1)
    await guest.open()
    behind = await outbox.lag()
    assert behind > 0
    assert f"turnlog_outbox_lag {behind}.0" in (await house.nobody.get("/metrics")).text
