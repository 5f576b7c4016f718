"""What this process plays right now, shown in the store: nobody asks again for a turn that somebody plays.

A single turn has a note of its own; a match that is played on is held, with every turn that comes.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from infra.process.errors import StoreUnavailable
from infra.store import signs_of_life
from infra.store.lanes import Lanes
from infra.store.redis import Client
from workers.jobs import BotTurn

RENEW_S = 1.0
WHO = signs_of_life.instance
_turns: set[str] = set()
_held: set[str] = set()  # matches


@asynccontextmanager
async def playing(client: Client, turn: BotTurn) -> AsyncIterator[int]:
    """Play a turn inside; gives how often it was begun, this time included: who died is counted."""
    _turns.add(turn.job_id)
    try:
        yield await signs_of_life.begin(client, turn.job_id)
    except BaseException:
        with suppress(StoreUnavailable):  # else it lapses by itself
            await signs_of_life.end(client, turn.job_id)
        raise
    finally:
        _turns.discard(turn.job_id)


@asynccontextmanager
async def holding(client: Client, match: str) -> AsyncIterator[None]:
    """A match that this process holds is held on inside; who fails lets go of it at once."""
    _held.add(match)
    try:
        yield
    except BaseException:
        with suppress(StoreUnavailable):  # else it lapses by itself
            await Lanes(client).renew([match], WHO(), 0)
        raise
    finally:
        _held.discard(match)


async def renew(client: Client) -> None:
    """Everything that this process plays is still being played."""
    await signs_of_life.renew(client, tuple(_turns))
    if _held:
        await Lanes(client).renew(tuple(_held), WHO())
