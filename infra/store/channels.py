"""What was published, by anybody: one subscription for a process.

A single server has one channel a shard and one for accounts, all heard by a pattern. On a cluster a message
goes only to the server of its shard, and somebody listens at each of them.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator
from functools import lru_cache
from typing import Any

import structlog
from redis.asyncio import Redis
from redis.asyncio.cluster import RedisCluster
from redis.exceptions import ConnectionError, RedisError

from infra.store import keys
from infra.store.redis import BROKEN, Client, alone

log = structlog.get_logger(__name__)
PATTERN = keys.CHANNELS
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.05, 2.0


async def publish(client: Client, channel: str, text: str) -> None:
    """Tell whoever listens; must be called inside `reaching`."""
    untyped: Any = client
    await untyped.execute_command("PUBLISH" if isinstance(client, Redis) else "SPUBLISH", channel, text)


def of_match(client: Client, match: str) -> str:
    """Where appends to a match are told of."""
    return _named(match, not isinstance(client, Redis))


@lru_cache(maxsize=8192)
def _named(match: str, sharded: bool) -> str:
    return (keys.sharded if sharded else keys.channel)(keys.shard(match))


async def listen(client: Client) -> AsyncIterator[bytes | None]:
    """What is published, and None when the subscription begins. Raises when it breaks: begin anew."""
    if isinstance(client, RedisCluster):
        async for told in _everywhere(client):
            yield told
        return
    async with client.pubsub() as pubsub:
        await pubsub.psubscribe(PATTERN)
        async for message in pubsub.listen():
            if message["type"] == "psubscribe":
                yield None
            elif message["type"] == "pmessage":
                yield message["data"]


async def follow(client: Client) -> AsyncIterator[bytes | None]:
    """Like `listen`, for ever: a subscription that breaks is begun anew, later and later."""
    pause = FIRST_PAUSE_S
    while True:
        try:
            async for told in listen(client):
                pause = FIRST_PAUSE_S
                yield told
        except (RedisError, *BROKEN) as error:
            log.warning("subscription lost", error=str(error), again_in=pause)
        await asyncio.sleep(pause)
        pause = min(pause * 2, LONGEST_PAUSE_S)


async def _everywhere(client: RedisCluster) -> AsyncIterator[bytes | None]:
    heard: asyncio.Queue[bytes | BaseException | None] = asyncio.Queue()
    shares = await _servers(client)
    servers = [alone(client, *where) for where in shares]
    tasks = [asyncio.create_task(_at(*one, heard)) for one in zip(servers, shares.values(), strict=True)]
    try:
        while True:
            told = await heard.get()
            if isinstance(told, BaseException):
                raise told
            yield told
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for server in servers:
            await server.aclose()


async def _servers(client: RedisCluster) -> dict[tuple[str, int], list[str]]:
    """Which server has which channels, as it is now: a subscription that broke may have moved."""
    await client.initialize()
    await client.nodes_manager.initialize()
    found: defaultdict[tuple[str, int], list[str]] = defaultdict(list)
    for n in range(keys.SHARDS):
        node = client.get_node_from_key(keys.sharded(n))
        if node is None:
            raise ConnectionError("nobody in the cluster has this slot now")
        found[node.host, int(node.port)].append(keys.sharded(n))
    return dict(found)


async def _at(server: Redis, channels: list[str], heard: asyncio.Queue[bytes | BaseException | None]) -> None:
    try:
        async with server.pubsub() as pubsub:
            # One by one: channels of several slots in one command are refused.
            for channel in channels:
                await pubsub.ssubscribe(channel)
            begun = 0
            async for message in pubsub.listen():
                if message["type"] == "smessage":
                    heard.put_nowait(message["data"])
                elif message["type"] == "ssubscribe":
                    begun += 1
                    heard.put_nowait(None) if begun == len(channels) else None
                elif message["type"] == "sunsubscribe":
                    raise ConnectionError("a shard has moved")
    except asyncio.CancelledError:
        raise
    except BaseException as error:  # noqa: BLE001 - whoever listens decides
        heard.put_nowait(error)
