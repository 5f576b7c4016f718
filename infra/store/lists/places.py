"""In which lists a match is: of its shard, changed with its summary in one step, and of everybody in it.

An account's lists lie under its own tag, on whichever server has it. On a cluster they follow in a second
step, which may be repeated and may come late: each remembers of which event of the match it knows.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from redis.asyncio import Redis

from infra.store import keys
from infra.store.redis import Client, reaching
from infra.store.scripts import Arg, Script

SHOWN = Script.beside("lists/tell.lua", "lists/shown.lua")
TOLD = Script.beside("lists/told.lua")
# KEYS 1 the hash of an account; ARGV 1 what its keys begin with 2 match 3 seq 4 member 5 wrong 6… lists
TELL = Script.beside(
    "lists/tell.lua", then="return tell(ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], {unpack(ARGV, 6)})"
)
MATCHES, ALL, TURNS = "matches", "all", "turns"  # an account's: what it knows of each match, and its lists

_named = re.compile(r"[^\s{}]+").fullmatch  # what may be part of a key's tag: every id of ours


class Places(NamedTuple):
    """Where a match belongs as of its event `seq`: in indexes of its shard, and in lists of accounts."""

    match: str
    seq: int
    member: str
    indexes: Sequence[str] = ()
    accounts: dict[str, list[str]] = {}  # noqa: RUF012 never changed


async def put(client: Client, places: Places, shown: bytes, instead: int | None) -> int | None:
    """Keep a summary, b"" to drop it. Returns the seq of a newer one that stays; None if there is none.

    `instead`: what is newer may be replaced up to this seq, because its log is no more.
    """
    accounts = {who: lists for who, lists in places.accounts.items() if _named(who)}
    at_once = keys.MINE_BEGINS if isinstance(client, Redis) else ""
    args: list[Arg] = [places.match, places.seq, places.member, shown, "" if instead is None else instead]
    args += [keys.index(keys.shard(places.match)), at_once, len(places.indexes), *places.indexes]
    for who, lists in accounts.items():
        args += [who, len(lists), *lists]
    where: list[Arg] = [keys.shown(places.match), keys.placed(places.match)]
    with reaching():
        kept, known, *no_more = await SHOWN.run(client, where, args)
        if not kept:
            return int(known)
        if not at_once:
            gone = [who.decode() for who in no_more]
            await _tell(client, places, accounts | {who: [] for who in gone}, known)
            if known or gone:
                await TOLD.run(client, where[1:], [places.seq, *gone])
    return None


async def _tell(client: Client, places: Places, accounts: dict[str, list[str]], wrong: bytes) -> None:
    """Put a match into everybody's lists, and out of those in which it is no more."""
    await asyncio.gather(*(tell(client, who, places, lists, wrong) for who, lists in accounts.items()))


async def tell(client: Client, who: str, places: Places, lists: Iterable[str], wrong: Arg = "") -> None:
    """The same for one account."""
    args: list[Arg] = [keys.mine(who), places.match, places.seq, places.member, wrong, *lists]
    await TELL.run(client, [keys.mine(who, MATCHES)], args)
