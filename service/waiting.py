"""Where else somebody is waited for: shown with every answer to an action, so it must cost little."""

from time import monotonic
from typing import Any

import msgspec

from infra.readmodel import MyTurn, ReadModel
from infra.redis import Client, ask

ANSWERED_S = 7 * 24 * 3600  # so long the same command is told the same next match
FRESH_S = 2.0  # the list itself follows the log only after a moment
MOST = 20_000


class Waiting:
    def __init__(self, readmodel: ReadModel, client: Client) -> None:
        self._readmodel, self._client = readmodel, client
        self._known: dict[str, tuple[float, list[MyTurn]]] = {}

    async def next(self, who: str, done: str) -> MyTurn | None:
        """The most urgent turn of an account, apart from the match it has just acted in."""
        when, turns = self._known.get(who, (-FRESH_S, []))
        if monotonic() - when > FRESH_S:
            turns = await self.turns(who)
        return next((turn for turn in turns if turn.summary.match != done), None)

    async def turns(self, who: str) -> list[MyTurn]:
        """All of them, as they are now: nearest deadline first."""
        turns = await self._readmodel.turns(who)
        if len(self._known) >= MOST:
            self._known.clear()
        self._known[who] = (monotonic(), turns)
        return turns

    async def told(self, who: str, match: str, seq: int) -> Any:
        """What the answer to the action that led to event `seq` named as the next match; mostly nothing."""
        raw = await ask(self._client, "GET", _key(who, match, seq))
        return msgspec.json.decode(raw) if raw else None

    async def tell(self, who: str, match: str, seq: int, named: Any) -> None:
        """Remember it: a repeated command gets its first answer."""
        await ask(self._client, "SET", _key(who, match, seq), msgspec.json.encode(named), "EX", ANSWERED_S)


def _key(who: str, match: str, seq: int) -> str:
    return f"tl:{{lobby}}:next:{match}:{seq}:{who}"
