"""MK-43 to MK-46: which trades the business center allows."""

from collections.abc import Iterator

from engine.games.machi_koro.content import KINDS, TRADABLE
from engine.games.machi_koro.model import State, Trade


def trades(state: State) -> Iterator[Trade]:
    """Every legal trade of the active seat, by target, then given, then taken kind."""
    active, owned = state.active, state.owned
    mine = [kind for kind in TRADABLE if owned[kind][active]]
    for target in range(len(state.coins)):
        if target == active:
            continue
        theirs = [kind for kind in TRADABLE if owned[kind][target]]
        for give in mine:
            for take in theirs:
                if give != take and not over_limit(state, give, target, take):
                    yield Trade(KINDS[give], target, KINDS[take])


def over_limit(state: State, give: int, target: int, take: int) -> bool:
    """MK-45, MK-72: neither may receive a kind of which it has as many as allowed."""
    return bool(state.closed[state.active] >> take & 1 or state.closed[target] >> give & 1)
