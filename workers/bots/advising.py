"""Advice for a person who asked what a bot would do: thought of by a worker, kept for the asker to read."""

from collections.abc import Sequence
from typing import Any

import msgspec
import structlog

from bots.advice import Advice, advise
from engine.match import Match
from infra.process.metrics import BOT_TURNS
from infra.store.beside import BesideLogs
from workers.bots.answering import STAND_INS, at_home
from workers.bots.limits import seconds, within
from workers.jobs import BotTurn

log = structlog.get_logger(__name__)
GUESSES = "random"  # a bot whose advice is worth nothing


def is_asked(match: Match, turn: BotTurn) -> bool:
    """Whether a job is somebody's question, which is still open, and not a bot's own turn."""
    return match.advice == (turn.seat, turn.since)


def adviser(match: Match) -> str:
    """The opponent's own way of thinking; where that is none, the caretaker's."""
    names = [chair.holder.id for chair in match.chairs if chair.holder and chair.holder.kind == "bot"]
    return next((at_home(name) for name in names if name != GUESSES), STAND_INS[0])


async def answer(beside: BesideLogs, match: Match, turn: BotTurn, names: Sequence[str]) -> None:
    """Think, and leave the answer where the asker looks for it. Whoever fails is followed by the next."""
    if await beside.advice(match.id, turn.since) is not None:
        return
    told: dict[str, Any] = {
        "bot": names[-1],
        "before": None,
        "offers": [],
    }  # nobody knows: that too is an answer
    for name in names:
        try:  # a question must not stop the match, whatever becomes of a bot
            told = _told(name, _think(match, turn, name))
            break
        except Exception as problem:
            BOT_TURNS.labels(name, "failed").inc()
            log.exception(
                "no advice", bot=name, match=match.id, seat=turn.seat, reason=type(problem).__name__
            )
    await beside.keep_advice(match.id, turn.since, msgspec.json.encode(told))
    BOT_TURNS.labels(told["bot"], "advised").inc()
    log.info("a bot advised", match=match.id, seq=turn.since, seat=turn.seat, bot=told["bot"])


def _think(match: Match, turn: BotTurn, name: str) -> Advice:
    rules = match.rules
    rng = match.private(f"advice:{turn.since}:{turn.seat}")
    legal, view = list(rules.legal(match.state, turn.seat)), rules.view(match.state, turn.seat)
    with within(seconds(name)):
        return advise(rules, view, turn.seat, legal, name, rng)


def _told(name: str, found: Advice) -> dict[str, Any]:
    offers = [{"action": one.action, "after": one.after} for one in (found.best, *found.others)]
    return {"bot": name, "before": found.before, "offers": offers}
