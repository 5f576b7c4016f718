"""Where else somebody is waited for: shown with every answer to an action, so it must cost little."""

from time import monotonic
from typing import Any

import msgspec

from infra.store.readmodel import MyTurn, ReadModel
from service.basics.bounded import Bounded

ANSWERED_S = 7 * 24 * 3600  # so long the same command is told the same next match
FRESH_S = 2.0  # the list itself follows the log only after a moment
MAX_ACCOUNTS = 20_000
MAX_TURNS = 500  # turns that are looked at; there is no bound on seats at other people's tables


class Waiting:
    def __init__(self, readmodel: ReadModel) -> None:
        self._readmodel = readmodel
        self._known: Bounded[str, tuple[float, list[MyTurn]]] = Bounded(MAX_ACCOUNTS)

    async def next(self, who: str, done: str) -> MyTurn | None:
        """The most urgent turn of an account, apart from the match it has just acted in."""
        when, turns = self._known.get(who, (-FRESH_S, []))
        if monotonic() - when > FRESH_S:
            turns = await self.turns(who)
        return next((turn for turn in turns if turn.summary.match != done), None)

    async def turns(self, who: str) -> list[MyTurn]:
        """As they are now, nearest deadline first: all of them, if anybody plays so many."""
        turns = await self._readmodel.turns(who, MAX_TURNS)
        self._known.keep(who, (monotonic(), turns))
        return turns

    async def told(self, who: str, match: str, seq: int) -> Any:
        """What the answer to the action that led to event `seq` named as the next match; mostly nothing."""
        raw = await self._readmodel.told_next(match, seq, who)
        return msgspec.json.decode(raw) if raw else None

    async def tell(self, who: str, match: str, seq: int, named: Any) -> None:
        """Remember it: a repeated command gets its first answer."""
        await self._readmodel.tell_next(match, seq, who, msgspec.json.encode(named), ANSWERED_S)
