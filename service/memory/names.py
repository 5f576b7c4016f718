"""What the holders of seats are called. Names are not in the log: they are looked up and kept for a while."""

from collections.abc import Iterable
from time import monotonic
from typing import Any, NamedTuple, TypeGuard

from bots.names import called
from engine import identity
from engine.events import Holder
from engine.game import Lang
from engine.identity import account_id, is_account
from engine.match import Chair, Match, Tenure
from infra.people.accounts import Accounts
from service.basics.bounded import Bounded
from service.memory.origins import ELSEWHERE, is_foreign

FRESH_S = 30.0
MAX_NAMES = 20_000
NOBODY = {"en": "Seat {}", "cs": "Místo {}"}
GONE = {"en": "Somebody", "cs": "Někdo"}
LATEST_PARTS = 19
AWAY = {"en": "{} at {}", "cs": "{} ({})"}  # somebody of a server that we trust
SHORT = 6  # characters of an id that tell people apart


class Table(NamedTuple):
    """The names at one table, as long as they are fresh and the same people sit there."""

    chairs: tuple[Chair, ...]
    until: float
    names: list[str]
    parts: list[list[dict[str, Any]]]


class Names:
    def __init__(self, accounts: Accounts) -> None:
        self._accounts = accounts
        self._known: Bounded[str, tuple[float, str]] = Bounded(MAX_NAMES)
        self._tables: Bounded[tuple[str, Lang], Table] = Bounded(MAX_NAMES)

    async def of(self, match: Match, lang: Lang) -> list[str]:
        """The names at a table, by seat."""
        return (await self._table(match, lang)).names

    async def parts(self, match: Match, lang: Lang) -> list[list[dict[str, Any]]]:
        """By seat: who played it from which event on, and why it changed hands."""
        return (await self._table(match, lang)).parts

    async def _table(self, match: Match, lang: Lang) -> "Table":
        """Kept as long as nobody sits down or gets up: every answer to an action asks for it."""
        known = self._tables.get((match.id, lang))
        if known is not None and known.chairs is match.chairs and monotonic() < known.until:
            return known
        chairs = match.chairs
        await self._learn(holder.id for chair in chairs for holder in _holders(chair) if _named(holder))
        names = _numbered([self._chair(seat, chair, lang) for seat, chair in enumerate(chairs)])
        parts = [[self._part(part, lang) for part in shown_parts(chair)] for chair in chairs]
        if len(self._tables) >= MAX_NAMES:
            self._tables.clear()
        table = self._tables[match.id, lang] = Table(chairs, monotonic() + FRESH_S, names, parts)
        return table

    def _part(self, part: Tenure, lang: Lang) -> dict[str, Any]:
        holder = part.holder
        name = self._called(holder.id, lang) if _named(holder) else _bot(holder.id, lang)
        return {"from": part.seq, "kind": holder.kind, "name": name, "why": part.why}

    async def one(self, seat: int, holder: str | None, lang: Lang) -> str:
        """The name of a seat's holder, given as the log names it."""
        if holder is None:
            return NOBODY[lang].format(seat)
        if not is_account(holder) and not is_foreign(holder):
            return _bot(holder, lang)
        await self._learn([holder])
        return self._called(holder, lang)

    def forget(self, account: str) -> None:
        """After a change of name."""
        self._known.pop(account, None)
        self._tables.clear()

    async def _learn(self, accounts: Iterable[str]) -> None:
        for ident in accounts:
            if is_foreign(ident):
                continue
            when, _ = self._known.get(ident, (-FRESH_S, ""))
            if monotonic() - when > FRESH_S:
                account = await self._accounts.get(account_id(ident))
                self._known.keep(ident, (monotonic(), account.name if account else ""))

    def _chair(self, seat: int, chair: Chair, lang: Lang) -> str:
        holder = chair.owner or chair.holder
        if holder is None:
            return NOBODY[lang].format(seat)
        if not _named(holder):
            return _bot(holder.id, lang)
        return self._called(holder.id, lang)

    def _called(self, ident: str, lang: Lang) -> str:
        """Somebody with an account, by its name; of elsewhere, by a short id and the server's name."""
        if not is_foreign(ident):
            return self._known.get(ident, (0.0, ""))[1] or GONE[lang]
        server, _, known = ident.removeprefix(ELSEWHERE).partition(":")
        return AWAY[lang].format(known[:SHORT], server) if server else GONE[lang]


def _holders(chair: Chair) -> list[Holder | None]:
    return [chair.holder, chair.owner, *(part.holder for part in shown_parts(chair))]


def shown_parts(chair: Chair) -> tuple[Tenure, ...]:
    """Who began, and who played last: every answer carries them, so they are not all that ever were."""
    return (*chair.parts[:1], *chair.parts[1:][-LATEST_PARTS:])


def _bot(name: str, lang: Lang) -> str:
    return called(name.removeprefix(identity.BOT), lang)


def _numbered(names: list[str]) -> list[str]:
    """Two bots of one kind at a table must be told apart.

    >>> _numbered(["Medium bot", "Anna", "Medium bot"])
    ['Medium bot', 'Anna', 'Medium bot 2']
    """
    counts = [names[: seat + 1].count(name) for seat, name in enumerate(names)]
    return [name if count == 1 else f"{name} {count}" for name, count in zip(names, counts, strict=True)]


def _named(holder: Holder | None) -> TypeGuard[Holder]:
    """People and remote bots have accounts with names."""
    return holder is not None and holder.kind != "bot"
