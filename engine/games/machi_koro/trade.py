"""MK-43 to MK-46: which trades the business center allows."""

from collections.abc import Iterator
from itertools import compress

from engine.games.machi_koro.content import KINDS, TRADABLE
from engine.games.machi_koro.model import State, Trade

# Up to 397 trades are listed at once (MK-46), so they are joined from rows made beforehand: by target and
# given kind, its bit and the trades for every set of kinds that could be taken, in a lower and an upper half.
_HALF = 8
_LOW = (1 << _HALF) - 1
_BITS = [1 << kind if kind in TRADABLE else 0 for kind in range(len(KINDS))]
_ALL = sum(_BITS)
Row = tuple[int, list[tuple[Trade, ...]], list[tuple[Trade, ...]]]


def _row(target: int, give: str) -> Row:
    trades = [Trade(give, target, take) for take in KINDS]
    lower = [_chosen(trades, mask) for mask in range(1 << _HALF)]
    upper = [_chosen(trades, mask << _HALF) for mask in range(1 << len(KINDS) - _HALF)]
    return 1 << KINDS.index(give), lower, upper


def _chosen(trades: list[Trade], mask: int) -> tuple[Trade, ...]:
    """The trades for these kinds; sets with a purple kind are never asked for."""
    if mask & ~_ALL:
        return ()
    return tuple(trade for kind, trade in enumerate(trades) if mask >> kind & 1)


_ROWS = [[_row(target, KINDS[give]) for give in TRADABLE] for target in range(4)]


def trades(state: State) -> list[Trade]:
    """Every legal trade of the active seat, by target, then given, then taken kind."""
    listed: list[Trade] = []
    for target, gives, takes in _masks(state):
        for bit, lower, upper in _ROWS[target]:
            if gives & bit:
                others = takes & ~bit  # MK-45
                listed += lower[others & _LOW]
                listed += upper[others >> _HALF]
    return listed


def can_trade(state: State) -> bool:
    """MK-27: whether any two different kinds can change owners."""
    return any(
        gives and takes and (gives != takes or gives.bit_count() > 1) for _, gives, takes in _masks(state)
    )


def _masks(state: State) -> Iterator[tuple[int, int, int]]:
    """By opponent, the kinds that could be given and taken: the receiver must have room (MK-72)."""
    active, closed = state.active, state.closed
    held = [sum(compress(_BITS, city)) for city in zip(*state.owned, strict=True)]
    for target, theirs in enumerate(held):
        if target != active:
            yield target, held[active] & ~closed[target], theirs & ~closed[active]


def over_limit(state: State, give: int, target: int, take: int) -> bool:
    """MK-45, MK-72: neither may receive a kind of which it has as many as allowed."""
    return bool(state.closed[state.active] >> take & 1 or state.closed[target] >> give & 1)
