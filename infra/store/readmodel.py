"""The lobby and everybody's turns: a projection of the logs that may be thrown away and built again.

It lies in one slot of a cluster, so that a summary and its places in all indexes change in one step. An index
is a sorted set of `<opened>:<match>`, walked backwards: newest first, and a page's end is a stable mark.
"""

from __future__ import annotations

import base64
import binascii
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from infra.process.errors import BadCursor
from infra.store import keys
from infra.store.redis import Client, ask, reaching
from infra.store.scripts import Arg, Script

PUT = Script.beside("summary.lua")
MAX_PAGE = 200  # matches of a page
MOST_PAGES = 10  # that one request reads through
PREFIX = keys.LOBBY
AND_THIS = b"\0"  # right behind a member, and before every other
EVERYTHING, LOBBY = "*", "+"  # indexes beside those of the accounts; no id looks like this


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


class ReadModel:
    """Summaries of all matches, found by status, game, account and turn."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def put(self, summary: Summary, instead: int | None = None) -> bool:
        """Keep a summary unless a newer one is kept; say whether it was. Doing it again changes nothing.

        `instead`: one of this seq is replaced though it is newer, because its log is no more.
        """
        wrong = "" if instead is None else instead
        args: list[Arg] = [summary.seq, _member(summary), msgspec.json.encode(summary), wrong]
        with reaching():
            return bool(await PUT.run(self._client, _keys(summary.match), [*args, *_indexes(summary)]))

    async def drop(self, summary: Summary) -> None:
        """Take a match out of all lists: it has no log any more."""
        with reaching():
            await PUT.run(self._client, _keys(summary.match), [summary.seq, _member(summary), "", ""])

    async def get(self, match: str) -> Summary | None:
        """Return the summary of a match."""
        raw = await ask(self._client, "GET", _summary_key(match))
        return _decode(raw) if raw else None

    async def statuses(self, matches: Sequence[str]) -> dict[str, str]:
        """The status of each of these matches that is known here."""
        raw = await ask(self._client, "MGET", *map(_summary_key, matches)) if matches else []
        found = [_decode(text) for text in raw if text is not None]
        return {summary.match: summary.status for summary in found}

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
        members = await ask(self._client, "ZRANGE", _turns_key(account), -most, -1)
        summaries = await _summaries(self._client, members)
        mine = [MyTurn(s, turn) for s in summaries for turn in s.turns if turn.account == account]
        return sorted(mine, key=_urgency)

    async def active(self, account: str) -> set[str]:
        """The matches of an account that have not ended."""
        indexes = [_index(account, status, None) for status in ("open", "running")]
        found = [await ask(self._client, "ZRANGE", index, 0, -1) for index in indexes]
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
        scope = account or (LOBBY if listed else EVERYTHING)
        index = _index(scope, status, game if account is None else None)
        fits = _filter(game, listed)
        found: list[Summary] = []
        mark = _opened(cursor)
        for number in range(MOST_PAGES):
            count = MAX_PAGE if number else limit + 1  # where little fits it goes on in long strides
            page, mark = await _page(self._client, index, mark, count)
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
        index = _index(LOBBY, status, game)
        found = await ask(self._client, "ZRANGE", index, b"(" + mark, "-", "BYLEX", "REV", "LIMIT", 0, 1)
        return found[0] + AND_THIS if found else None


async def _page(
    client: Client, index: str, mark: bytes | None, count: int
) -> tuple[list[Summary], bytes | None]:
    start = b"+" if mark is None else b"(" + mark
    members = await ask(client, "ZRANGE", index, start, "-", "BYLEX", "REV", "LIMIT", 0, count)
    last = members[-1] if len(members) == count else None
    return await _summaries(client, members), last


async def _summaries(client: Client, members: list[bytes]) -> list[Summary]:
    if not members:
        return []
    raw = await ask(client, "MGET", *(_summary_key(_match(member)) for member in members))
    return [_decode(text) for text in raw if text is not None]


def _keys(match: str) -> list[Arg]:
    """A summary, and the note of where it is indexed."""
    return [_summary_key(match), f"{PREFIX}x:{match}"]


def _summary_key(match: str) -> str:
    return f"{PREFIX}m:{match}"


def _turns_key(account: str) -> str:
    return f"{PREFIX}t:{account}"


def _index(scope: str, status: str | None, game: str | None) -> str:
    return f"{PREFIX}i:{scope}:{status or '*'}:{game or '*'}"


def _indexes(summary: Summary) -> Iterator[str]:
    """Yield every index a match is found in; an account's matches are few, so its games are sieved later."""
    scopes = (EVERYTHING, LOBBY) if summary.listed else (EVERYTHING,)
    for status in (None, summary.status):
        for scope in scopes:
            yield _index(scope, status, None)
            yield _index(scope, status, summary.game)
        for account in dict.fromkeys(summary.accounts):
            yield _index(account, status, None)
    for waited_for in dict.fromkeys(turn.account for turn in summary.turns):
        yield _turns_key(waited_for)


def _filter(game: str | None, listed: bool | None) -> Callable[[Summary], bool]:
    return lambda summary: game in (None, summary.game) and listed in (None, summary.listed)


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
