"""One turn of a built-in bot, through the same door as everybody's."""

import structlog

from engine.log import Match
from infra.process.metrics import BOT_TURNS
from infra.store.eventstore import StoreUnavailable
from service.basics.errors import Problem
from service.bootstrap import Tables
from service.commands import actions
from workers.bots import advising
from workers.bots.answering import answer, command, line_up
from workers.bots.playing import playing
from workers.jobs import BotTurn
from workers.runtime import current

log = structlog.get_logger(__name__)
TRIES = 5


def run(match: str, seat: int, since: int) -> None:
    """The job. Played once, however often it runs: the turn's identity is the command's key."""
    runtime = current()
    runtime.run(play(runtime.deps, BotTurn(match, seat, since)))


async def play(deps: Tables, turn: BotTurn) -> bool:
    """Answer a turn if it is still true; says whether this call acted."""
    match = await deps.matches.now(turn.match)
    if still_owed(match, turn) is None:
        return False
    if advising.is_asked(match, turn):
        async with playing(deps.client, turn) as begun:
            await advising.answer(deps.beside, match, turn, line_up(advising.adviser(match), begun))
        return False
    async with playing(deps.client, turn) as begun:
        return await _play(deps, turn, begun)


async def _play(deps: Tables, turn: BotTurn, begun: int) -> bool:
    for _ in range(TRIES):
        match = await deps.matches.now(turn.match)
        name = still_owed(match, turn)
        if name is None:
            return False
        chosen, action = answer(match, turn, line_up(name, begun))
        try:
            await actions.act(deps, command(match, turn, chosen, action, turn.key))
        except Problem as refusal:
            if not await has_moved(deps, match):
                raise
            # Another worker, an undo, an owner who is back: what was asked is no longer the question.
            log.info(
                "another action came first",
                match=turn.match,
                seq=turn.since,
                seat=turn.seat,
                code=refusal.code,
            )
            continue
        BOT_TURNS.labels(chosen, "played" if chosen == name else "stood in").inc()
        log.info("bot acted", match=turn.match, seq=match.seq + 1, seat=turn.seat, bot=chosen)
        return True
    raise StoreUnavailable("the match moves faster than this bot")


async def has_moved(deps: Tables, match: Match) -> bool:
    """Whether anything happened in a match since somebody looked at it."""
    return (await deps.matches.now(match.id)).seq != match.seq


def still_owed(match: Match, turn: BotTurn) -> str | None:
    """The bot that owes this turn, or an answer to who asked; None if nobody does any more."""
    if match.status == "running" and advising.is_asked(match, turn):
        return advising.adviser(match)
    if match.status != "running" or match.since[turn.seat] != turn.since:
        return None
    holder = match.chairs[turn.seat].holder
    return holder.id if holder is not None and holder.kind == "bot" else None


def owed(match: Match) -> list[BotTurn]:
    """The turns that built-in bots owe a match now, and the advice."""
    turns = [BotTurn(match.id, seat, match.since[seat]) for seat in match.to_act]
    turns += [BotTurn(match.id, *match.advice)] if match.advice else []
    return [turn for turn in turns if still_owed(match, turn)]
