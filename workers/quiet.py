"""Tables at which only bots play: nobody waits there, so they are followed a few times a second, not at once.

What is put off is not acknowledged: whoever finds this relay dead follows it. It is put off for much less
time than makes anybody believe that.
"""

from infra.store.outbox import OutboxEntry
from service.basics.bounded import Bounded

MAX_KNOWN = 5000  # a table that is forgotten is followed at once, as any other


class Quiet:
    def __init__(self, quiet_s: float) -> None:
        self._quiet_s = quiet_s
        self._next: Bounded[str, float] = Bounded(MAX_KNOWN)  # match -> not to be followed before
        self._put_off: dict[str, list[OutboxEntry]] = {}

    def note(self, match: str, alone: bool, now: float) -> None:
        """A match was followed; at a table of bots alone that is enough for a while."""
        if alone:
            self._next.keep(match, now + self._quiet_s)
        else:
            self._next.pop(match, None)

    def sift(self, entries: list[OutboxEntry]) -> list[OutboxEntry]:
        """Those to follow now; what happened at tables of bots alone is put off, at least behind them."""
        news: list[OutboxEntry] = []
        for entry in entries:
            if entry.match in self._next:
                self._put_off.setdefault(entry.match, []).append(entry)
            else:
                news += [*self._put_off.pop(entry.match, ()), entry]
        return news

    def due(self, now: float, most: int | None = None) -> list[OutboxEntry]:
        """What was put off and has its time: of so many matches, those that wait longest first."""
        ready = [match for match in self._put_off if self._next.get(match, now) <= now]
        ready.sort(key=lambda match: self._next.get(match, 0.0))
        return [entry for match in ready[:most] for entry in self._put_off.pop(match)]

    def wait_ms(self, most: int, now: float) -> int:
        """How long there is nothing to do but wait for news."""
        first = min((self._next.get(match, now) for match in self._put_off), default=now + most / 1000)
        return min(most, max(1, round((first - now) * 1000)))
