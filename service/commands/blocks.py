"""Nobody has to play with everybody: who opened a table or sits there decides whom they do not want."""

from engine.identity import account_id
from engine.match import Match
from service.basics.errors import Problem
from service.bootstrap import People


async def check(deps: People, match: Match, who: str) -> None:
    """Refuse somebody whom a person at this table has blocked."""
    hosts = {match.creator}
    for chair in match.chairs:
        hosts |= {holder.id for holder in (chair.holder, chair.owner) if holder and holder.kind == "person"}
    for host in sorted(hosts - {who}):
        if await deps.blocks.has(account_id(host), account_id(who)):
            raise Problem("blocked")
