"""Addresses choose between a single server and a cluster."""

from __future__ import annotations

import pytest
from redis.asyncio import Redis
from redis.asyncio.cluster import RedisCluster
from redis.exceptions import ReadOnlyError, ResponseError

from infra.process.errors import StoreUnavailable
from infra.store.eventstore import EventStore
from infra.store.redis import connect, connect_sync, ping, reaching

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("redis://127.0.0.1:1", Redis),
        ("redis://127.0.0.1:1?cluster=0", Redis),
        ("unix:///tmp/a%20b.sock?password=x", Redis),
        ("redis+cluster://127.0.0.1:1", RedisCluster),
        ("redis://127.0.0.1:1?cluster=1", RedisCluster),
    ],
)
async def test_the_address_chooses_the_client(url, kind):
    client = connect(url)
    assert isinstance(client, kind)
    await client.aclose()


async def test_a_unix_path_with_spaces_survives():
    client = connect("unix:///tmp/a%20b.sock?password=x")
    assert client.connection_pool.connection_kwargs["path"] == "/tmp/a b.sock"


def test_the_queue_refuses_a_cluster():
    with pytest.raises(ValueError, match="does not speak Redis Cluster"):
        connect_sync("redis+cluster://127.0.0.1:1")


@pytest.mark.parametrize("scheme", ["redis", "redis+cluster"])
async def test_a_store_that_is_not_there_is_unavailable(scheme):
    client = connect(f"{scheme}://127.0.0.1:1")
    with pytest.raises(StoreUnavailable):
        await EventStore(client).read("m")
    with pytest.raises(StoreUnavailable):
        await EventStore(client).append("m", 0, [b"a"])
    await client.aclose()


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (ReadOnlyError("replica"), StoreUnavailable),
        (ResponseError("MISCONF Errors writing to the AOF file"), StoreUnavailable),
        (ResponseError("ERR our own mistake"), ResponseError),
    ],
)
def test_only_a_passing_state_of_the_store_is_unavailable(error, kind):
    with pytest.raises(kind), reaching():
        raise error


async def test_ping_says_no_when_nobody_listens(tmp_path):
    client = connect(f"unix://{tmp_path}/none.sock")
    assert not await ping(client)
    await client.aclose()
