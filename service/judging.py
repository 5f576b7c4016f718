"""Questions about a match that change nothing: why something is not possible, and whether a log is honest."""

import asyncio
from typing import Any

from engine import verify
from engine.game import Illegal, Lang
from engine.log import BadLog
from engine.match import Match
from engine.report import HOLDS
from service import sight, signing
from service.bootstrap import Deps
from service.errors import Illegally, Problem
from service.reading import readable
from service.sight import Caller


async def why(deps: Deps, ident: str, who: str, action: Any, lang: Lang) -> dict[str, Any]:
    """What the rules would say to an action of the caller's seat. Nothing is done."""
    match = await readable(deps, ident, who)
    seat = match.seat_of(who)
    if seat is None:
        raise Problem("not_your_seat")
    if match.state is None:
        raise Problem("not_started")
    refusal = _refusal(match, seat, action)
    if refusal is None:
        return {"legal": True, "reason": None, "detail": None}
    said = Illegally(match.rules, refusal.code, refusal.params).sentence(lang)
    return {"legal": False, "reason": refusal.code, "detail": said}


def _refusal(match: Match, seat: int, action: Any) -> Illegal | None:
    if match.status != "running":
        return Illegal("game_over")
    try:
        match.rules.decide(match.state, seat, match.rules.parse(match.state, seat, action))
    except Illegal as refusal:
        return refusal
    return None


async def verified(deps: Deps, match: Match, caller: Caller) -> dict[str, Any]:
    """The checks of `turnlog verify`, one by one. Only a match that is over has opened its seed."""
    if match.status != "finished":
        raise Problem("not_over")
    data = sight.export(
        match, await deps.store.read(match.id, 0, match.seq), caller, await signing.signed(deps, match)
    )
    signer = signing.of_file(await signing.known(deps), data)
    report = await asyncio.to_thread(verify.report, data)
    verdict = report.verdict(signer.counts)
    return {
        "holds": verdict in HOLDS and signer.by != "forged",
        "verdict": verdict,
        "revision": report.revision,
        "events": match.seq,
        "draws": match.state.draws,
        "head": match.head,
        "checks": [_check(what, problem) for what, problem in report.checks.items()],
        "signature": {"by": signer.by, "server": signer.server or None, "key": signer.key or None},
    }


async def drawn(deps: Deps, match: Match) -> bytes:
    """The odds and the outcome of every draw, as JSON."""
    if match.status != "finished":
        raise Problem("not_over")
    lines = await deps.store.read(match.id, 0, match.seq)
    return sight.encode(await asyncio.to_thread(sight.drawn, match, lines))


def _check(what: str, problem: BadLog | None) -> dict[str, Any]:
    return {
        "what": what,
        "holds": problem is None,
        "seq": problem.line if problem else None,
        "detail": problem.reason if problem else None,
    }
