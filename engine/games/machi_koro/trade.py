"""MK-43 to MK-46: which trades the business center allows."""

from itertools import compress

from engine.games.machi_koro.content import KINDS, TRADABLE
from engine.games.machi_koro.model import State, Trade

# Every trade there is, by target, given and taken kind (MK-46: up to 397 are listed at once).
_IDS = [KINDS[kind] for kind in TRADABLE]
_TRADES = [[[Trade(give, target, take) for take in _IDS] for give in _IDS] for target in range(4)]
_LIMITED = sum(1 << kind for kind in TRADABLE)


def trades(state: State) -> list[Trade]:
    """Every legal trade of the active seat, by target, then given, then taken kind."""
    listed: list[Trade] = []
    for target in _opponents(state):
        listed += _trades_with(state, target)
    return listed


def can_trade(state: State) -> bool:
    """MK-27: whether any trade is legal."""
    return any(_trades_with(state, target) for target in _opponents(state))


def _opponents(state: State) -> list[int]:
    return [seat for seat in range(len(state.coins)) if seat != state.active]


def _trades_with(state: State, target: int) -> list[Trade]:
    takes = _offers(state, target, state.active)
    listed: list[Trade] = []
    for number, copies in enumerate(_offers(state, state.active, target)):
        if copies:
            same, takes[number] = takes[number], 0  # MK-45
            listed += compress(_TRADES[target][number], takes)
            takes[number] = same
    return listed


def _offers(state: State, giver: int, taker: int) -> list[int]:
    """Copies of each tradable kind that the giver has and of which the taker may have one more (MK-72)."""
    closed = state.closed[taker]
    if closed & _LIMITED:
        return [0 if closed >> kind & 1 else state.owned[kind][giver] for kind in TRADABLE]
    return [state.owned[kind][giver] for kind in TRADABLE]


def over_limit(state: State, give: int, target: int, take: int) -> bool:
    """MK-45, MK-72: neither may receive a kind of which it has as many as allowed."""
    return bool(state.closed[state.active] >> take & 1 or state.closed[target] >> give & 1)
