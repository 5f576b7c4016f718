"""Whether a store keeps what it is given as well as it was told to: read from the servers' own settings.

An unfit store is refused with a sentence before anything is kept in it. One that forbids to look must be
declared as managed; what can be seen without its settings is looked at all the same.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from redis.asyncio import Redis
from redis.exceptions import RedisError, ResponseError

from infra.process.errors import StoreUnavailable
from infra.store.durability import Durability
from infra.store.redis import BROKEN, Client, reaching

LOOK_EVERY_S = 10.0
PATIENCE_S = 3.0
REPLICA = re.compile(r"slave\d+")
OLDEST = (7, 0)
ASKED = ("appendonly", "appendfsync", "maxmemory-policy")


class Server(NamedTuple):
    """One server that takes writes, as it describes itself; it keeps a setting that is empty to itself."""

    where: str
    version: str
    role: str
    clustered: bool
    replicas: int
    appendonly: str
    appendfsync: str
    policy: str

    @property
    def syncs(self) -> str:
        """
        >>> Server("a", "7.0.15", "master", False, 0, "yes", "everysec", "noeviction").syncs
        'everysec'
        """
        if self.appendonly != "yes":
            return "never" if self.appendonly else ""
        return self.appendfsync


class Verdict(NamedTuple):
    servers: tuple[Server, ...]
    refusals: tuple[str, ...]  # why nothing may be kept there
    warnings: tuple[str, ...]  # what is promised and does not hold now


async def look(client: Client, wanted: Durability, managed: bool = False) -> Verdict:
    """Ask every server that takes writes. Raises StoreUnavailable while one does not answer."""
    with reaching():
        servers = [await _describe(*one) for one in await _writers(client)]
    clustered = not isinstance(client, Redis)
    refusals = [why for server in servers for why in _refusals(server, wanted, managed, clustered)]
    short = [server for server in servers if wanted.waits and server.replicas < wanted.replicas]
    if servers and len(short) == len(servers):
        refusals.append(
            f"TURNLOG_DURABILITY=replicated wants {wanted.replicas} replicas of every server, and"
            f" {short[0].where} has {short[0].replicas}: add replicas, or choose `local`"
        )
    warnings = [f"{one.where} has {one.replicas} of {wanted.replicas} replicas" for one in short]
    return Verdict(tuple(servers), tuple(dict.fromkeys(refusals)), tuple(warnings))


async def _writers(client: Client) -> Sequence[tuple[str, Any]]:
    if isinstance(client, Redis):
        kwargs: Mapping[str, Any] = client.connection_pool.connection_kwargs
        where = kwargs.get("path") or f"{kwargs.get('host', 'the store')}:{kwargs.get('port', 6379)}"
        return [(str(where), client)]
    await client.initialize()
    return [(node.name, node) for node in client.get_primaries()]


async def _describe(where: str, server: Any) -> Server:
    info = _fields(await server.execute_command("INFO", "everything"))
    found = {name: await _setting(server, name) for name in ASKED}
    aof = {"1": "yes", "0": "no"}.get(info.get("aof_enabled", ""), "")
    return Server(
        where,
        info.get("valkey_version") or info.get("redis_version", "0"),
        info.get("role", ""),
        info.get("cluster_enabled") == "1",
        sum("online" in value for name, value in info.items() if REPLICA.fullmatch(name)),
        found["appendonly"] or aof,
        found["appendfsync"],
        found["maxmemory-policy"] or info.get("maxmemory_policy", ""),
    )


async def _setting(server: Any, name: str) -> str:
    """Empty if the server does not tell."""
    try:
        found = await server.execute_command("CONFIG GET", name)
    except BROKEN:
        raise
    except (ResponseError, RedisError):
        return ""
    if not isinstance(found, dict):
        found = dict(zip(found[::2], found[1::2], strict=True))
    return str(_text(next(iter(found.values()), "")))


def _fields(info: Any) -> dict[str, str]:
    if isinstance(info, dict):
        return {_text(name): _text(value) for name, value in info.items()}
    lines = (line.partition(":") for line in _text(info).splitlines())
    return {name: value for name, _, value in lines}


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)


def _refusals(server: Server, wanted: Durability, managed: bool, clustered: bool) -> list[str]:
    said = [*_of_kind(server, clustered), *_of_memory(server, managed)]
    if server.syncs == "":
        return said if managed else [*said, _hidden(server)]
    return said + _of_disk(server, wanted)


def _hidden(server: Server) -> str:
    return (
        f"{server.where} does not tell its settings: if it syncs as TURNLOG_DURABILITY wants,"
        " declare that with TURNLOG_STORE_MANAGED=1"
    )


def _of_kind(server: Server, clustered: bool) -> list[str]:
    said = []
    if tuple(int(part) for part in server.version.split(".")[:2]) < OLDEST:
        said.append(
            f"{server.where} is version {server.version}: Redis 7.0 or Valkey 7.2 is the oldest that will do"
        )
    if server.role != "master":
        said.append(f"{server.where} is a {server.role}: give the address of the server that takes writes")
    if server.clustered and not clustered:
        said.append(f"{server.where} is part of a cluster: write its address as redis+cluster://")
    return said


def _of_memory(server: Server, managed: bool) -> list[str]:
    if server.policy == "noeviction" or (managed and not server.policy):
        return []
    return [
        f"{server.where} may throw matches away when memory is short (maxmemory-policy {server.policy}):"
        " set maxmemory-policy noeviction"
    ]


def _of_disk(server: Server, wanted: Durability) -> list[str]:
    if server.syncs == "never":
        return [f"{server.where} keeps nothing on the disk (appendonly no): set appendonly yes"]
    if server.syncs == "always" or (wanted.level != "local" and server.syncs == "everysec"):
        return []
    return [
        f"{server.where} syncs {server.syncs}, so an answer could be lost: set appendfsync always,"
        " or choose TURNLOG_DURABILITY=relaxed"
    ]


class Fitness:
    """The same for whoever asks often: looked at again after a while."""

    def __init__(self, client: Client, wanted: Durability, managed: bool = False) -> None:
        self._asked = (client, wanted, managed)
        self._said, self._until = ("ok", True), 0.0

    async def now(self) -> tuple[str, bool]:
        """`ok` or the first thing that is wrong, and whether the store will do all the same.

        A store that is away is somebody else's to tell.
        """
        if time.monotonic() < self._until:
            return self._said
        try:
            async with asyncio.timeout(PATIENCE_S):
                verdict = await look(*self._asked)
        except (StoreUnavailable, RedisError, TimeoutError):
            return self._said
        self._said = next(iter((*verdict.refusals, *verdict.warnings)), "ok"), not verdict.refusals
        self._until = time.monotonic() + LOOK_EVERY_S
        return self._said
