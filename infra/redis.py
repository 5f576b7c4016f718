"""Connections to Redis or Valkey, single or cluster, with one set of habits."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

import redis
from redis.asyncio import Redis
from redis.asyncio.cluster import RedisCluster
from redis.asyncio.retry import Retry as AsyncRetry
from redis.backoff import ExponentialWithJitterBackoff
from redis.exceptions import (
    ClusterDownError,
    ConnectionError,
    MasterDownError,
    OutOfMemoryError,
    ReadOnlyError,
    RedisClusterException,
    RedisError,
    ResponseError,
    TimeoutError,
    TryAgainError,
)
from redis.retry import Retry

from infra.errors import StoreFull, StoreUnavailable

Client: TypeAlias = Redis | RedisCluster

TIMEOUT_S = 10.0  # a blocking read must ask for less
CONNECT_TIMEOUT_S = 3.0
READ_SIZE = 256 * 1024  # a match of a thousand events in one or two reads
MOST_CONNECTIONS = 1000  # redis-py refuses instead of waiting, so this is only a last resort
BROKEN = (ConnectionError, TimeoutError, RedisClusterException, OSError)
PASSING = (ClusterDownError, MasterDownError, ReadOnlyError, TryAgainError)


def connect(url: str) -> Client:
    """Open a pool of asynchronous connections; `redis+cluster://` or `?cluster=1` speaks Redis Cluster."""
    address, cluster = _split(url)
    options = _options() | {"retry": _retry(AsyncRetry), "max_connections": MOST_CONNECTIONS}
    return RedisCluster.from_url(address, **options) if cluster else Redis.from_url(address, **options)


def connect_sync(url: str) -> redis.Redis:
    """Open a blocking client, for the job queue."""
    address, cluster = _split(url)
    if cluster:
        raise ValueError("The job queue does not speak Redis Cluster: give it a single server.")
    # The queue's workers block longer than any sane timeout; they set their own.
    options = _options() | {"socket_timeout": None}
    return redis.Redis.from_url(address, retry=_retry(Retry), **options)


async def call(client: Client, *command: str | bytes | int | float) -> Any:
    """Send one command; redis-py does not type its answers."""
    untyped: Any = client
    return await untyped.execute_command(*command)


async def ask(client: Client, *command: str | bytes | int | float) -> Any:
    """Send one command; a store that is away is StoreUnavailable."""
    with reaching():
        return await call(client, *command)


async def ping(client: Client) -> bool:
    """Say whether the store answers now."""
    try:
        return bool(await call(client, "PING"))
    except (RedisError, *BROKEN):
        return False


def is_cluster(client: Client) -> bool:
    """Say whether keys of different shards may live on different servers."""
    return isinstance(client, RedisCluster)


def _options() -> dict[str, Any]:
    return {
        "decode_responses": False,
        "socket_timeout": TIMEOUT_S,
        "socket_connect_timeout": CONNECT_TIMEOUT_S,
        "socket_read_size": READ_SIZE,
        "health_check_interval": 30,
    }


def _retry(kind: Any) -> Any:
    return kind(ExponentialWithJitterBackoff(base=0.02, cap=0.5), 3)


def _split(url: str) -> tuple[str, bool]:
    """Take our own `cluster` marks off an address: redis-py would refuse them."""
    parts = urlsplit(url)
    query = dict(parse_qsl(parts.query))
    if "cluster" not in query and "+" not in parts.scheme:
        return url, False
    wanted = query.pop("cluster", "0") == "1" or parts.scheme.endswith("+cluster")
    scheme = parts.scheme.removesuffix("+cluster")
    return urlunsplit(parts._replace(scheme=scheme, query=urlencode(query))), wanted


@contextmanager
def reaching() -> Iterator[None]:
    """Turn whatever says that the store cannot be reached, or cannot write now, into StoreUnavailable."""
    try:
        yield
    except BROKEN as error:
        raise StoreUnavailable(f"The store did not answer: {error}") from error
    except ResponseError as error:
        refused = passing(error)
        if refused is None:
            raise
        raise refused from error


def passing(error: ResponseError) -> StoreUnavailable | None:
    """What it means if the store refused because of its own state, so that asking again later may help."""
    if isinstance(error, OutOfMemoryError) or str(error).startswith(("MISCONF", "NOREPLICAS")):
        return StoreFull(f"The store takes nothing new: {error}")
    if isinstance(error, PASSING) or str(error).startswith("BUSY "):
        return StoreUnavailable(f"The store cannot do this now: {error}")
    return None
