"""Logs that were written elsewhere, and our own that come back."""

from collections.abc import Sequence
from typing import NamedTuple

import structlog

from engine import table
from engine.identity import SYSTEM
from engine.log import Match
from engine.match import Imported, Signed
from engine.proof.verify import Closing
from engine.table import LogWriter
from infra.store.eventstore import Conflict
from service.basics.errors import Problem
from service.bootstrap import Tables
from service.memory.origins import dressed
from service.views import signatures

OPERATOR = SYSTEM
log = structlog.get_logger(__name__)


class Importer(NamedTuple):
    """Who brings a log. The operator may vouch for files that came with their accounts."""

    who: str
    vouches: bool = False


async def import_log(
    deps: Tables, match: Match, lines: Sequence[bytes], end: Closing, importer: Importer
) -> tuple[Match, bool]:
    """Store a verified log; returns whether it is new. The same log again: nothing to do.

    A match that was running goes on under a new seal, because whoever has the file knows its seed. If it is
    one of ours everybody keeps their seat; else its people are nobody here, and it is the importer's.
    """
    stored = await deps.store.read(match.id)
    if stored and not await _gives_way(deps, match, stored, lines, end):
        return _again(await deps.matches.now(match.id), stored[: match.seq] == list(lines)), False
    origin = await _origin(deps, match, end, importer)
    await deps.beside.note_origin(match.id, origin)
    ours = origin.signed == "here"
    if not ours or match.status != "running":
        await deps.ratings.leave_out(match.id)
    writer = LogWriter(match, deps.at(), OPERATOR)
    if match.status == "running":
        table.reseal(writer, match.id, deps.new_seed(), kept=ours or origin.seq < match.seq)
    written = [*lines, *writer.lines]
    try:
        await deps.store.append(match.id, 0, written)
    except Conflict:  # somebody was faster: theirs counts
        stored = await deps.store.read(match.id, 0, match.seq)
        return _again(await deps.matches.now(match.id), stored == list(lines)), False
    await deps.beside.keep_origin(match.id, origin)
    return deps.matches.keep([dressed(writer.match, origin)], written[-1]), True


async def _gives_way(
    deps: Tables, match: Match, stored: Sequence[bytes], lines: Sequence[bytes], end: Closing
) -> bool:
    """Somebody brought a made-up log under this id before the one that its server signed: the latter counts.

    A true copy that went on here is another matter: its first part is what was signed, and it stays.
    """
    origin = await deps.beside.origin(match.id)
    if origin is None or origin.signed in ("here", "trusted"):
        return False
    if list(stored[: origin.seq]) == list(lines[: origin.seq]):
        return False
    if not (await signatures.known(deps)).judge(match.id, end).counts:
        return False
    log.warning(
        "an unsigned imported log was replaced by a signed one",
        match=match.id,
        events=len(stored),
        by=origin.by,
    )
    return await deps.store.displace(match.id, len(stored))


def _again(match: Match, same: bool) -> Match:
    if not same:
        raise Problem("log_differs")
    return match


async def _origin(deps: Tables, match: Match, end: Closing, importer: Importer) -> Imported:
    """What a log is here: by its signature, or by the operator's word and what a backup says of it."""
    verdict = (await signatures.known(deps)).judge(match.id, end)
    if verdict.by == "forged":
        raise Problem("bad_signature", {"key": verdict.key}, key=verdict.key)
    if verdict.by != "here" and importer.vouches:
        known = await deps.beside.origin(match.id)
        if known is not None:  # a backup brought it back: an import that had come before
            return known
    if verdict.by in ("nobody", "revoked") and importer.vouches:
        signed: Signed = "here"
    else:  # what a revoked key signed may be anybody's
        signed = "unknown" if verdict.by == "revoked" else verdict.by
    return Imported(
        by=importer.who,
        at=deps.at(),
        seq=match.seq,
        signed=signed,
        server=verdict.server,
        key=end.key[:128],
        signature=end.signature[:256],
    )
