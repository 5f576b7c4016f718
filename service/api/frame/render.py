"""Matches as answers: bytes from the single exit, and lines of lists."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from starlette.responses import Response

from engine.game import Lang
from engine.match import Imported, Match
from infra.store.readmodel import Summary
from service.api.frame.body import Model
from service.bootstrap import Deps, People, Process, Tables, stamp
from service.commands import importing, rematches
from service.memory import origins
from service.time.history import seconds
from service.views import access, sight
from service.views.access import reader_code
from service.views.sight import NOW, Caller, Extras, Shown

JSON = "application/json"
OPERATOR = {"en": "the operator", "cs": "správce"}


async def match_bytes(
    deps: Deps,
    match: Match,
    caller: Caller,
    shown: Shown = NOW,
    now: Match | None = None,
    done: bool = False,
    next: dict[str, Any] | None = None,
) -> bytes:
    """A match as its caller may know it; `now` is what became of it, if `match` is a past moment.

    `done`: the answer to a command. Its clock is as of the command's own event, so that the same command gets
    the same answer again. `next`: the match that waits for the caller next.
    """
    names = await deps.names.of(match, caller.lang)
    invite = invite_link(deps, match.id) if caller.who and match.creator == caller.who else None
    beside = await _beside(deps, match, caller, shown, done, next)
    return sight.encode(sight.match_answer(match, caller, names, shown, invite, now, beside))


async def _beside(
    deps: Deps, match: Match, caller: Caller, shown: Shown, done: bool, next: dict[str, Any] | None
) -> Extras:
    parts = await deps.names.parts(match, caller.lang)
    share = _share_link(deps, match, caller)
    imported = None if match.imported is None else await _imported(deps, match.imported, match, caller.lang)
    if shown.past:
        return Extras(parts=parts, share=share, imported=imported)
    as_of = seconds(match.updated) if done else deps.now().timestamp()
    return Extras(
        parts=parts,
        share=share,
        imported=imported,
        clock=await deps.clocks.shown(match, as_of),
        next=next,
        # Right after the command that ended a match nobody can have opened the next one.
        rematch=await rematches.existing(deps, match) if match.status == "finished" and not done else None,
    )


async def _imported(deps: People, origin: Imported, match: Match, lang: Lang) -> dict[str, Any] | None:
    """Where a match came from, and who brought it."""
    who = origin.by
    return origins.shown(
        match, OPERATOR[lang] if who == importing.OPERATOR else await deps.names.one(0, who, lang)
    )


def _share_link(deps: Process, match: Match, caller: Caller) -> str | None:
    """Everybody at a table that is not listed may show it to others; who has the link reads, and no more."""
    if match.listed or caller.who is None:
        return None
    if match.creator != caller.who and match.seat_of(caller.who) is None:
        return None
    return f"{deps.settings.base}/matches/{match.id}/replay?invite={reader_code(deps, match.id)}"


async def next_match(deps: Tables, done: str, who: str) -> dict[str, Any] | None:
    """Where the caller is waited for most urgently, apart from the match just acted in."""
    mine = await deps.waiting.next(who, done)
    if mine is None:
        return None
    deadline = mine.turn.deadline
    return {
        "match": mine.summary.match,
        "game": mine.summary.game,
        "seat": mine.turn.seat,
        "deadline": None if deadline is None else time(deadline),
    }


async def match_response(deps: Deps, match: Match, caller: Caller, status: int = 200) -> Response:
    waits = await next_match(deps, match.id, caller.who) if caller.who else None
    return Response(await match_bytes(deps, match, caller, done=True, next=waits), status, media_type=JSON)


def invite_link(deps: Process, match: str) -> str:
    """Where a guest of the creator finds the table."""
    return f"{deps.settings.base}/matches/{match}?invite={access.invite_code(deps, match)}"


def seat_link(deps: Process, match: str, seat: int, code: str) -> str:
    """Where a substitute finds the seat."""
    return f"{deps.settings.base}/matches/{match}/seats/{seat}?invite={code}"


class ItemSeat(Model):
    seat: int
    kind: str
    name: str
    bot: str | None


class Item(Model):
    """A match as a line of a list."""

    id: str
    game: str
    status: str
    seq: int
    seats: list[ItemSeat]
    to_act: list[int]
    listed: bool
    opened: str
    updated: str
    result: dict[str, Any] | None


async def item(deps: People, summary: Summary, lang: Lang) -> Item:
    return Item(
        id=summary.match,
        game=summary.game,
        status=summary.status,
        seq=summary.seq,
        seats=[await _seat(deps, number, seat, lang) for number, seat in enumerate(summary.seats)],
        to_act=[turn.seat for turn in summary.turns],
        listed=summary.listed,
        opened=time(summary.opened),
        updated=time(summary.updated),
        result=summary.result,
    )


async def _seat(deps: People, number: int, seat: dict[str, Any], lang: Lang) -> ItemSeat:
    kind, holder = seat["kind"], seat.get("id")
    name = await deps.names.one(number, holder, lang)
    return ItemSeat(seat=number, kind=kind, name=name, bot=_bot(kind, holder, name))


def _bot(kind: str, holder: str | None, name: str) -> str | None:
    return {"bot": holder, "remote": name}.get(kind)


def time(ms: int) -> str:
    """RFC 3339, as everywhere on the wire."""
    return stamp(datetime.fromtimestamp(ms / 1000, UTC))
