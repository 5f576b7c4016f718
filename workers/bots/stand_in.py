"""A remote bot has not answered for too long where no clock decides: a bot of the house plays that turn."""

import structlog

from engine.identity import account_id
from infra.process.metrics import BOT_TURNS
from service.basics.errors import Problem
from service.bootstrap import Deps, Tables
from service.bots import remote
from service.commands import actions
from workers.bots.answering import STAND_INS, answer, command
from workers.bots.bot_turn import has_moved
from workers.jobs import StandIn
from workers.runtime import current

log = structlog.get_logger(__name__)


def run(match: str, seat: int, since: int) -> None:
    """The job. Played once, however often it runs."""
    runtime = current()
    runtime.run(play(runtime.deps, StandIn(match, seat, since)))


async def play(deps: Deps, turn: StandIn) -> bool:
    """Play the turn if the bot has really used its time up; says whether this call did."""
    match = await deps.matches.now(turn.match)
    holder = match.chairs[turn.seat].holder
    if holder is None or match.since[turn.seat] != turn.since or not await is_late(deps, turn):
        return False
    name, action = answer(match, turn, STAND_INS)
    try:
        await actions.act(deps, command(match, turn, name, action, turn.job_id))
    except Problem:
        if not await has_moved(deps, match):
            raise
        return False  # the bot has answered after all, or its seat changed hands, or the relay asks again
    BOT_TURNS.labels(name, "stood in").inc()
    log.warning(
        "a built-in bot played instead", match=turn.match, seat=turn.seat, seq=turn.since, bot=holder.id
    )
    await remote.note_failure(deps, account_id(holder.id), f"no answer: {name} played the turn")
    return True


async def is_late(deps: Tables, turn: StandIn) -> bool:
    """Whether this turn is still open, a remote bot's, and over its time."""
    match = await deps.matches.now(turn.match)
    holder = match.chairs[turn.seat].holder
    if match.status != "running" or match.since[turn.seat] != turn.since or holder is None:
        return False
    moment = await remote.gives_up_at(deps, match, turn.seat) if holder.kind == "remote" else None
    return moment is not None and moment <= deps.now().timestamp()
