"""Group commit on a cluster: one for each server, on connections of its own, following where slots go.

The client that everything else uses closes and opens its connections as it learns who is who; an append that
is under way must not be hit by that.
"""

from __future__ import annotations

import asyncio
import time
from typing import Any

import structlog
from redis.asyncio import Redis
from redis.asyncio.cluster import RedisCluster
from redis.exceptions import AskError, MovedError, RedisClusterException, TryAgainError

from infra.process.errors import NotDurable, StoreUnavailable
from infra.store.durability import Durability
from infra.store.flights import GroupCommit
from infra.store.redis import BROKEN, alone
from infra.store.scripts import Command, Script

log = structlog.get_logger(__name__)
MAX_HOPS = 60  # a slot that is being moved says "try again" until all keys of a match are on one side
HOP_PAUSE_S = 0.05
LEARN_EVERY_S = 0.3
Where = tuple[str, int]


class ClusterCommits:
    """Sends calls of scripts to whichever server holds their keys."""

    def __init__(self, client: RedisCluster, durability: Durability) -> None:
        self._client, self._durability = client, durability
        self._nodes: dict[Where, tuple[Redis, GroupCommit]] = {}
        self._learning = asyncio.Lock()
        self._learnt = 0.0

    async def call(self, script: Script, call: Command) -> Any:
        """Send one call to where its first key is now."""
        node, asking = await self._node_of(str(call[3])), False
        for _ in range(MAX_HOPS):
            try:
                return await self._group(node).call(script, call, asking)
            except MovedError as moved:
                await self._client.nodes_manager.move_slot(moved)
                node, asking = await self._node_of(str(call[3])), False
            except AskError as ask:
                node, asking = (ask.host, int(ask.port)), True
            except TryAgainError:
                await asyncio.sleep(HOP_PAUSE_S)
            except NotDurable:
                raise
            except StoreUnavailable:
                await self._learn()  # for the next one: what became of this one nobody knows
                raise
        raise StoreUnavailable("The store is moving this match from server to server.")

    async def aclose(self) -> None:
        for client, _ in self._nodes.values():
            await client.aclose()

    async def _node_of(self, key: str) -> Where:
        try:
            await self._client.initialize()
            node = self._client.get_node_from_key(key)
        except BROKEN as error:
            raise StoreUnavailable(f"The cluster did not answer: {error}") from error
        if node is None:
            raise StoreUnavailable("Nobody in the cluster has this slot now.")
        return node.host, int(node.port)

    def _group(self, where: Where) -> GroupCommit:
        if where not in self._nodes:
            client = alone(self._client, *where)
            self._nodes[where] = (client, GroupCommit(client, self._durability))
        return self._nodes[where][1]

    async def _learn(self) -> None:
        """Who is who may have changed. Asked by one of all that failed together, and not again at once."""
        async with self._learning:
            if time.monotonic() - self._learnt < LEARN_EVERY_S:
                return
            try:
                await self._client.nodes_manager.initialize()
            except (*BROKEN, RedisClusterException) as error:
                log.warning("cluster layout unavailable", reason=str(error))
            self._learnt = time.monotonic()
