"""Logs that were written elsewhere, and our own that come back."""

from collections.abc import Sequence
from typing import NamedTuple

from engine import table
from engine.log import Match
from engine.match import Imported
from engine.table import Pen
from engine.verify import Closing
from infra.eventstore import Conflict
from service import signing
from service.bootstrap import Deps
from service.errors import Problem
from service.origins import dressed

OPERATOR = "system"


class Importer(NamedTuple):
    """Who brings a log. The operator may vouch for files that came with their accounts."""

    who: str
    vouches: bool = False


async def import_log(
    deps: Deps, match: Match, lines: Sequence[bytes], end: Closing, importer: Importer
) -> tuple[Match, bool]:
    """Store a verified log; answers whether it is new. The same log again: nothing to do.

    A match that was running goes on under a new seal, because whoever has the file knows its seed. If it is
    one of ours everybody keeps their seat; else its people are nobody here, and it is the importer's.
    """
    stored = await deps.store.read(match.id)
    if stored:
        return _again(await deps.matches.now(match.id), stored[: match.seq] == list(lines)), False
    origin = await _origin(deps, match, end, importer)
    await deps.beside.note_origin(match.id, origin)
    ours = origin.signed == "here"
    if not ours or match.status != "running":
        await deps.ratings.leave_out(match.id)
    pen = Pen(match, deps.at(), OPERATOR)
    if match.status == "running":
        table.reseal(pen, match.id, deps.new_seed(), kept=ours or origin.seq < match.seq)
    written = [*lines, *pen.lines]
    try:
        await deps.store.append(match.id, 0, written)
    except Conflict:  # somebody was faster: theirs counts
        stored = await deps.store.read(match.id, 0, match.seq)
        return _again(await deps.matches.now(match.id), stored == list(lines)), False
    await deps.beside.keep_origin(match.id, origin)
    return deps.matches.keep([dressed(pen.match, origin)], written[-1]), True


def _again(match: Match, same: bool) -> Match:
    if not same:
        raise Problem("log_differs")
    return match


async def _origin(deps: Deps, match: Match, end: Closing, importer: Importer) -> Imported:
    """What a log is here: by its signature, or by the operator's word and what a backup says of it."""
    verdict = (await signing.known(deps)).judge(match.id, end)
    if verdict.by == "forged":
        raise Problem("bad_signature", {"key": verdict.key}, key=verdict.key)
    if verdict.by != "here" and importer.vouches:
        known = await deps.beside.origin(match.id)
        if known is not None:  # a backup brought it back: an import that had come before
            return known
    signed = "here" if importer.vouches and verdict.by == "nobody" else verdict.by
    return Imported(
        by=importer.who,
        at=deps.at(),
        seq=match.seq,
        signed=signed,
        server=verdict.server,
        key=end.key[:128],
        signature=end.signature[:256],
    )
