"""Alive, ready, figures."""

import dataclasses
import time
import zlib

import msgspec
import pytest
from prometheus_client.parser import text_string_to_metric_families

from infra.fleet import figures, state
from infra.process import metrics
from infra.store import keys, signs_of_life
from infra.store.outbox import Outbox
from infra.store.parked import Parked
from infra.store.redis import connect, connect_sync
from service.api.operations.ops import QUEUES
from service.archive import moving
from workers import jobs

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


def samples(text):
    """Every sample of an answer, by name and labels."""
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


async def asked(house):
    answer = await house.nobody.get("/metrics")
    assert answer.status_code == 200
    return samples(answer.text)


def figure(found, name, **labels):
    """The sum over all processes."""
    wanted = set(labels.items())
    return sum(value for (named, its), value in found.items() if named == name and wanted <= set(its))


def roles_of(found, name):
    return {dict(labels)["role"] for named, labels in found if named == name}


async def test_figures_by_route(house, guest):
    before = await asked(house)
    match = await guest.open()
    await guest.act(match)
    after = await asked(house)
    acted = {"method": "POST", "route": "/api/matches/{match}/actions", "status": "200", "role": "api"}
    moved = [figure(found, "turnlog_http_requests_total", **acted) for found in (before, after)]
    assert moved[1] == moved[0] + 1
    assert match["id"] not in (await house.nobody.get("/metrics")).text


async def test_figures_tell_how_far_the_relays_are_behind(house, guest):
    outbox = Outbox(house.deps.client)
    assert (await house.nobody.get("/metrics")).status_code == 200, "before the first relay"
    await outbox.take("test", 0, 1)
    await guest.open()
    behind = await outbox.lag()
    assert behind > 0
    assert figure(await asked(house), "turnlog_outbox_lag") == behind


async def test_every_figure_of_the_house_moves(house, guest, embedded):
    """Each stands at nothing, something happens, and it stands higher."""
    deps, long_ago = house.deps, (time.time() - 100) * 1000
    state.SAMPLED.at = -state.SAMPLE_EVERY_S
    await Outbox(deps.client).take("test", 0, 1)
    before = await asked(house)
    match = await guest.open()
    await Parked(deps.client).park("m1", "follow", ("BadLog", "line 3"))
    for key in (keys.NOTICES, keys.CALLS, keys.OWED):
        await deps.client.zadd(key, {"something": long_ago})
    await deps.store.set_due(match["id"], int(long_ago))
    await moving.over(deps, match["id"])
    await deps.client.hset(keys.archived(0), "old", "1 2026-11/x 8 1 0")
    await beat(deps, "relay", age_s=30)
    connection = connect_sync(embedded.url)
    for name in QUEUES:
        connection.rpush(f"rq:queue:{name}", f"job-{name}")
        connection.hset(f"rq:job:job-{name}", "enqueued_at", "2026-01-01T00:00:00.000000Z")
    state.SAMPLED.at = -state.SAMPLE_EVERY_S
    after = await asked(house)
    for name in QUEUES:
        connection.delete(f"rq:queue:{name}", f"rq:job:job-{name}")
        assert (
            figure(after, "turnlog_queue_jobs", queue=name)
            == figure(before, "turnlog_queue_jobs", queue=name) + 1
        )
        assert figure(after, "turnlog_queue_age_seconds", queue=name) > 1000
    connection.close()
    for what in ("deadlines", "notices", "calls", "bots"):
        assert figure(before, "turnlog_late_seconds", what=what) == 0
        assert 99 < figure(after, "turnlog_late_seconds", what=what) < 200
    for where in ("store", "archive"):
        moved = [figure(found, "turnlog_matches_over", where=where) for found in (before, after)]
        assert moved == [0, 1]
    assert figure(after, "turnlog_parked_matches") == 1
    assert figure(after, "turnlog_role_silent_seconds", role="relay") >= 30
    assert figure(after, "turnlog_role_processes", role="relay") == 0
    assert figure(after, "turnlog_outbox_lag") > figure(before, "turnlog_outbox_lag")
    assert figure(after, "turnlog_store_memory_bytes") > 0
    assert figure(after, "turnlog_store_kind_bytes") > 0
    assert figure(after, "turnlog_store_delayed_fsyncs") >= 0


async def test_other_processes_are_in_the_same_answer(house, embedded, wired, open_another):
    """What a process of another role has told, by its role and name; once it is silent, no longer."""
    publisher = figures.Publisher(embedded.url, "notifier")
    metrics.NOTICES.labels("mail", "sent").inc(3)
    publisher.tell()
    deps = wired(queue_url=embedded.url)
    async with open_another(deps) as other:
        found = await asked(other)
        told = {dict(labels)["role"] for (name, labels) in found if name == "turnlog_notices_total"}
        assert told == {"api", "notifier"}
        assert (
            "process_resident_memory_bytes",
            (("process", signs_of_life.instance()), ("role", "api")),
        ) in found
        late = zlib.compress(msgspec.json.encode(figures.Report(time.time() - 100, metrics.families())))
        await deps.client.hset(keys.FIGURES, f"notifier {signs_of_life.instance()}", late)
        assert roles_of(await asked(other), "turnlog_notices_total") == {"api"}
        await deps.client.hset(keys.FIGURES, "caller elsewhere-1", b"of another version")
        assert roles_of(await asked(other), "turnlog_notices_total") == {"api"}
    publisher.stop()
    await deps.close()


async def test_figures_are_there_while_the_store_is_away(deps, open_another):
    away = connect("redis://127.0.0.1:1")
    async with open_another(dataclasses.replace(deps, client=away)) as house:
        assert figure(await asked(house), "turnlog_http_requests_total") >= 0
    await away.aclose()


def test_the_queues_are_those_of_the_workers():
    assert set(QUEUES) == set(jobs.QUEUES)
