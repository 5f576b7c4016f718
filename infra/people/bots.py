"""Remote bots: accounts of their own kind, each with an owner, a way to reach it, and how it has been doing.

A bot's record lies under its own account, so that backups and deletion need not know of it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import msgspec

from infra.store import keys
from infra.store.redis import Client, ask, reaching
from infra.store.scripts import Script

ALL = keys.BOTS
RECORD, OWNED = "bot", "bots"  # what is kept under a bot's account, and under its owner's
HEALTH, OFFERS, ANSWERS, AWAY, TRIES = "health", "offers", "answers", "away", "tries"
REMEMBERED = 50  # answers that the median is made of
OFFERED = 2000  # turns of which it is remembered when the bot was asked: twice the most in flight
FAILING = 3  # failures in a row after which a bot counts as failing
Kind = Literal["stream", "poll", "webhook"]
Who = Literal["anybody", "listed", "me"]


SWAP = Script(
    "if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end redis.call('SET', KEYS[1], ARGV[2]) return 1"
)


class Delivery(msgspec.Struct, frozen=True):
    """How turns reach the bot; a webhook has an address."""

    kind: Kind
    url: str | None = None


class Seating(msgspec.Struct, frozen=True):
    """Who may give it a seat, besides its owner; accounts by id."""

    who: Who = "anybody"
    accounts: tuple[str, ...] = ()


class Secret(msgspec.Struct, frozen=True):
    """What signs webhooks; one that is being replaced signs along until `until` (ms since 1970)."""

    text: str
    until: int | None = None


class Bot(msgspec.Struct, frozen=True):
    """One remote bot; `id` is its account's."""

    id: str
    name: str
    owner: str
    games: tuple[str, ...]
    delivery: Delivery
    capacity: int
    created: int
    secrets: tuple[Secret, ...]
    seating: Seating = Seating()
    sandbox: bool = False
    enabled: bool = True


class Health(msgspec.Struct, frozen=True):
    """How a bot has been doing; times are milliseconds since 1970."""

    last_seen: int | None = None
    answered: int = 0
    failures: int = 0
    streak: int = 0  # failures since the last answer
    failed_at: int | None = None
    reason: str = ""
    seconds: tuple[float, ...] = ()  # that the latest answers took


class Bots:
    """All remote bots of this service."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def put(self, bot: Bot) -> None:
        """Keep a new bot. The record first: an id that leads nowhere is passed over."""
        await ask(self._client, "SET", keys.account(bot.id, RECORD), msgspec.json.encode(bot))
        await ask(self._client, "SADD", keys.account(bot.owner, OWNED), bot.id)
        await ask(self._client, "SADD", ALL, bot.id)

    async def change(self, id: str, how: Callable[[Bot], Bot]) -> Bot | None:
        """Change a bot as it is at that moment; None if it is gone. Two changes at once both count."""
        key = keys.account(id, RECORD)
        while raw := await ask(self._client, "GET", key):
            changed = how(msgspec.json.decode(raw, type=Bot))
            with reaching():
                if await SWAP.run(self._client, [key], [raw, msgspec.json.encode(changed)]):
                    return changed
        return None

    async def get(self, id: str) -> Bot | None:
        raw = await ask(self._client, "GET", keys.account(id, RECORD))
        return msgspec.json.decode(raw, type=Bot) if raw else None

    async def all(self) -> list[Bot]:
        """Every bot, by name."""
        return await self._named(ALL)

    async def of(self, owner: str) -> list[Bot]:
        """The bots of an owner, by name."""
        return await self._named(keys.account(owner, OWNED))

    async def remove(self, bot: Bot) -> None:
        """Take a bot off the lists; its account goes with everything under it."""
        await ask(self._client, "SREM", ALL, bot.id)
        await ask(self._client, "SREM", keys.account(bot.owner, OWNED), bot.id)

    async def seen(self, id: str, now: int) -> None:
        """The bot was heard of."""
        await ask(self._client, "HSET", keys.account(id, HEALTH), "last_seen", now)

    async def offered(self, id: str, turn: str, at: int) -> None:
        """The bot is asked; the first time counts, and the latest turns are remembered, answered or not."""
        if await ask(self._client, "ZADD", keys.account(id, OFFERS), "NX", at, turn):
            await ask(self._client, "ZREMRANGEBYRANK", keys.account(id, OFFERS), 0, -OFFERED - 1)

    async def answered(self, id: str, turn: str, at: int, began: int) -> None:
        """A turn was answered; counted once, however often the answer arrives."""
        asked = max(began, int(float(await ask(self._client, "ZSCORE", keys.account(id, OFFERS), turn) or 0)))
        took = f"{turn} {max(0, at - asked) / 1000:.3f}"
        if await ask(self._client, "ZADD", keys.account(id, ANSWERS), "NX", at, took):
            await ask(self._client, "HINCRBY", keys.account(id, HEALTH), "answered", 1)
            await ask(self._client, "HSET", keys.account(id, HEALTH), "streak", 0, "last_seen", at)
            await ask(self._client, "ZREMRANGEBYRANK", keys.account(id, ANSWERS), 0, -REMEMBERED - 1)

    async def failed(self, id: str, at: int, reason: str) -> None:
        """Something went wrong that is the bot's to put right."""
        await ask(self._client, "HINCRBY", keys.account(id, HEALTH), "failures", 1)
        await ask(self._client, "HINCRBY", keys.account(id, HEALTH), "streak", 1)
        await ask(self._client, "HSET", keys.account(id, HEALTH), "failed_at", at, "reason", reason[:200])

    async def gone(self, id: str, match: str, seat: int | None) -> None:
        """A caretaker plays the bot's seat in a match, or (None) no longer does."""
        if seat is None:
            await ask(self._client, "HDEL", keys.account(id, AWAY), match)
        else:
            await ask(self._client, "HSET", keys.account(id, AWAY), match, seat)

    async def away(self, id: str) -> list[str]:
        """The matches in which a caretaker plays for the bot."""
        return sorted(match.decode() for match in await ask(self._client, "HKEYS", keys.account(id, AWAY)))

    async def tried(self, id: str, message: str) -> int:
        """Count a try to deliver a message; returns how many there were."""
        return int(await ask(self._client, "HINCRBY", keys.account(id, TRIES), message, 1))

    async def tried_enough(self, id: str, message: str) -> None:
        await ask(self._client, "HDEL", keys.account(id, TRIES), message)

    async def streak(self, id: str) -> int:
        """How many failures in a row."""
        return int(await ask(self._client, "HGET", keys.account(id, HEALTH), "streak") or 0)

    async def health(self, id: str) -> Health:
        found = await ask(self._client, "HGETALL", keys.account(id, HEALTH))
        known = {name.decode(): value.decode() for name, value in found.items()}
        answers = await ask(self._client, "ZRANGE", keys.account(id, ANSWERS), 0, -1)
        return Health(
            last_seen=_number(known.get("last_seen")),
            answered=int(known.get("answered", 0)),
            failures=int(known.get("failures", 0)),
            streak=int(known.get("streak", 0)),
            failed_at=_number(known.get("failed_at")),
            reason=known.get("reason", ""),
            seconds=tuple(float(answer.rpartition(b" ")[2]) for answer in answers),
        )

    async def _named(self, index: str) -> list[Bot]:
        ids = await ask(self._client, "SMEMBERS", index)
        found = [await self.get(id.decode()) for id in ids]
        return sorted((bot for bot in found if bot is not None), key=lambda bot: (bot.name.lower(), bot.id))


def _number(text: str | None) -> int | None:
    return None if text is None else int(text)
