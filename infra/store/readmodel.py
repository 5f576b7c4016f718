"""The lobby and everybody's turns: a projection of the logs that may be thrown away and built again.

A summary lies beside its log, public indexes in every shard, an account's own lists under the account's tag:
no server has them all. An index is a sorted set of `<opened>:<match>`, walked backwards: newest first, and a
page's end is a stable mark, whichever shards it came from.
"""

from __future__ import annotations

import base64
import binascii
import math
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec
import structlog

from infra.process.errors import BadCursor
from infra.store import keys
from infra.store.lists import pages, places, sweep
from infra.store.lists.places import ALL, TURNS, Places
from infra.store.redis import Client, ask, reaching, read_keys

log = structlog.get_logger(__name__)

MAX_PAGE = 200  # matches of a page
MAX_PAGES = 10  # that one request reads through
AND_THIS = b"\0"  # right behind a member, and before every other
EVERYTHING, LOBBY = "*", "+"  # public indexes: of all matches, of those in the lobby
EVER = 2**53  # later than any event
UNENDED = ("open", "running")


class WaitingTurn(msgspec.Struct, frozen=True):
    """An account is waited for at a seat; times are milliseconds since 1970."""

    account: str
    seat: int
    since: int
    deadline: int | None = None
    start: int = 0  # kept for remote bots: turns are offered in this order


class Summary(msgspec.Struct, frozen=True):
    """What a list shows of a match, as of its event `seq`; times are milliseconds since 1970."""

    match: str
    seq: int
    game: str
    status: str
    listed: bool
    opened: int
    updated: int
    seats: list[dict[str, Any]] = []
    accounts: list[str] = []
    turns: list[WaitingTurn] = []
    result: dict[str, Any] | None = None


class MyTurn(NamedTuple):
    """One turn of an account, with the match it is in."""

    summary: Summary
    turn: WaitingTurn


_decode: Callable[[bytes], Summary] = msgspec.json.Decoder(Summary).decode


def _read(raw: bytes) -> Summary | None:
    """A summary as it is kept; one that is damaged is shown to nobody until its match goes on."""
    try:
        return _decode(raw)
    except msgspec.DecodeError as damage:
        log.error("a summary is damaged", reason=str(damage))
        return None


class ReadModel:
    """Summaries of all matches, found by status, game, account and turn."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def put(self, summary: Summary, instead: int | None = None) -> int | None:
        """Keep a summary unless a newer one is kept, whose seq is returned. Doing it again changes nothing.

        `instead`: what is newer is replaced up to this seq, because its log is no more.
        """
        return await places.put(self._client, placed(summary), msgspec.json.encode(summary), instead)

    async def drop(self, match: str) -> None:
        """Take a match out of all lists: it has no log any more."""
        await places.put(self._client, Places(match, 0, ""), b"", EVER)

    async def get(self, match: str) -> Summary | None:
        """Return the summary of a match."""
        raw = await ask(self._client, "GET", keys.shown(match))
        return _read(raw) if raw else None

    async def has(self, match: str) -> bool:
        """Whether lists show a match, or showed it before its summary was damaged."""
        return bool(await ask(self._client, "EXISTS", keys.shown(match), keys.placed(match)))

    async def statuses(self, matches: Sequence[str]) -> dict[str, str]:
        """The status of each of these matches that is known here."""
        return {summary.match: summary.status for summary in await _shown(self._client, matches)}

    async def shown(self) -> AsyncIterator[str]:
        """Yield the id of every match that lists show, in no order; some twice."""
        for pattern in (keys.SHOWN, keys.PLACED):
            with reaching():
                async for key in self._client.scan_iter(match=pattern, count=1000):
                    yield keys.match_of(key.decode())

    async def sweep(self) -> None:
        """Take out of all lists what no summary puts there."""
        await sweep.unnoted(self._client)
        await sweep.unknown(self._client, _places)

    async def told_next(self, match: str, seq: int, who: str) -> bytes | None:
        """What the answer to an action named as the next match."""
        found: bytes | None = await ask(self._client, "GET", keys.next_turn(match, seq, who))
        return found

    async def tell_next(self, match: str, seq: int, who: str, named: bytes, ttl_s: int) -> None:
        """Remember it for a while: a repeated command gets its first answer."""
        await ask(self._client, "SET", keys.next_turn(match, seq, who), named, "EX", ttl_s)

    async def turns(self, account: str, most: int = 0) -> list[MyTurn]:
        """Return where an account is waited for: nearest deadline first, then whoever waits longest.

        `most`: in so many of the newest matches; 0 for all of them.
        """
        members = await ask(self._client, "ZRANGE", keys.mine(account, TURNS), -most, -1)
        summaries = await _shown(self._client, [*map(_match, members)])
        mine = [MyTurn(s, turn) for s in summaries for turn in s.turns if turn.account == account]
        return sorted(mine, key=_urgency)

    async def active(self, account: str) -> set[str]:
        """The matches of an account that have not ended."""
        found = [await ask(self._client, "ZRANGE", keys.mine(account, status), 0, -1) for status in UNENDED]
        return {_match(member) for members in found for member in members}

    async def list(
        self,
        status: str | None = None,
        game: str | None = None,
        account: str | None = None,
        listed: bool | None = True,
        limit: int = 50,
        cursor: str | None = None,
    ) -> tuple[list[Summary], str | None]:
        """Return a page of matches, newest first, and the mark of the next page.

        `listed=None` shows all, True and False only those that are or are not in the public lobby. Where
        little fits, a page may be short, even empty, and still have a next one.
        """
        limit = max(1, min(limit, MAX_PAGE))
        where = _public(status, game, listed) if account is None else [keys.mine(account, status or ALL)]
        fits = _filter(status, game, account, listed)
        found: list[Summary] = []
        mark = _opened(cursor)
        for number in range(MAX_PAGES):
            count = MAX_PAGE if number else limit + 1  # where little fits it goes on in long strides
            page, mark = await _page(self._client, where, mark, count)
            found += filter(fits, page)
            if mark is None or len(found) > limit:
                break
        if len(found) > limit:
            return found[:limit], _closed(_member(found[limit - 1]))
        if mark is not None and account is not None and listed:
            mark = await self._public_before(mark, status, game)
        return found, None if mark is None else _closed(mark.decode())

    async def _public_before(self, mark: bytes, status: str | None, game: str | None) -> bytes | None:
        """A mark as good as this one that names no match which is not everybody's business."""
        found = await pages.newest(self._client, _public(status, game, True), mark, 1)
        return found[0] + AND_THIS if found else None


def placed(summary: Summary) -> Places:
    """Every index a match is found in; an account's matches are few, so its games are sieved later."""
    accounts = {account: [ALL, summary.status] for account in summary.accounts}
    for turn in summary.turns:
        lists = accounts.setdefault(turn.account, [])
        if TURNS not in lists:
            lists.append(TURNS)
    return Places(summary.match, summary.seq, _member(summary), [*_indexes(summary)], accounts)


def _places(raw: bytes) -> Places | None:
    summary = _read(raw)
    return None if summary is None else placed(summary)


async def _page(
    client: Client, where: list[str], mark: bytes | None, count: int
) -> tuple[list[Summary], bytes | None]:
    members = await pages.newest(client, where, mark, count)
    last = members[-1] if len(members) == count else None
    return await _shown(client, [*map(_match, members)]), last


async def _shown(client: Client, matches: Sequence[str]) -> list[Summary]:
    raw = await read_keys(client, [*map(keys.shown, matches)])
    found = [_read(text) for text in raw if text is not None]
    return [summary for summary in found if summary is not None]


def _public(status: str | None, game: str | None, listed: bool | None) -> list[str]:
    """The same index in every shard."""
    name = _index(LOBBY if listed else EVERYTHING, status, game)
    return [keys.index(n, name) for n in range(keys.SHARDS)]


def _index(scope: str, status: str | None, game: str | None) -> str:
    return f"{scope}:{status or '*'}:{game or '*'}"


def _indexes(summary: Summary) -> Iterator[str]:
    for scope in (EVERYTHING, LOBBY) if summary.listed else (EVERYTHING,):
        for status in (None, summary.status):
            yield _index(scope, status, None)
            yield _index(scope, status, summary.game)


def _filter(
    status: str | None, game: str | None, account: str | None, listed: bool | None
) -> Callable[[Summary], bool]:
    """What a summary says counts: an account's lists follow it a moment later."""
    return lambda summary: (
        status in (None, summary.status)
        and game in (None, summary.game)
        and (account is None or account in summary.accounts)
        and listed in (None, summary.listed)
    )


def _member(summary: Summary) -> str:
    return f"{summary.opened:015d}:{summary.match}"


def _match(member: bytes) -> str:
    return member.decode().partition(":")[2]


def _urgency(mine: MyTurn) -> tuple[float, int, str]:
    deadline = math.inf if mine.turn.deadline is None else mine.turn.deadline
    return deadline, mine.turn.since, mine.summary.match


def _closed(member: str) -> str:
    return base64.urlsafe_b64encode(member.encode()).decode().rstrip("=")


def _opened(cursor: str | None) -> bytes | None:
    if cursor is None:
        return None
    try:
        member = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadCursor(cursor) from error
    if not member[:15].isdigit() or member[15:16] != b":":
        raise BadCursor(cursor)
    return member
