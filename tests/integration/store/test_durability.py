"""What a store is refused for, and that `replicated` answers only once replicas have it: on real servers."""

import asyncio
import signal
import subprocess
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from infra.embedded.server import find_binary
from infra.fleet import preflight
from infra.process.errors import NotDurable, StoreUnavailable
from infra.store.durability import Durability
from infra.store.eventstore import Appended, Cmd, EventStore
from infra.store.redis import connect
from tests.clusters import Cluster, free_ports, program

pytestmark = pytest.mark.anyio
LOCAL, RELAXED = Durability("local"), Durability("relaxed")
REPLICATED = Durability("replicated", 1, 1500)
KEPT = ("--appendonly", "yes", "--appendfsync", "always")


@contextmanager
def serving(folder: Path, *options: str, binary: str | None = None):
    port = free_ports(1)[0]
    folder.mkdir(exist_ok=True)
    wanted = ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--logfile", "log", *options]
    with subprocess.Popen([binary or str(find_binary()), *wanted], cwd=folder) as process:
        process.port = port
        try:
            yield process
        finally:
            process.send_signal(signal.SIGCONT)
            process.kill()


async def verdict(tmp_path, wanted, *options, managed=False):
    with serving(tmp_path / "one", *options) as server:
        client = connect(f"redis://127.0.0.1:{server.port}")
        try:
            return await _look(client, wanted, managed)
        finally:
            await client.aclose()


async def _look(client, wanted, managed=False):
    for _ in range(100):
        found = await _try(client, wanted, managed)
        if found is not None:
            return found
    raise AssertionError("the server does not answer")


async def _try(client, wanted, managed):
    try:
        return await preflight.look(client, wanted, managed)
    except StoreUnavailable:
        await asyncio.sleep(0.1)
        return None


@pytest.mark.parametrize(
    ("wanted", "options", "word"),
    [
        (LOCAL, KEPT, None),
        (LOCAL, ("--appendonly", "yes", "--appendfsync", "everysec"), "set appendfsync always"),
        (RELAXED, ("--appendonly", "yes", "--appendfsync", "everysec"), None),
        (RELAXED, ("--appendonly", "yes", "--appendfsync", "no"), "could be lost"),
        (RELAXED, ("--appendonly", "no"), "keeps nothing on the disk"),
        (LOCAL, (*KEPT, "--maxmemory-policy", "allkeys-lru"), "set maxmemory-policy noeviction"),
        (RELAXED, (*KEPT, "--maxmemory-policy", "volatile-ttl"), "set maxmemory-policy noeviction"),
        (REPLICATED, KEPT, "wants 1 replicas"),
        (LOCAL, (*KEPT, "--rename-command", "CONFIG", "secret"), "TURNLOG_STORE_MANAGED=1"),
        (LOCAL, (*KEPT, "--replicaof", "127.0.0.1 1"), "takes writes"),
        (
            LOCAL,
            (*KEPT, "--cluster-enabled", "yes", "--cluster-port", str(free_ports(1)[0])),
            "redis+cluster://",
        ),
    ],
)
async def test_what_does_not_fit_is_refused_with_a_sentence(tmp_path, wanted, options, word):
    found = await verdict(tmp_path, wanted, *options)
    assert len(found.refusals) == (0 if word is None else 1)
    assert word is None or word in found.refusals[0]


async def test_a_managed_store_is_believed_but_not_if_it_evicts(tmp_path):
    hidden = (*KEPT, "--rename-command", "CONFIG", "secret")
    assert (await verdict(tmp_path, LOCAL, *hidden, managed=True)).refusals == ()
    evicting = (*hidden, "--maxmemory-policy", "allkeys-lfu")
    found = await verdict(tmp_path, LOCAL, *evicting, managed=True)
    assert "noeviction" in found.refusals[0]


@pytest.fixture(params=["bundled", "redis-server"])
def pair(request, tmp_path):
    """A server and its replica: one that knows WAITAOF, and an older one that does not."""
    binary = program() if request.param == "redis-server" else str(find_binary())
    with ExitStack() as stack:
        first = stack.enter_context(serving(tmp_path / "first", *KEPT, binary=binary))
        after = ("--replicaof", f"127.0.0.1 {first.port}", "--repl-diskless-sync-delay", "0")
        second = stack.enter_context(serving(tmp_path / "second", *KEPT, *after, binary=binary))
        yield first, second


async def until_replicated(client):
    while (await _look(client, REPLICATED)).refusals:  # noqa: ASYNC110 - the server tells nobody
        await asyncio.sleep(0.05)


async def in_the_end(store, expected, event, cmd):
    """As a client does: the same again until it is answered."""
    for _ in range(50):
        try:
            return await store.append("m", expected, [event], cmd=cmd)
        except NotDurable:
            continue
    raise AssertionError("it never became durable")


async def test_an_answer_waits_for_the_replica_and_so_does_its_repeat(pair):
    first, second = pair
    client = connect(f"redis://127.0.0.1:{first.port}")
    store, cmd = EventStore(client, REPLICATED), Cmd("ann", "k", "d")
    try:
        await until_replicated(client)
        assert (await in_the_end(store, 0, b"one", Cmd("ann", "first", "d"))).seq == 1
        second.send_signal(signal.SIGSTOP)
        for _ in range(2):  # the first call, and its repeat while the replica is still away
            with pytest.raises(NotDurable):
                await store.append("m", 1, [b"two"], cmd=cmd)
        with pytest.raises(NotDurable):
            await store.lookup("m", "ann", "k")
        assert await store.length("m") == 2
        second.send_signal(signal.SIGCONT)
        assert await in_the_end(store, 1, b"two", cmd) == Appended(2, True)
        assert await store.lookup("m", "ann", "k") == (2, "d")
        assert (await _look(client, REPLICATED)).warnings == ()
    finally:
        await client.aclose()


async def test_a_repeat_by_another_process_waits_too(pair):
    """Its connection has written nothing, so that waiting alone would be answered at once."""
    first, second = pair
    clients = [connect(f"redis://127.0.0.1:{first.port}") for _ in range(2)]
    stores, cmd = [EventStore(client, REPLICATED) for client in clients], Cmd("ann", "k", "d")
    try:
        await until_replicated(clients[0])
        second.send_signal(signal.SIGSTOP)
        for store in stores:
            with pytest.raises(NotDurable):
                await store.append("m", 0, [b"one"], cmd=cmd)
        second.send_signal(signal.SIGCONT)
        assert await in_the_end(stores[1], 0, b"one", cmd) == Appended(1, True)
    finally:
        for client in clients:
            await client.aclose()


async def test_every_master_of_a_cluster_is_looked_at(tmp_path):
    with Cluster(tmp_path) as cluster:
        client = connect(cluster.url)
        try:
            found = await _look(client, REPLICATED)
            assert (len(found.servers), found.refusals, found.warnings) == (3, (), ())
            cluster.nodes[1].ask("CONFIG", "SET", "maxmemory-policy", "allkeys-lru")
            assert "noeviction" in (await _look(client, LOCAL)).refusals[0]
        finally:
            await client.aclose()
