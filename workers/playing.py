"""What this process plays right now, shown in the store: nobody asks again for a turn that somebody plays.

A note lasts for some seconds and is renewed while the process lives and works (`workers.worker` does that).
Whoever dies, is stopped or is lost in foreign code renews nothing, and the turn is asked for again.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from infra.errors import StoreUnavailable
from infra.redis import Client, ask, reaching
from workers.jobs import Turn

NOTE_MS = 5000
RENEW_S = 1.0
REMEMBERED_S = 3600
_turns: set[str] = set()


@asynccontextmanager
async def playing(client: Client, turn: Turn) -> AsyncIterator[int]:
    """Play a turn inside; gives how often it was begun, this time included: who died is counted."""
    _turns.add(turn.job_id)
    try:
        yield await _begin(client, turn)
    except BaseException:
        with suppress(StoreUnavailable):  # else it lapses by itself
            await ask(client, "DEL", _key(turn.job_id))
        raise
    finally:
        _turns.discard(turn.job_id)


async def _begin(client: Client, turn: Turn) -> int:
    begun = f"tl:begun:{turn.job_id}"
    pipe = client.pipeline(transaction=False)
    pipe.execute_command("INCR", begun)
    pipe.execute_command("EXPIRE", begun, REMEMBERED_S)
    pipe.execute_command("SET", _key(turn.job_id), 1, "PX", NOTE_MS)
    with reaching():
        return int((await pipe.execute())[0])


async def is_played(client: Client, turn: Turn) -> bool:
    """Whether a living worker has this turn in hand."""
    return bool(await ask(client, "EXISTS", _key(turn.job_id)))


async def renew(client: Client) -> None:
    """Everything that this process plays is still being played."""
    for job in tuple(_turns):
        await ask(client, "SET", _key(job), 1, "PX", NOTE_MS)


def _key(job: str) -> str:
    return f"tl:playing:{job}"
