"""Who may know of a match, and the codes that let people in. Derived, not stored."""

import hmac
from functools import lru_cache

from engine.match import Match
from service.basics.errors import Problem
from service.bootstrap import Process, Tables


def invite_code(deps: Process, match: str) -> str:
    """Whoever has the code was given it by the creator."""
    return _code(deps.secret, f"invite:{match}")


def reader_code(deps: Process, match: str) -> str:
    """Whoever has it was shown the match by somebody at the table, and may read it; it is no invitation."""
    return _code(deps.secret, f"read:{match}")


def substitute_code(deps: Process, match: Match, seat: int) -> str:
    """For one seat, until it changes hands."""
    taken = match.chairs[seat].parts[-1].seq if match.chairs[seat].parts else 0
    return _code(deps.secret, f"substitute:{match.id}:{seat}:{taken}")


@lru_cache(maxsize=4096)  # its creator is shown it with every answer
def _code(secret: bytes, text: str) -> str:
    return hmac.digest(secret, text.encode(), "sha256")[:12].hex()


def invited(deps: Process, match: str, code: str) -> bool:
    return hmac.compare_digest(code.encode(), invite_code(deps, match).encode())


def substitute_for(deps: Process, match: Match, seat: int, code: str) -> bool:
    return hmac.compare_digest(code.encode(), substitute_code(deps, match, seat).encode())


async def readable(deps: Tables, ident: str, who: str | None, invite: str = "") -> Match:
    """The match as it is now, for whoever may know of it; to others it does not exist."""
    return _shown(deps, await deps.matches.now(ident), who, invite)


def _shown(deps: Process, match: Match, who: str | None, invite: str) -> Match:
    if not may_read(deps, match, who, invite):
        raise Problem("not_found")
    return match


async def enterable(deps: Tables, ident: str, who: str, invite: str = "") -> Match:
    """The same for whoever wants to sit down: who may only read is not invited."""
    match = await readable(deps, ident, who, invite)
    if not may_enter(deps, match, who, invite):
        raise Problem("wrong_invite")
    return match


def may_read(deps: Process, match: Match, who: str | None, invite: str = "") -> bool:
    """Whoever may enter, and whoever was shown the match by a player."""
    if may_enter(deps, match, who, invite):
        return True
    return hmac.compare_digest(invite.encode(), reader_code(deps, match.id).encode())


def may_enter(deps: Process, match: Match, who: str | None, invite: str = "") -> bool:
    """Listed matches are open to all; others to the table, to their opener, and to whoever was invited."""
    if match.listed or (who is not None and (match.creator == who or match.seat_of(who) is not None)):
        return True
    if not invite:
        return False
    seats = range(len(match.chairs))
    return invited(deps, match.id, invite) or any(substitute_for(deps, match, n, invite) for n in seats)
