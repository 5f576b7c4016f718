"""Whether the result of a match counts for ratings: from its log, and from who they were that played it."""

from engine.log import Match
from infra.store.ratings import RatedResult
from service.bootstrap import Deps, Tables
from service.commands import seating
from service.memory import ratings


async def count(deps: Deps, match: Match) -> None:
    """Count a result that counts; again, if need be: it is one entry."""
    found = await counted(deps, match)
    if found is not None:
        await deps.ratings.add(match.game, found)


async def counted(deps: Deps, match: Match) -> RatedResult | None:
    """The result as it counts; None if it does not.

    Who is a guest or tries a bot today may be something else tomorrow, and the match still does not count.
    """
    found = await borne_out(deps, match)
    if found is not None and (await seating.has_guest(deps, match) or await seating.sandboxed(deps, match)):
        await deps.ratings.leave_out(match.id)
        return None
    return found


async def borne_out(deps: Tables, match: Match) -> RatedResult | None:
    """The result that a log bears out, whoever played; None if it is none that may count."""
    if match.status != "finished" or await deps.ratings.is_left_out(match.id):
        return None
    return ratings.outcome(match, await deps.store.read(match.id))
