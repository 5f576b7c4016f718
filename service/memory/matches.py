"""Recent matches in memory. The log stays the only truth: whoever asks is caught up from the stream.

Each is read from its last known event on, so that a log that is no longer the one we knew is noticed at once.
"""

import asyncio
import hashlib
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import msgspec
import structlog

from engine import codec
from engine.log import Match, Rewound, latest, load
from infra.store.beside import BesideLogs
from infra.store.eventstore import EventStore
from service.basics.bounded import Bounded
from service.basics.errors import Problem
from service.memory.answers import Answers, Hands, Turns, noticed
from service.memory.origins import dressed

MAX_MATCHES = 2000
LONG, MOMENTS = 300, 64  # events that are folded in passing; positions of longer logs that are kept
PAST = 8  # positions kept of each match: most undos come back to one of them
log = structlog.get_logger(__name__)


class Kept(msgspec.Struct, frozen=True):
    """A match, its last positions by event, and the mark of its last line, by which the store knows it."""

    match: Match
    mark: str
    past: Mapping[int, Match]


class Matches:
    def __init__(self, store: EventStore, beside: BesideLogs, most: int = MAX_MATCHES) -> None:
        self._store = store
        self._beside = beside
        self._kept: Bounded[str, Kept] = Bounded(most)
        self.turns, self.hands = Turns(), Hands()  # for what is too long to be done in passing
        self._moments: Answers[Match] = Answers(self.turns, MOMENTS, each=MOMENTS)
        self._loading: dict[str, asyncio.Task[Match]] = {}
        self.lost: list[Callable[[str], None]] = []  # told of matches whose log is not the one we knew

    def peek(self, match: str) -> Match | None:
        """What is in memory, perhaps behind the log: good enough to try a command on."""
        kept = self._kept.get(match)
        return None if kept is None else kept.match

    def past(self, match: str) -> Mapping[int, Match]:
        """The positions in memory, by event."""
        kept = self._kept.get(match)
        return {} if kept is None else kept.past

    def mark(self, match: Match) -> str:
        """What the last line of this match is known by; empty if nobody remembers."""
        kept = self._kept.get(match.id)
        return kept.mark if kept is not None and kept.match.head == match.head else ""

    def keep(self, positions: Sequence[Match], line: bytes) -> Match:
        """Remember a match, the last of its positions, unless something newer is remembered.

        `line` is its last event.
        """
        match = positions[-1]
        known = self._kept.get(match.id)
        if known is not None and (known.match.seq > match.seq or known.match.head == match.head):
            return known.match
        earlier = {} if known is None or known.match.seq == match.seq else known.past
        self._kept.keep(match.id, Kept(match, mark(line), _newest(earlier, positions)))
        return match

    async def now(self, match: str) -> Match:
        """The match as its log is now. Raises Problem not_found."""
        kept = self._kept.get(match)
        if kept is None:
            return await self._remembered(match)
        lines = await self._store.read(match, kept.match.seq - 1)
        if not lines or codec.digest(lines[0]) != kept.match.head:
            return await self._again(kept.match)
        if len(lines) == 1:
            return kept.match
        try:
            return self.keep(latest(lines[1:], PAST, kept.match, kept.past), lines[-1])
        except Rewound:
            return await self._loaded(await self._store.read(match))

    async def _remembered(self, match: str) -> Match:
        """A match that nobody here knows yet. However many ask at once, its log is read and folded once."""
        begun = self._loading.get(match)
        if begun is not None:
            await asyncio.shield(begun)
            return await self.now(match)  # it was read before we asked: perhaps there is more by now
        task = self._loading[match] = asyncio.create_task(self._load(match))
        task.add_done_callback(noticed)
        return await asyncio.shield(task)

    async def _load(self, match: str) -> Match:
        try:
            return await self._loaded(await self._store.read(match))
        finally:
            del self._loading[match]

    async def _loaded(self, lines: Sequence[bytes]) -> Match:
        if not lines:
            raise Problem("not_found")
        positions = latest(lines, PAST) if len(lines) < LONG else await asyncio.to_thread(latest, lines, PAST)
        origin = await self._beside.origin(positions[-1].id)
        return self.keep([dressed(position, origin) for position in positions], lines[-1])

    async def _again(self, known: Match) -> Match:
        """The log is shorter than it was, or another one: a restored backup, a failover. It is right."""
        self._forget(known)
        lines = await self._store.read(known.id)
        log.error(
            "a log no longer has the events that were seen",
            match=known.id,
            known=known.seq,
            events=len(lines),
        )
        await self._store.announce(known.id, len(lines))
        return await self._loaded(lines)

    def _forget(self, known: Match) -> None:
        kept = self._kept.get(known.id)
        if kept is not None and kept.match.head == known.head:
            del self._kept[known.id]
        for tell in self.lost:
            tell(known.id)

    async def at(self, match: str, seq: int, who: str = "") -> Match:
        """The match as it was after event `seq`. `who` asks: what takes long is done for all in turn."""
        known = self.past(match).get(seq)
        if known is not None:
            return known
        then = await (self._folded(match, seq) if seq < LONG else self._long_ago(match, seq, who or match))
        return dressed(then, await self._beside.origin(match))

    async def _folded(self, match: str, seq: int) -> Match:
        lines = await self._store.read(match, 0, seq) if seq > 0 else []
        if len(lines) != seq or not lines:
            raise Problem("not_found")
        return load(lines) if seq < LONG else await asyncio.to_thread(load, lines)

    async def _long_ago(self, match: str, seq: int, who: str) -> Match:
        """Folding takes as long as many requests: aside, in turn, and kept for a while, by its last event."""
        last = await self._store.read(match, seq - 1, 1)
        if not last:
            raise Problem("not_found")
        return await self._moments.of((match, seq, last[0]), who, partial(self._folded, match, seq))


def mark(line: bytes) -> str:
    """By what a store recognises the last line of a log: the one digest that its scripts can make."""
    return hashlib.sha1(line, usedforsecurity=False).hexdigest()


def _newest(earlier: Mapping[int, Match], positions: Sequence[Match]) -> dict[int, Match]:
    """The last few positions, oldest first."""
    newest = {**earlier, **{match.seq: match for match in positions}}
    for seq in list(newest)[:-PAST]:
        del newest[seq]
    return newest
