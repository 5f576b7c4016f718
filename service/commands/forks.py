"""A new match from a moment of another one: what if?

Of a match that has ended everything is known. Of one that runs the caller gets what the caller knows: the
rest is imagined anew, so that a fork tells nobody anything.
"""

import secrets
from random import Random
from typing import Any

from engine import table
from engine.match import Match
from engine.table import LogWriter, NewTable
from service.basics.errors import Problem
from service.bootstrap import Deps
from service.commands import seating
from service.commands.append import append, refusals
from service.commands.records import Fork
from service.commands.tables import check_clock
from service.views.access import readable


async def fork(deps: Deps, command: Fork) -> Match:
    """Open the new match; it is under way at once, under a seal of its own. Vacant seats can be taken."""
    source = await readable(deps, command.match, command.who)
    then = await deps.matches.at(source.id, command.at)
    placed = await seating.places(deps, command.seats, command.who, source.game, command.listed)
    if sum(seat.get("kind") == "me" for seat in command.seats) > 1:
        raise Problem("already_seated")
    check_clock(command.clock)
    writer = LogWriter(None, deps.at(), command.who)
    with refusals():
        places, holders = [place for place, _ in placed], [holder for _, holder in placed]
        new = NewTable(deps.new_id(), places, holders, deps.new_seed(), command.listed, command.clock)
        table.fork(writer, then, _known(source, then, command.who), new)
    await append(deps, None, writer)
    return writer.match


def _known(source: Match, then: Match, who: str) -> Any:
    """The position as far as the caller may know it."""
    if source.status == "finished" or then.state is None:
        return then.state
    view = then.rules.view(then.state, then.seat_of(who))
    return then.rules.determinise(view, Random(secrets.randbits(64)))
