"""Recent matches in memory. The log stays the only truth: whoever asks is caught up from the stream."""

from collections import OrderedDict

from engine.log import Match, Rewound, load
from infra.eventstore import EventStore
from service.errors import Problem

MOST = 2000


class Matches:
    def __init__(self, store: EventStore, most: int = MOST) -> None:
        self._store = store
        self._most = most
        self._kept: OrderedDict[str, Match] = OrderedDict()

    def peek(self, match: str) -> Match | None:
        """What is in memory, perhaps behind the log: good enough to try a command on."""
        return self._kept.get(match)

    def keep(self, match: Match) -> Match:
        """Remember a match unless something newer is remembered."""
        known = self._kept.get(match.id)
        if known is not None and known.seq >= match.seq:
            return known
        self._kept[match.id] = match
        self._kept.move_to_end(match.id)
        if len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return match

    async def now(self, match: str) -> Match:
        """The match as its log is now. Raises Problem not_found."""
        known = self._kept.get(match)
        lines = await self._store.read(match, known.seq if known else 0)
        if known is None:
            if not lines:
                raise Problem("not_found")
            return self.keep(load(lines))
        try:
            return self.keep(load(lines, known))
        except Rewound:
            return self.keep(load(await self._store.read(match)))

    async def at(self, match: str, seq: int) -> Match:
        """The match as it was after event `seq`."""
        known = self._kept.get(match)
        if known is not None and known.seq == seq:
            return known
        lines = await self._store.read(match, 0, seq) if seq > 0 else []
        if len(lines) != seq or not lines:
            raise Problem("not_found")
        return load(lines)
