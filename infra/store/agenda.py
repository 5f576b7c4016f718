"""What is to be looked at when: one sorted set in the store, noted before anything else, so nothing is lost.

A note says when to look again and nothing more: whether something is still owed, the match's log says.
"""

from collections.abc import Iterable

from infra.store import keys
from infra.store.redis import Client, ask


class Agenda:
    """Notes by name, each with a moment in seconds since 1970."""

    def __init__(self, client: Client, key: str) -> None:
        self._client, self._key = client, key

    async def note(self, due: Iterable[tuple[str, float]], sooner: bool = True) -> None:
        """Note what is due when. What is noted already moves only forward, or (`sooner` False) not at all."""
        scored = [part for member, moment in due for part in (_ms(moment), member)]
        if scored:
            await ask(self._client, "ZADD", self._key, "LT" if sooner else "NX", *scored)

    async def due(self, now: float, most: int) -> list[str]:
        """The first notes whose time has come."""
        found = await ask(self._client, "ZRANGE", self._key, "-inf", _ms(now), "BYSCORE", "LIMIT", 0, most)
        return [raw.decode() for raw in found]

    async def when(self, member: str) -> float | None:
        """The moment of a note; None if there is none."""
        moment = await ask(self._client, "ZSCORE", self._key, member)
        return None if moment is None else float(moment) / 1000

    async def later(self, member: str, moment: float) -> None:
        """Put a note off; one that was forgotten meanwhile stays forgotten."""
        await ask(self._client, "ZADD", self._key, "XX", _ms(moment), member)

    async def forget(self, member: str) -> None:
        await ask(self._client, "ZREM", self._key, member)


def notices(client: Client) -> Agenda:
    """Notices that are owed."""
    return Agenda(client, keys.NOTICES)


def calls(client: Client) -> Agenda:
    """Messages for the webhooks of remote bots."""
    return Agenda(client, keys.CALLS)


def _ms(moment: float) -> int:
    return int(moment * 1000)
