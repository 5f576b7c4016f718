"""One turn of a built-in bot, through the same door as everybody's."""

import structlog

from engine.log import Match
from infra.process.metrics import BOT_TURNS
from infra.store.eventstore import StoreUnavailable
from service.basics.errors import Problem
from service.bootstrap import Tables
from service.commands import actions
from workers.bots import advising
from workers.bots.answering import answer, at_home, command, line_up
from workers.bots.playing import playing
from workers.jobs import BotTurn

log = structlog.get_logger(__name__)
TRIES = 5


async def play(deps: Tables, turn: BotTurn) -> bool:
    """Answer a turn if it is still true; says whether this call acted."""
    match = await deps.matches.now(turn.match)
    if still_owed(match, turn) is None:
        return False
    if advising.is_asked(match, turn):
        await advise(deps, match, turn)
        return False
    return await begin(deps, match, turn) is not None


async def advise(deps: Tables, match: Match, turn: BotTurn) -> None:
    """Answer whoever asked what a bot would do. Nothing is played."""
    async with playing(deps.client, turn) as begun:
        await advising.answer(deps.beside, match, turn, line_up(advising.adviser(match), begun))


async def begin(deps: Tables, match: Match, turn: BotTurn) -> Match | None:
    """Play a turn that is owed; the match after it. Who dies of it is counted."""
    async with playing(deps.client, turn) as begun:
        return await play_in(deps, match, turn, begun)


async def play_in(deps: Tables, match: Match, turn: BotTurn, begun: int = 1) -> Match | None:
    """Play a turn in a match as it is known here; None if it turns out that nobody owes it any more."""
    for _ in range(TRIES):
        name = still_owed(match, turn)
        if name is None:
            return None
        chosen, action = answer(match, turn, line_up(name, begun))
        try:
            after = await actions.act(deps, command(match, turn, chosen, action, turn.key))
        except Problem as refusal:
            now = await deps.matches.now(match.id)
            if now.seq == match.seq:
                raise
            # Another worker, an undo, an owner who is back: what was asked is no longer the question.
            log.info(
                "another action came first",
                match=turn.match,
                seq=turn.since,
                seat=turn.seat,
                code=refusal.code,
            )
            match = now
            continue
        BOT_TURNS.labels(chosen, "played" if chosen == name else "stood in").inc()
        return after
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
    return at_home(holder.id) if holder is not None and holder.kind == "bot" else None


def owed(match: Match) -> list[BotTurn]:
    """The turns that built-in bots owe a match now, and the advice."""
    turns = [BotTurn(match.id, seat, match.since[seat]) for seat in match.to_act]
    turns += [BotTurn(match.id, *match.advice)] if match.advice else []
    return [turn for turn in turns if still_owed(match, turn)]
