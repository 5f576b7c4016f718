"""The last step of every command: append with the right deadline, and remember what is true now."""

from collections.abc import Callable
from typing import Any

from engine.match import Match
from engine.table import Pen, Refused
from infra.eventstore import Appended, Cmd, Conflict
from service.bootstrap import Deps
from service.errors import Problem

TRIES = 20  # how often a command may lose against faster ones before it gives up


class refusals:  # noqa: N801 - reads as a statement: with refusals()
    """Turns the engine's refusals of table commands into Problems."""

    def __enter__(self) -> None: ...

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if isinstance(error, Refused):
            raise Problem(error.code, **error.params) from None


async def append(deps: Deps, before: Match | None, pen: Pen, cmd: Cmd | None = None) -> Appended:
    """Append what a pen has written after `before`. Raises Conflict, CommandReused, StoreUnavailable."""
    plan = await deps.clocks.plan(before, pen)
    expected, mark = (0, "") if before is None else (before.seq, deps.matches.mark(before))
    done = await deps.store.append(pen.match.id, expected, pen.lines, cmd=cmd, due=plan.due, mark=mark)
    if not done.repeated:
        deps.matches.keep([match for _, match in pen.steps], pen.lines[-1])
        if plan.past is not None:
            deps.clocks.keep(pen.match, plan.past)
    return done


async def on_table(deps: Deps, ident: str, who: str, write: Callable[[Pen], None]) -> Match:
    """Commands that hold whatever happened meanwhile: decided again on the new head until they fit."""

    async def written(pen: Pen) -> None:
        write(pen)

    return await on_head(deps, ident, who, written)


async def on_head(deps: Deps, ident: str, who: str, write: Any) -> Match:
    """The same for commands that must look things up while they are decided."""
    for _ in range(TRIES):
        match = await deps.matches.now(ident)
        pen = Pen(match, deps.at(), who)
        with refusals():
            await write(pen)
        if not pen.lines:
            return match
        try:
            await append(deps, match, pen)
        except Conflict:
            continue
        return pen.match
    raise Problem("unavailable")
