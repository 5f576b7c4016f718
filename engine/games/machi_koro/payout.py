"""MK-22 to MK-25: the coins that a final roll moves."""

from operator import add, sub

from engine.games.machi_koro.content import EFFECTS, MAJOR, MALL, STADIUM, STADIUM_TAKES, Effect
from engine.games.machi_koro.model import Counts, Payout, State

# By number of seats and active seat: the opponents from the right-hand neighbour on (MK-1, MK-23).
COUNTER_CLOCKWISE = [
    [[(active - step) % seats for step in range(1, seats)] for active in range(seats)] for seats in range(5)
]


def payout(state: State, seat: int, total: int) -> Payout | None:
    """Red, then blue and green, then the stadium; None if no coin moves. The bank is never empty (MK-80)."""
    red, blue, green = EFFECTS[total]
    owned, coins = state.owned, state.coins
    paid: Counts = ()
    income: Counts = ()
    earned = 0
    if red and any(owned[red.kind]):
        coins, paid = _pay(state, red)
    if blue and any(owned[blue.kind]):
        income = owned[blue.kind]
        if blue.coins > 1:
            income = tuple([blue.coins * copies for copies in income])
        coins = tuple(map(add, coins, income))
    if green:
        earned = owned[green.kind][seat]
        if earned:
            earned *= _worth(state, green)
            purses = [*coins]
            purses[seat] += earned
            coins = tuple(purses)
    elif total == MAJOR and owned[STADIUM][seat]:
        return _collect(coins, seat)
    return None if coins is state.coins else Payout(coins, paid, income, earned)


def _pay(state: State, effect: Effect) -> tuple[Counts, Counts]:
    """MK-23: one opponent after the other (MK-88), as far as the purse goes; the rest is forgiven."""
    active, owned = state.active, state.owned[effect.kind]
    coins, paid = [*state.coins], [0] * len(owned)
    for seat in COUNTER_CLOCKWISE[len(owned)][active]:
        if owned[seat]:
            each = effect.coins + (effect.mall if state.closed[seat] & MALL else 0)  # MK-58
            paid[seat] = min(owned[seat] * each, coins[active])
            coins[seat] += paid[seat]
            coins[active] -= paid[seat]
    return (tuple(coins), tuple(paid)) if any(paid) else (state.coins, ())


def _worth(state: State, effect: Effect) -> int:
    """What one copy of a green kind pays the active seat (MK-57, MK-58)."""
    seat = state.active
    if effect.per:
        return effect.coins * sum([state.owned[kind][seat] for kind in effect.per])
    return effect.coins + (effect.mall if state.closed[seat] & MALL else 0)


def _collect(coins: Counts, seat: int) -> Payout | None:
    """MK-25, MK-89: nobody goes below 0. No other card that pays by itself works on this total."""
    taken = [0 if other == seat else min(STADIUM_TAKES, have) for other, have in enumerate(coins)]
    if not any(taken):
        return None
    left = [*map(sub, coins, taken)]
    left[seat] += sum(taken)
    return Payout(tuple(left), stadium=tuple(taken))
