"""How a store is laid out: a number in it, so that an older Turnlog leaves what it does not know alone.

A store of an earlier number is brought to today's by steps, each of which may be interrupted and repeated.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import msgspec
import structlog

from infra.store import keys
from infra.store.readmodel import ReadModel, Summary
from infra.store.redis import Client, ask, many, reaching

log = structlog.get_logger(__name__)

FORMAT = 2  # rises with the first key that lies elsewhere, or means something else, than before
PAGE = 500
AT_ONCE = 32

_summary = msgspec.json.Decoder(Summary).decode


async def refusal(client: Client, restoring: bool = False) -> str | None:
    """Why this version may not touch the store; None if it may. Raises StoreUnavailable."""
    if not restoring and await ask(client, "EXISTS", keys.RESTORING):
        return "a backup is being restored here, or was interrupted in that: `turnlog restore` ends it"
    found = await ask(client, "GET", keys.FORMAT)
    if found is None or (found.isdigit() and int(found) <= FORMAT):
        return None
    return (
        f"the store has format {found.decode(errors='replace')} and this version knows formats up to"
        f" {FORMAT}: start the version that wrote it, or a newer one"
    )


async def settle(client: Client) -> None:
    """Bring a store to today's format and write its number into it; one without a number is of format 1.

    Nothing is written to a store that has the number already: a full disk may not end a start.
    """
    found = await ask(client, "GET", keys.FORMAT)
    if found is not None and (not found.isdigit() or int(found) >= FORMAT):
        return
    for number in range(int(found or 1) + 1, FORMAT + 1):
        moved = await STEPS[number](client)
        if moved:
            log.info("the store was laid out anew", format=number, moved=moved)
        await ask(client, "SET", keys.FORMAT, number)


async def _spread_lists(client: Client) -> int:
    """Format 2: lists and results lie with the match, the account and the game, not all in one slot.

    As lists were, so they are carried over: a large house need not wait until all its logs are folded.
    `turnlog rebuild` derives them from the logs at any time.
    """
    moved = await _pages(client, f"{keys.OLD_LISTS}m:*", _move_summary)
    moved += await _pages(client, f"{keys.OLD_LISTS}next:*", _move_next)
    moved += await _pages(client, f"{keys.OLD_RESULTS}*", _move_results)
    for old in (keys.OLD_LISTS, keys.OLD_RESULTS):
        await _pages(client, f"{old}*", _unlink)
    return moved


STEPS: dict[int, Callable[[Client], Awaitable[int]]] = {2: _spread_lists}


async def _pages(client: Client, pattern: str, move: Callable[[Client, str], Awaitable[None]]) -> int:
    moved = 0
    async for page in _scan(client, pattern):
        moved += len(page)
        for n in range(0, len(page), AT_ONCE):
            await asyncio.gather(*(move(client, key) for key in page[n : n + AT_ONCE]))
    return moved


async def _scan(client: Client, pattern: str) -> AsyncIterator[list[str]]:
    page: list[str] = []
    with reaching():
        async for key in client.scan_iter(match=pattern, count=1000):
            page.append(key.decode())
            if len(page) == PAGE:
                yield page
                page = []
    if page:
        yield page


async def _move_summary(client: Client, key: str) -> None:
    raw = await ask(client, "GET", key)
    if raw is not None:
        await ReadModel(client).put(_summary(raw))


async def _move_next(client: Client, key: str) -> None:
    """The next match that an answer named: kept as long as it would have been."""
    match, seq, who = key.removeprefix(f"{keys.OLD_LISTS}next:").split(":", 2)
    raw, left = await ask(client, "GET", key), await ask(client, "PTTL", key)
    if raw is not None and left > 0:
        await ask(client, "SET", keys.next_turn(match, int(seq), who), raw, "PX", left, "NX")


async def _move_results(client: Client, key: str) -> None:
    what = key.removeprefix(keys.OLD_RESULTS)
    if what == "unrated":
        matches = await ask(client, "SMEMBERS", key)
        await many(client, [("SET", keys.unrated(match.decode()), 1) for match in matches])
        return
    untyped: Any = client
    for start in itertools.count(0, PAGE):
        with reaching():
            page = await untyped.zrange(key, start, start + PAGE - 1, withscores=True)
        if not page:
            return
        await many(client, [("ZADD", keys.ratings(what), score, one) for one, score in page])


async def _unlink(client: Client, key: str) -> None:
    await ask(client, "UNLINK", key)
