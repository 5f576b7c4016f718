"""Logs that were written elsewhere."""

from collections.abc import Sequence

from engine import table
from engine.log import Match, load
from engine.table import Pen
from service.bootstrap import Deps
from service.errors import Problem


async def import_log(deps: Deps, match: Match, lines: Sequence[bytes]) -> tuple[Match, bool]:
    """Store a verified log; answers whether it is new. The same log again: nothing to do.

    A match that was running goes on under a new seal, because whoever has the file knows its seed.
    """
    stored = await deps.store.read(match.id)
    if stored:
        if stored[: match.seq] != list(lines):
            raise Problem("log_differs")
        return deps.matches.keep([load(stored)], stored[-1]), False
    pen = Pen(match, deps.at(), "system")
    await deps.ratings.leave_out(match.id)
    if match.status == "running":
        table.reseal(pen, match.id, deps.new_seed())
    written = [*lines, *pen.lines]
    await deps.store.append(match.id, 0, written)
    return deps.matches.keep([pen.match], written[-1]), True
