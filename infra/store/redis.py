"""Connections to Redis or Valkey, single or cluster, with one set of habits."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeAlias, TypeVar

import redis
from redis.asyncio import Redis
from redis.asyncio.cluster import ClusterPipeline, RedisCluster
from redis.asyncio.retry import Retry as AsyncRetry
from redis.asyncio.sentinel import Sentinel as AsyncSentinel
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
from redis.sentinel import Sentinel

from infra.process import addresses
from infra.process.errors import StoreFull, StoreUnavailable

Client: TypeAlias = Redis | RedisCluster
T = TypeVar("T")

TIMEOUT_S = 10.0  # a blocking read must ask for less
CONNECT_TIMEOUT_S = 3.0
READ_SIZE = 256 * 1024  # a match of a thousand events in one or two reads
MAX_CONNECTIONS = 1000  # redis-py refuses instead of waiting, so this is only a last resort
PAUSES_S = (0.01, 0.05, 0.2)
BROKEN = (ConnectionError, TimeoutError, RedisClusterException, OSError)
PASSING = (ClusterDownError, MasterDownError, ReadOnlyError, TryAgainError)


def connect(url: str) -> Client:
    """Open a pool of asynchronous connections, to a single server, a cluster or what sentinels name."""
    options = _options() | {"retry": _retry(AsyncRetry), "max_connections": MAX_CONNECTIONS}
    guarded = addresses.sentinels(url)
    if guarded is not None:
        found: Redis = _sentinel(AsyncSentinel, guarded).master_for(
            guarded.name, **options, **_login(guarded)
        )
        return found
    address, cluster = addresses.plain(url)
    return RedisCluster.from_url(address, **options) if cluster else Redis.from_url(address, **options)


def connect_sync(url: str) -> redis.Redis:
    """Open a blocking client, for the job queue."""
    # The queue's workers block longer than any sane timeout; they set their own.
    options = _options() | {"socket_timeout": None, "retry": _retry(Retry)}
    guarded = addresses.sentinels(url)
    if guarded is not None:
        found: redis.Redis = _sentinel(Sentinel, guarded).master_for(
            guarded.name, **options, **_login(guarded)
        )
        return found
    address, cluster = addresses.plain(url)
    if cluster:
        raise ValueError("The job queue does not speak Redis Cluster: give it a single server.")
    return redis.Redis.from_url(address, **options)


def _sentinel(kind: Any, guarded: addresses.Sentinels) -> Any:
    """Sentinels answer quickly or are asked elsewhere."""
    own = {"socket_timeout": CONNECT_TIMEOUT_S, "password": guarded.sentinel_password, "ssl": guarded.tls}
    return kind(list(guarded.hosts), sentinel_kwargs=own)


def _login(guarded: addresses.Sentinels) -> dict[str, Any]:
    return {"username": guarded.username, "password": guarded.password, "ssl": guarded.tls}


def alone(client: RedisCluster, host: str, port: int) -> Redis:
    """A client for one server of a cluster, with the habits of the whole."""
    wanted = client.get_connection_kwargs()
    tls = {name: value for name, value in wanted.items() if name.startswith("ssl_")}
    login = {name: wanted.get(name) for name in ("username", "password")}
    habits: dict[str, Any] = {**_options(), **login, **tls, "ssl": bool(tls)}
    return Redis(host=host, port=port, **habits)


async def call(client: Client, *command: str | bytes | int | float) -> Any:
    """Send one command; redis-py does not type its answers."""
    untyped: Any = client
    if isinstance(client, Redis):
        return await untyped.execute_command(*command)
    return await _patiently(lambda: untyped.execute_command(*command))


async def send(pipe: Any, raise_on_error: bool = True) -> list[Any]:
    """Send what a pipeline holds."""
    try:
        replies: list[Any] = await pipe.execute(raise_on_error=raise_on_error)
    except (RuntimeError, AttributeError) as closed:
        if not isinstance(pipe, ClusterPipeline):
            raise
        raise ConnectionError(f"the connection was closed: {closed}") from closed
    return replies


async def many(client: Client, commands: Iterable[Sequence[str | bytes | int | float]]) -> list[Any]:
    """Send commands together, each to whichever server has its key."""
    pipe = client.pipeline(transaction=False)
    for command in commands:
        pipe.execute_command(*command)
    with reaching():
        return await send(pipe)


async def read_keys(client: Client, wanted: Sequence[str]) -> list[bytes | None]:
    """The strings under many keys, wherever they lie."""
    if not wanted:
        return []
    if isinstance(client, Redis):
        found: list[bytes | None] = await ask(client, "MGET", *wanted)
        return found
    return await many(client, [("GET", key) for key in wanted])


async def _patiently(send: Callable[[], Awaitable[T]]) -> T:
    """Of several who find a cluster changed, one closes connections under the others' hands.

    They see a transport that is gone before anything was written to it, so they may try again.
    """
    for pause in PAUSES_S:
        try:
            return await send()
        except (RuntimeError, AttributeError) as closed:
            problem = closed
        await asyncio.sleep(pause)
    raise ConnectionError(f"the connection was closed: {problem}") from problem


async def ask(client: Client, *command: str | bytes | int | float) -> Any:
    """Send one command; a store that is away is StoreUnavailable."""
    with reaching():
        return await call(client, *command)


async def ping(client: Client) -> bool:
    """Whether the store answers now."""
    try:
        return bool(await call(client, "PING"))
    except (RedisError, *BROKEN):
        return False


async def setting(client: Client, name: str) -> str | None:
    """A setting of the server; None if it keeps its settings to itself. Raises StoreUnavailable."""
    untyped: Any = client
    try:
        with reaching():
            found = await untyped.config_get(name)
    except RedisError:  # somebody else's store need not tell us
        return None
    value = found.get(name)
    return value.decode() if isinstance(value, bytes) else value


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
