"""What people say at a table. Beside the log, not in it: words are no facts, and they may be forgotten.

A sorted set under the match's own keys: the number of a message is its score, and only the latest are kept.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from infra.store import channels, keys
from infra.store.redis import Client, call, reaching
from infra.store.scripts import Script

MAX_MESSAGES = 500  # messages of a match
SAY = Script.beside("chat.lua")


class Message(msgspec.Struct, frozen=True):
    """Who said it is kept as the log does: an opaque id, never a name."""

    id: int
    at: str
    who: str
    seat: int
    text: str


class Limit(NamedTuple):
    """So many messages of one person in so many seconds."""

    messages: int = 10
    seconds: int = 30


class Chat:
    def __init__(self, client: Client, limit: Limit | None = None) -> None:
        self._client = client
        self._limit = limit or Limit()

    async def say(self, match: str, who: str, seat: int, text: str, at: str) -> Message | int:
        """Keep a message and wake whoever watches; or the seconds to wait, if somebody says too much."""
        where = keys.of_chat(match, who)
        channel = channels.of_match(self._client, match)
        args = (match, who, seat, text, at, MAX_MESSAGES, *self._limit, channel)
        with reaching():
            number, wait = await SAY.run(self._client, where, args)
        return Message(int(number), at, who, seat, text) if number else max(1, int(wait))

    async def read(self, match: str, after: int = 0, limit: int = MAX_MESSAGES) -> list[Message]:
        """Messages with a number above `after`, the oldest first."""
        command = ("ZRANGE", keys.chat(match), f"({after}", "+inf", "BYSCORE", "LIMIT", 0, limit)
        with reaching():
            found = await call(self._client, *command)
        return [msgspec.json.decode(line, type=Message) for line in found]

    async def last(self, match: str) -> int:
        """The number of the newest message; 0 if nobody has said anything."""
        with reaching():
            found = await call(self._client, "ZRANGE", keys.chat(match), -1, -1)
        return msgspec.json.decode(found[0], type=Message).id if found else 0
