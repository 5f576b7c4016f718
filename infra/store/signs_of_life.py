"""Who lives and what they have in hand, in the store: heartbeats of roles, and turns that are being played.

A note of a turn lasts for some seconds and is renewed while its process lives and works. Whoever dies, is
stopped or is lost in foreign code renews nothing, and the turn is asked for again.
"""

import os
import socket
import time
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from infra.store import keys
from infra.store.redis import Client, ask, reaching, send

NOTE_MS = 5000
REMEMBERED_S = 3600
TOLD_S = 7 * 86400  # longer than any entry of the outbox waits for a relay
MISSED_S = 600.0


def instance() -> str:
    """This process among all that do the same: a container's first process always has the same number."""
    return f"{socket.gethostname()}-{os.getpid()}"


async def beat(client: Client, role: str) -> None:
    """This process lives, in this role."""
    await ask(client, "HSET", keys.BEATS, f"{role} {instance()}", int(time.time() * 1000))


async def fall_silent(client: Client, role: str) -> None:
    """This process ends in order: nobody needs to miss it."""
    await ask(client, "HDEL", keys.BEATS, f"{role} {instance()}")


async def heard(client: Client) -> dict[str, dict[str, float]]:
    """Of every role, for how many seconds nothing was heard of each of its processes."""
    found: defaultdict[str, dict[str, float]] = defaultdict(dict)
    now = time.time()
    for field, moment in _pairs(await ask(client, "HGETALL", keys.BEATS)):
        role, _, who = field.decode().partition(" ")
        found[role][who] = max(0.0, now - int(moment) / 1000)
    return dict(found)


async def forget_dead(client: Client) -> None:
    """Those who were not heard for long: they were missed for long enough."""
    for role, processes in (await heard(client)).items():
        for who, silent in processes.items():
            if silent > MISSED_S:
                await ask(client, "HDEL", keys.BEATS, f"{role} {who}")


def _pairs(reply: Any) -> Iterable[tuple[bytes, bytes]]:
    return reply.items() if isinstance(reply, dict) else zip(reply[::2], reply[1::2], strict=True)


async def begin(client: Client, job: str) -> int:
    """A turn is being played from now on; returns how often it was begun, this time included."""
    pipe = client.pipeline(transaction=False)
    pipe.execute_command("INCR", keys.begun(job))
    pipe.execute_command("EXPIRE", keys.begun(job), REMEMBERED_S)
    pipe.execute_command("SET", keys.playing(job), 1, "PX", NOTE_MS)
    with reaching():
        return int((await send(pipe))[0])


async def note_death(client: Client, job: str) -> None:
    """Whoever had this turn in hand is gone: it was begun, also if that was not noted."""
    await ask(client, "SET", keys.begun(job), 1, "NX", "EX", REMEMBERED_S)


async def claim(client: Client, job: str, ms: int) -> bool:
    """Nobody else does this for so long; says whether it was free."""
    return bool(await ask(client, "SET", keys.playing(job), 1, "NX", "PX", ms))


async def end(client: Client, job: str) -> None:
    await ask(client, "DEL", keys.playing(job))


async def note_told(client: Client, job: str) -> None:
    """A message was delivered: whoever follows the same events again must not send it again."""
    await ask(client, "SET", keys.told(job), 1, "EX", TOLD_S)


async def was_told(client: Client, job: str) -> bool:
    return bool(await ask(client, "EXISTS", keys.told(job)))


async def is_played(client: Client, job: str) -> bool:
    """Whether a living worker has this turn in hand."""
    return bool(await ask(client, "EXISTS", keys.playing(job)))


async def renew(client: Client, jobs: Iterable[str]) -> None:
    """All of these are still being played."""
    for job in jobs:
        await ask(client, "SET", keys.playing(job), 1, "PX", NOTE_MS)
