"""Where else somebody is waited for: shown with every answer to an action, so it must cost little."""

from time import monotonic

from infra.readmodel import MyTurn, ReadModel

FRESH_S = 2.0  # the list itself follows the log only after a moment
MOST = 20_000


class Waiting:
    def __init__(self, readmodel: ReadModel) -> None:
        self._readmodel = readmodel
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
