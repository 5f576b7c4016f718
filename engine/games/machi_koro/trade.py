"""MK-43 to MK-46: which trades the business center allows."""

from engine.games.machi_koro.content import KINDS, TRADABLE
from engine.games.machi_koro.model import State, Trade

# Up to 397 trades are listed at once (MK-46), so they are joined from rows made beforehand: by target and
# given kind, the trades for every set of kinds that could be taken, in a lower and an upper half.
_HALF = len(TRADABLE) // 2
_LOW = (1 << _HALF) - 1
_ALL = sum(1 << kind for kind in TRADABLE)
_IDS = [KINDS[kind] for kind in TRADABLE]
_TRADES = [[[Trade(give, target, take) for take in _IDS] for give in _IDS] for target in range(4)]
Rows = list[list[list[tuple[Trade, ...]]]]


def _rows(half: slice) -> Rows:
    masks = range(1 << _HALF)
    return [[[_row(row[half], mask) for mask in masks] for row in rows] for rows in _TRADES]


def _row(row: list[Trade], mask: int) -> tuple[Trade, ...]:
    return tuple(trade for number, trade in enumerate(row) if mask >> number & 1)


_LOWER, _UPPER = _rows(slice(_HALF)), _rows(slice(_HALF, None))


def trades(state: State) -> list[Trade]:
    """Every legal trade of the active seat, by target, then given, then taken kind."""
    listed: list[Trade] = []
    for target in range(len(state.coins)):
        gives, takes = _masks(state, target)
        for give, (lower, upper) in enumerate(zip(_LOWER[target], _UPPER[target], strict=True)):
            if gives >> give & 1:
                others = takes & ~(1 << give)  # MK-45
                listed += lower[others & _LOW]
                listed += upper[others >> _HALF]
    return listed


def can_trade(state: State) -> bool:
    """MK-27: whether any two different kinds can change owners."""
    for target in range(len(state.coins)):
        gives, takes = _masks(state, target)
        if gives and takes and (gives != takes or gives.bit_count() > 1):
            return True
    return False


def _masks(state: State, target: int) -> tuple[int, int]:
    """What could be given and taken, as bits over TRADABLE; nothing if the target is no opponent."""
    active = state.active
    if target == active:
        return 0, 0
    return _offers(state, active, target), _offers(state, target, active)


def _offers(state: State, giver: int, taker: int) -> int:
    """Kinds that the giver has and of which the taker may have one more (MK-72)."""
    owned, closed = state.owned, state.closed[taker]
    mask = 0
    for number, kind in enumerate(TRADABLE):
        if owned[kind][giver]:
            mask |= 1 << number
    if closed & _ALL:
        mask &= ~sum(1 << number for number, kind in enumerate(TRADABLE) if closed >> kind & 1)
    return mask


def over_limit(state: State, give: int, target: int, take: int) -> bool:
    """MK-45, MK-72: neither may receive a kind of which it has as many as allowed."""
    return bool(state.closed[state.active] >> take & 1 or state.closed[target] >> give & 1)
