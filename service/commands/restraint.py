"""How often people may change their minds at a table: what a house allows, not what makes a log true."""

from engine.match import Match
from engine.table import Refused

MAX_EARLY = 40  # events of one account before the start of a match …
LONG_LOBBY, ONCE = 500, 2  # … and at a table that has seen so many: sit down, and give a nonce
MAX_CHANGES = 1000  # undos, questions and votes since the start, shared equally by the seats
LONG_MATCH = 4000  # events: from there on a match only goes to its end
MAX_PARTS = 200  # changes of hands of one seat; whoever leaves it leaves room to come back


def check_early(match: Match, who: str) -> None:
    """Nobody fills a log by sitting down and getting up; who has just come may always sit down."""
    most = MAX_EARLY if match.seq < LONG_LOBBY else ONCE
    if match.changes.get(who, 0) >= most:
        raise Refused("changed_too_often")


def check_changes(match: Match, who: str) -> None:
    """Nobody fills the log of a running match by taking back, asking and voting without end."""
    if match.seq >= LONG_MATCH or match.changes.get(who, 0) >= MAX_CHANGES // max(1, len(match.chairs)):
        raise Refused("changed_too_often")


def check_hands(match: Match, seat: int, returns: bool = False) -> None:
    """A seat changes hands only so often; time that runs out asks nobody."""
    if 0 <= seat < len(match.chairs) and len(match.chairs[seat].parts) >= MAX_PARTS - (not returns):
        raise Refused("changed_too_often")
