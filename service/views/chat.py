"""Talking at a table: whoever sits there may, and whoever may read the match reads it."""

from typing import Any

from engine.game import Lang
from service.basics.errors import Problem
from service.bootstrap import Deps
from service.views import sight
from service.views.access import readable


async def say(deps: Deps, ident: str, who: str, text: str, lang: Lang) -> dict[str, Any]:
    """Say something. Raises Problem: not_found, not_your_seat, not_open, rate_limited."""
    match = await readable(deps, ident, who)
    seat = match.seat_of(who)
    if seat is None:
        raise Problem("not_your_seat")
    if match.status == "cancelled":
        raise Problem("not_open")
    kept = await deps.chat.say(match.id, who, seat, text, deps.at())
    if isinstance(kept, int):
        problem = Problem("rate_limited")
        problem.headers["Retry-After"] = str(kept)
        raise problem
    return sight.said(kept, await deps.names.one(seat, who, lang))


async def since(deps: Deps, ident: str, after: int, lang: Lang) -> list[dict[str, Any]]:
    """What was said after a message, for somebody who may read the match. Who is gone is somebody."""
    found = await deps.chat.read(ident, after)
    return [sight.said(message, await deps.names.one(message.seat, message.who, lang)) for message in found]
