"""The turns that built-in bots owe: kept in the store, handed out to the queue a few at a time, fairly.

Each turn waits in the line of whoever opened its match. Openers are served in turn, weighted by the time that
their bots think; tables at which only bots sit are served when nobody else waits. Quick bots and those that
think for long have lanes of their own. What is handed out is looked at again until it was played, so that the
queue may lose anything.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Literal, NamedTuple

from infra.store import keys
from infra.store.redis import Client, ask, reaching
from infra.store.scripts import Arg, Script

Lane = Literal["light", "heavy"]
FLYING = keys.OWED
MAX_LOOKED_AT = 200
FREE_LOSSES = 2  # so often a turn that was lost is handed out again at once: workers die
LONGEST_REST_MS = 600_000
HELD_MS = 5000  # whoever plays a match on says so again before that
LAST = 2**53 - 1  # a seq that no log reaches

SETTLE = Script.beside("lanes.lua")
NOBODY: tuple[Arg, ...] = ("", "", "", 0, 0, 0, "")  # plays it on

# Whoever gets a turn here is the only one to look at it until its time has passed again.
OVERDUE = Script(
    "local due = redis.call('ZRANGE', KEYS[1], '-inf', ARGV[1], 'BYSCORE', 'LIMIT', 0, ARGV[3])"
    " for _, one in ipairs(due) do redis.call('ZADD', KEYS[1], ARGV[2], one) end"
    " return due"
)

# Of a turn that is lost again and again nobody can say when it will be played: it rests and leaves its place.
LOST = Script(
    "local prefix = '{' .. KEYS[1] .. '}:'"
    " local known, member = prefix .. 'm:' .. ARGV[1], ARGV[1] .. ' ' .. ARGV[2]"
    " local note = redis.call('HGET', known, ARGV[2])"
    " if not note or not redis.call('ZSCORE', KEYS[1], member) then return 0 end"
    " local lost = redis.call('HINCRBY', known, 'lost ' .. ARGV[2], 1)"
    " if lost <= tonumber(ARGV[4]) then return lost end"
    " local lane, alone, opener = string.match(note, '^(%S+) (%S+) %S+ (.*)$')"
    " local rest = math.min(tonumber(ARGV[5]), 1000 * 2 ^ math.min(lost, 30))"
    " redis.call('ZREM', KEYS[1], member)"
    " redis.call('ZADD', prefix .. 'w:' .. lane .. ':' .. alone .. ':' .. opener, ARGV[3] + rest, member)"
    " return lost"
)


# Only by who holds the matches: another may have taken one over.
RENEW = Script(
    "for i = 3, #ARGV do"
    " local known = '{' .. KEYS[1] .. '}:m:' .. ARGV[i]"
    " local lane, who = string.match(redis.call('HGET', known, 'held') or '', '^(%S+) %S+ (.*)$')"
    " if who == ARGV[1] then"
    " redis.call('HSET', known, 'held', lane .. ' ' .. ARGV[2] .. ' ' .. who) end"
    " end"
)


class Owing(NamedTuple):
    """A turn that a bot owes, and on whose account it goes."""

    seat: int
    since: int
    lane: Lane
    alone: bool  # only bots sit at this table
    thinking_ms: int
    opener: str


class Handed(NamedTuple):
    match: str
    seat: int
    since: int
    lane: Lane


class Hold(NamedTuple):
    """Somebody plays a match on, in one lane and on somebody's account: the turns that come are theirs."""

    who: str
    lane: Lane
    alone: bool
    opener: str


class Bounds(NamedTuple):
    """How much may be in the air at once."""

    turns_each: int = 4  # of an opener, in a lane
    thinking_each_ms: int = 4000
    light: int = 8
    heavy: int = 1
    alone: int = LAST  # of the light ones, at tables of bots alone


BOUNDS = Bounds()


class Lanes:
    def __init__(self, client: Client, bounds: Bounds = BOUNDS, look_ms: int = 3000) -> None:
        self._client, self._bounds, self._look_ms = client, bounds, look_ms

    async def settle(self, match: str, seq: int, owing: Iterable[Owing]) -> list[Handed]:
        """These turns, and no others, a match owes at its event `seq`; returns what may be played now.

        Doing it again changes nothing; what somebody said of a later event stays.
        """
        return (await self._settle(match, seq, owing, NOBODY))[1]

    async def hold(self, match: str, seq: int, owing: Iterable[Owing], hold: Hold) -> bool:
        """From here on this match is played on; says whether nobody else does that."""
        wish = ("hold", *hold[:2], _ms() + HELD_MS, 0, int(hold.alone), hold.opener)
        return (await self._settle(match, seq, owing, wish))[0]

    async def release(
        self, match: str, seq: int, owing: Iterable[Owing], hold: Hold, spent_ms: int
    ) -> list[Handed]:
        """It is no longer: what it owes goes into its opener's line, who pays for what was played on.

        Returns what may be played now.
        """
        wish = ("release", *hold[:2], 0, spent_ms, int(hold.alone), hold.opener)
        return (await self._settle(match, seq, owing, wish))[1]

    async def renew(self, matches: Iterable[str], who: str, ms: int = HELD_MS) -> None:
        """Those are still played on; with 0 they are not, and whatever they owe is lost."""
        with reaching():
            await RENEW.run(self._client, [FLYING], (who, _ms() + ms if ms else 0, *matches))

    async def is_held(self, match: str) -> bool:
        """Whether somebody who lives plays this match on."""
        until = await self._held_until(match)
        return until is not None and until >= _ms()

    async def was_dropped(self, match: str) -> bool:
        """Whether somebody played this match on who has not let go of it, and is gone."""
        until = await self._held_until(match)
        return until is not None and until < _ms()

    async def _held_until(self, match: str) -> int | None:
        held = await ask(self._client, "HGET", f"{{{FLYING}}}:m:{match}", "held")
        return None if held is None else int(held.split(b" ")[1])

    async def hand_out(self) -> list[Handed]:
        """What may be played now, because there is room again."""
        return (await self._settle("", 0, (), NOBODY))[1]

    async def _settle(
        self, match: str, seq: int, owing: Iterable[Owing], wish: tuple[Arg, ...]
    ) -> tuple[bool, list[Handed]]:
        turns = (
            (one.seat, one.since, one.lane, int(one.alone), one.thinking_ms, one.opener) for one in owing
        )
        now, flat = _ms(), (part for turn in turns for part in turn)
        args = (now, now + self._look_ms, *self._bounds, match, seq, *wish, *flat)
        with reaching():
            taken, *handed = await SETTLE.run(self._client, [FLYING], args)
        return bool(taken), [
            _handed(turn, lane) for turn, lane in zip(handed[::2], handed[1::2], strict=True)
        ]

    async def overdue(self) -> list[tuple[str, int, int]]:
        """Turns that should have been played: match, seat, since. Nobody else gets them for a while."""
        now = _ms()
        with reaching():
            due = await OVERDUE.run(self._client, [FLYING], (now, now + self._look_ms, MAX_LOOKED_AT))
        return [_parts(turn) for turn in due]

    async def in_the_air(self) -> list[tuple[str, int, int]]:
        """Everything that is handed out: match, seat, since."""
        return [_parts(turn) for turn in await ask(self._client, "ZRANGE", FLYING, 0, -1)]

    async def lost(self, match: str, seat: int, since: int) -> int:
        """Whoever had this turn is gone: how often that happened. After some times it has to wait."""
        args = (match, f"{seat} {since}", _ms(), FREE_LOSSES, LONGEST_REST_MS)
        with reaching():
            return int(await LOST.run(self._client, [FLYING], args))

    async def knows(self, match: str, seat: int, since: int) -> bool:
        """Whether this turn is noted with all that belongs to it."""
        return bool(await ask(self._client, "HEXISTS", f"{{{FLYING}}}:m:{match}", f"{seat} {since}"))

    async def forget(self, match: str, seat: int, since: int) -> list[Handed]:
        """A match that cannot be looked at takes nobody's place; returns who gets it."""
        await ask(self._client, "ZREM", FLYING, f"{match} {seat} {since}")
        return await self.settle(match, LAST, ())


def _ms() -> int:
    return int(time.time() * 1000)


def _parts(turn: bytes) -> tuple[str, int, int]:
    match, seat, since = turn.decode().split(" ")
    return match, int(seat), int(since)


def _handed(turn: bytes, lane: bytes) -> Handed:
    return Handed(*_parts(turn), "heavy" if lane == b"heavy" else "light")
