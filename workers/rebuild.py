"""Lists and results derived anew from the logs, while everybody plays: nothing else follows from it.

No turn is asked for, no notice noted, no webhook called: those are the relay's, and it has done them.
"""

from collections.abc import Iterable

import msgspec

from engine.log import BadLog, Match
from infra.store.ratings import read
from service.basics.damage import passed_by
from service.basics.errors import Problem
from service.bootstrap import Deps, Tables
from service.views.summary import summary
from workers import lists, results


async def rebuild_lists(deps: Tables, matches: Iterable[str]) -> int:
    """Show every one of these matches as its log says, then take out what no log bears out.

    Returns how many matches could be read; those whose log is damaged are named and stay as they are.
    """
    done = 0
    for ident in matches:
        with passed_by(ident):
            match = await _match(deps, ident)
            if match is not None:
                deadlines, starts = await deps.clocks.deadlines(match), await deps.clocks.starts(match)
                await lists.show(deps, summary(match, deadlines, starts))
                done += 1
    async for ident in deps.readmodel.shown():
        await lists.hide(deps, ident)
    await deps.readmodel.sweep()
    return done


async def rebuild_ratings(deps: Deps, matches: Iterable[str]) -> int:
    """Count every result that counts, then strike what no log bears out. Returns how many count.

    What ends meanwhile is the relay's.
    """
    began, done = int(deps.now().timestamp() * 1000), 0
    await deps.ratings.gather_nothing()
    for ident in matches:
        with passed_by(ident):
            match = await _match(deps, ident)
            found = None if match is None else await results.counted(deps, match)
            if match is not None and found is not None:
                await deps.ratings.gather(match.game, found)
                done += 1
    async for game, entry in deps.ratings.underived(began):
        if not await _is_borne_out(deps, game, entry):
            await deps.ratings.remove(game, entry)
    await deps.ratings.gather_nothing()
    return done


async def _is_borne_out(deps: Tables, game: str, entry: bytes) -> bool:
    """Whether a log says what an entry says; whoever played may have become somebody else since."""
    result = read(entry)
    if result is None:
        return False
    try:
        match = await _match(deps, result.match)
        found = None if match is None else await results.borne_out(deps, match)
    except BadLog:
        return True  # its log is damaged: nobody knows better
    known = match is not None and match.game == game and found is not None
    return known and msgspec.json.encode(found) == entry


async def _match(deps: Tables, ident: str) -> Match | None:
    """A match as its log is now; None if there is none."""
    try:
        return await deps.matches.now(ident)
    except Problem as problem:
        if problem.code != "not_found":
            raise
        return None
