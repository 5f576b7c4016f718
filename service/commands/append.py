"""The last step of every command: append with the right deadline, and remember what is true now."""

from collections.abc import Callable
from typing import Any

from engine.match import Match
from engine.table import LogWriter, Refused
from infra.store.eventstore import Appended, Cmd, Conflict
from service.basics.errors import Problem
from service.bootstrap import Tables

TRIES = 20  # how often a command may lose against faster ones before it gives up


class refusals:  # noqa: N801 - reads as a statement: with refusals()
    """Turns the engine's refusals of table commands into Problems."""

    def __enter__(self) -> None: ...

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if isinstance(error, Refused):
            raise Problem(error.code, **error.params) from None


async def append(deps: Tables, before: Match | None, writer: LogWriter, cmd: Cmd | None = None) -> Appended:
    """Append what a writer has written after `before`. Raises Conflict, CommandReused, StoreUnavailable."""
    match = writer.match
    plan = await deps.clocks.plan(before, match, writer.steps)
    expected, mark = (0, "") if before is None else (before.seq, deps.matches.mark(before))
    done = await deps.store.append(match.id, expected, writer.lines, cmd=cmd, due=plan.due, mark=mark)
    if not done.repeated:
        deps.matches.keep([after for _, after in writer.steps], writer.lines[-1])
        if plan.past is not None:
            deps.clocks.keep(match, plan.past)
    return done


async def on_table(deps: Tables, ident: str, who: str, write: Callable[[LogWriter], None]) -> Match:
    """Commands that hold whatever happened meanwhile: decided again on the new head until they fit."""

    async def written(writer: LogWriter) -> None:
        write(writer)

    return await on_head(deps, ident, who, written)


async def on_head(deps: Tables, ident: str, who: str, write: Any) -> Match:
    """The same for commands that must look things up while they are decided."""
    for _ in range(TRIES):
        match = await deps.matches.now(ident)
        writer = LogWriter(match, deps.at(), who)
        with refusals():
            await write(writer)
        if not writer.lines:
            return match
        try:
            await append(deps, match, writer)
        except Conflict:
            continue
        return writer.match
    raise Problem("unavailable")
