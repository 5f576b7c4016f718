"""MK-22 to MK-25: the coins that a final roll moves."""

from engine.games.machi_koro.content import (
    BLUE,
    GREEN,
    MAJOR,
    MALL,
    RED,
    STADIUM,
    STADIUM_TAKES,
    Effect,
)
from engine.games.machi_koro.model import Counts, Payout, State


def payout(state: State, total: int) -> Payout | None:
    """Red, then blue and green, then the stadium; None if no coin moves."""
    seat, coins = state.active, state.coins
    red: Counts = ()
    blue: Counts = ()
    stadium: Counts = ()
    income = 0
    if (effect := RED[total]) and any(state.owned[effect.kind]):
        coins, red = _pay(state, effect)
    if (effect := BLUE[total]) and any(state.owned[effect.kind]):
        coins, blue = _earn(coins, effect.coins, state.owned[effect.kind])
    if (effect := GREEN[total]) and (copies := state.owned[effect.kind][seat]):
        income = copies * _worth(state, effect)
        coins = (*coins[:seat], coins[seat] + income, *coins[seat + 1 :])
    if total == MAJOR and state.owned[STADIUM][seat]:
        coins, stadium = _collect(coins, seat)
    if coins is state.coins:
        return None
    return Payout(coins, red, blue, income, stadium)


def _pay(state: State, effect: Effect) -> tuple[Counts, Counts]:
    """MK-23: counter-clockwise from the right-hand neighbour, as far as the purse goes."""
    active, coins, owned = state.active, list(state.coins), state.owned[effect.kind]
    paid = [0] * len(coins)
    for step in range(1, len(coins)):
        seat = (active - step) % len(coins)
        each = effect.coins + (effect.mall if state.closed[seat] & MALL else 0)  # MK-58
        paid[seat] = min(owned[seat] * each, coins[active])
        coins[seat] += paid[seat]
        coins[active] -= paid[seat]
    return (tuple(coins), tuple(paid)) if any(paid) else (state.coins, ())


def _earn(coins: Counts, each: int, owned: Counts) -> tuple[Counts, Counts]:
    """MK-24: blue cards pay everybody, every copy separately (MK-56)."""
    income = owned if each == 1 else tuple([each * copies for copies in owned])
    return tuple([have + more for have, more in zip(coins, income, strict=True)]), income


def _worth(state: State, effect: Effect) -> int:
    """What one copy of a green kind pays the active seat (MK-57, MK-58)."""
    seat = state.active
    if effect.per:
        return effect.coins * sum([state.owned[kind][seat] for kind in effect.per])
    return effect.coins + (effect.mall if state.closed[seat] & MALL else 0)


def _collect(coins: Counts, seat: int) -> tuple[Counts, Counts]:
    """MK-25, MK-89: nobody goes below 0."""
    taken = [0 if other == seat else min(STADIUM_TAKES, have) for other, have in enumerate(coins)]
    if not any(taken):
        return coins, ()
    left = [have - lost for have, lost in zip(coins, taken, strict=True)]
    left[seat] += sum(taken)
    return tuple(left), tuple(taken)
