"""Nobody has to play with everybody: who opened a table or sits there decides whom they do not want."""

from engine.match import Match
from service.bootstrap import Deps
from service.errors import Problem

PERSON = "account:"


async def check(deps: Deps, match: Match, who: str) -> None:
    """Refuse somebody whom a person at this table has blocked."""
    hosts = {match.creator}
    for chair in match.chairs:
        hosts |= {holder.id for holder in (chair.holder, chair.owner) if holder and holder.kind == "person"}
    for host in sorted(hosts - {who}):
        if await deps.blocks.has(host.removeprefix(PERSON), who.removeprefix(PERSON)):
            raise Problem("blocked")
