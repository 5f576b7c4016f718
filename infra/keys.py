"""Where things lie in the store.

All keys of a match share the hash tag of its shard, so that one script may touch them on a cluster too.
"""

from __future__ import annotations

import zlib
from functools import lru_cache
from typing import NamedTuple

SHARDS = 64  # for ever: another number would lose every stored match
CHANNELS = "tl:pub:*"


class MatchKeys(NamedTuple):
    """The keys that an append to one match touches, in the order of the script."""

    log: str
    commands: str
    outbox: str
    due: str
    channel: str


def shard(match: str) -> int:
    """Return the shard of a match: the same on every machine and for ever.

    >>> shard("7Kq2")
    18
    """
    return zlib.crc32(match.encode()) % SHARDS


@lru_cache(maxsize=8192)
def of_match(match: str) -> MatchKeys:
    """Return the keys of one match."""
    n = shard(match)
    return MatchKeys(log(match), f"tl:{{{n}}}:m:{match}:cmds", outbox(n), due(n), f"tl:pub:{n}")


def log(match: str) -> str:
    """Return the key of a match's event log."""
    return f"tl:{{{shard(match)}}}:m:{match}:log"


def origin(match: str) -> str:
    """Return the key of where an imported match came from."""
    return f"tl:{{{shard(match)}}}:m:{match}:origin"


def signed(match: str) -> str:
    """Return the key of the signature under a match's end."""
    return f"tl:{{{shard(match)}}}:m:{match}:signed"


def chat(match: str) -> str:
    """Return the key of what was said at a match's table."""
    return f"tl:{{{shard(match)}}}:m:{match}:chat"


def of_chat(match: str, who: str) -> tuple[str, str]:
    """Return the keys that a message touches: the chat, and how much its author said lately."""
    return chat(match), f"{chat(match)}-rate:{who}"


def outbox(n: int) -> str:
    """Return the key of a shard's outbox."""
    return f"tl:{{{n}}}:outbox"


def due(n: int) -> str:
    """Return the key of a shard's deadlines."""
    return f"tl:{{{n}}}:due"
