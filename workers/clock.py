"""Time that has run out: found by the relay, judged by the log, written like any other command."""

import structlog

from engine import tenure, undo
from engine.events import TimedOut
from engine.identity import SYSTEM, account_id
from engine.match import Match
from engine.table import LogWriter
from infra.process.metrics import TIMEOUTS
from infra.store.eventstore import Conflict
from service.bootstrap import Deps, People, Tables
from service.bots import remote
from service.commands.append import TRIES, append
from service.memory.clocks import policy_of

log = structlog.get_logger(__name__)


async def look(deps: Deps, ident: str) -> bool:
    """Do what time demands of a match now; says whether anything was. Doing it again does nothing."""
    for _ in range(TRIES):
        match = await deps.matches.now(ident)
        writer = LogWriter(match, deps.at(), SYSTEM)
        await _write(deps, match, writer)
        if not writer.lines:
            # Nothing is due: the note was early (a vacation, a longer turn) or is out of date.
            await deps.store.set_due(ident, await deps.clocks.due(match), match.seq)
            return False
        try:
            await append(deps, match, writer)
        except Conflict:
            continue  # somebody acted in this very moment: look again
        await _note_failures(deps, match, writer)
        log.info("time ran out", match=ident, seq=writer.match.seq, events=len(writer.lines))
        return True
    return False


async def _note_failures(deps: People, match: Match, writer: LogWriter) -> None:
    """A remote bot that used its time up has failed, as its owner should see; where all wait, not yet."""
    policy = policy_of(match)
    if policy is None or policy.timeout == "wait":
        return
    for event, _ in writer.steps:
        holder = (
            match.chairs[event.seat].holder
            if isinstance(event, TimedOut) and event.seat is not None
            else None
        )
        if holder is not None and holder.kind == "remote":
            await remote.note_failure(deps, account_id(holder.id), "no answer in time")


async def _write(deps: Tables, match: Match, writer: LogWriter) -> None:
    now = deps.now().timestamp()
    if match.status != "running":
        return
    until = await deps.clocks.answer_by(match)
    if until is not None and until <= now:
        undo.expire(writer)
    policy = policy_of(match)
    if policy is None:
        return
    for seat, deadline in sorted((await deps.clocks.deadlines(match)).items()):
        if deadline <= now and writer.match.status == "running":
            tenure.time_out(writer, seat, policy.timeout)
            TIMEOUTS.inc()
