"""Questions about a match that change nothing: why something is not possible, what an action would do, and
whether a log is honest."""

import asyncio
from hashlib import sha256
from typing import Any

from engine.game import Illegal, Lang
from engine.log import BadLog
from engine.match import Match
from engine.proof import verify
from engine.proof.report import HOLDS, Report
from service.basics.errors import IllegalAction, Problem
from service.bootstrap import Tables
from service.memory.answers import Answers, Hands, Turns
from service.views import sight, signatures
from service.views.access import readable
from service.views.sight import Caller

KEPT_REPORTS, KEPT_DRAWS = 1000, 16  # a report is small


async def why(deps: Tables, ident: str, who: str, action: Any, lang: Lang) -> dict[str, Any]:
    """What the rules would say to an action of the caller's seat. Nothing is done."""
    match, seat = await _seated(deps, ident, who)
    refusal = _refusal(match, seat, action)
    if refusal is None:
        return {"legal": True, "reason": None, "detail": None}
    said = IllegalAction(match.rules, refusal.code, refusal.params).sentence(lang)
    return {"legal": False, "reason": refusal.code, "detail": said}


async def preview(deps: Tables, ident: str, who: str, action: Any) -> dict[str, Any]:
    """What the caller would see at once after an action. Nothing is done."""
    match, seat = await _seated(deps, ident, who)
    if _refusal(match, seat, action) is not None:
        return {"seq": match.seq, "view": None, "open": False}
    facts = match.rules.decide(match.state, seat, match.rules.parse(match.state, seat, action))
    return {"seq": match.seq, **sight.outlook(match, seat, facts)}


async def hint(deps: Tables, ident: str, who: str, lang: Lang) -> dict[str, Any]:
    """What a bot would do in the caller's place, once it has thought of it. Nobody else reads that."""
    match, seat = await _seated(deps, ident, who)
    asked = match.advice
    if asked is None or asked[0] != seat:
        return {"asked": None, "advice": None}
    kept = await deps.beside.advice(match.id, asked[1])
    return {"asked": asked[1], "advice": kept and sight.advice(match, seat, kept, lang)}


async def _seated(deps: Tables, ident: str, who: str) -> tuple[Match, int]:
    match = await readable(deps, ident, who)
    seat = match.seat_of(who)
    if seat is None:
        raise Problem("not_your_seat")
    if match.state is None:
        raise Problem("not_started")
    return match, seat


def _refusal(match: Match, seat: int, action: Any) -> Illegal | None:
    if match.status != "running":
        return Illegal("game_over")
    try:
        match.rules.decide(match.state, seat, match.rules.parse(match.state, seat, action))
    except Illegal as refusal:
        return refusal
    return None


class Judged:
    """What finished matches came to when they were checked, and what was drawn in them."""

    def __init__(self) -> None:
        turns = Turns()  # one at a time: each may take as long as many requests
        self._hands = Hands()
        self._reports: Answers[Report] = Answers(turns, KEPT_REPORTS)
        self._drawn: Answers[bytes] = Answers(turns, KEPT_DRAWS)

    async def verified(self, deps: Tables, match: Match, caller: Caller, where: str) -> dict[str, Any]:
        """The checks of `turnlog verify`, one by one. Only a match that is over has opened its seed."""
        with self._hands.one(where):
            return await self._verified(deps, match, caller, where)

    async def _verified(self, deps: Tables, match: Match, caller: Caller, where: str) -> dict[str, Any]:
        lines = await _lines(deps, match)
        data = sight.export(match, lines, caller, await signatures.signed(deps, match))
        signer = signatures.of_file(await signatures.known(deps), data)
        report = await self._reports.of(_bytes(lines), where, lambda: asyncio.to_thread(verify.report, data))
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

    async def drawn(self, deps: Tables, match: Match, where: str) -> bytes:
        """The odds and the outcome of every draw, as JSON."""
        with self._hands.one(where):
            lines = await _lines(deps, match)
            return await self._drawn.of(_bytes(lines), where, lambda: asyncio.to_thread(_drawn, match, lines))


async def _lines(deps: Tables, match: Match) -> list[bytes]:
    if match.status != "finished":
        raise Problem("not_over")
    return await deps.store.read(match.id, 0, match.seq)


def _bytes(lines: list[bytes]) -> bytes:
    """What was looked at, byte by byte: what somebody does to the store later is looked at anew."""
    return sha256(b"\n".join(lines)).digest()


def _drawn(match: Match, lines: list[bytes]) -> bytes:
    return sight.encode(sight.drawn(match, lines))


def _check(what: str, problem: BadLog | None) -> dict[str, Any]:
    return {
        "what": what,
        "holds": problem is None,
        "seq": problem.line if problem else None,
        "detail": problem.reason if problem else None,
    }
