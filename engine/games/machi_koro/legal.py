"""Who may do what: the seat to act, its legal actions, and what chance may do."""

from collections.abc import Sequence
from itertools import compress, product
from typing import Any

from engine.game import NOBODY, ONLY_CHANCE, Odds
from engine.games.machi_koro.content import AFFORDABLE, FACES, KINDS, RICH, THINGS
from engine.games.machi_koro.masks import things
from engine.games.machi_koro.model import (
    Action,
    Build,
    Counts,
    Dice,
    Keep,
    Pass,
    Phase,
    Reroll,
    Roll,
    SkipTrade,
    Starter,
    State,
    TopCard,
    TvStation,
)
from engine.games.machi_koro.trade import trades

_SEATS = tuple(frozenset({seat}) for seat in range(4))
_TO_ACT = dict.fromkeys(("roll", "reroll", "tv_station", "business_center", "build"), _SEATS) | {
    "over": (NOBODY,) * 4,
    **dict.fromkeys(("deck", "first", "one_die", "two_dice"), (ONLY_CHANCE,) * 4),
}


def to_act(state: State) -> frozenset[int]:
    return _TO_ACT[state.phase][state.active]


def legal(state: State, seat: int) -> Sequence[Action]:
    """MK-40 to MK-50: only the active seat ever decides."""
    if seat != state.active:
        return ()
    if state.phase == "build":
        coins = state.coins[seat]
        mask = state.open & ~state.closed[seat] & AFFORDABLE[coins if coins < RICH else RICH]
        return _LOWER[mask & _LOW] + _UPPER[mask >> _HALF]
    return _choices(state)


def buildable(state: State, seat: int, coins: int) -> int:
    """MK-50 as a mask: on offer, not closed to the seat, and within these coins."""
    return state.open & ~state.closed[seat] & AFFORDABLE[coins if coins < RICH else RICH]


def _builds(mask: int) -> tuple[Action, ...]:
    return tuple(_BUILDS[thing] for thing in things(mask))


# Every list of builds, in two halves that only have to be joined: `pass` ends the upper one (MK-90).
_HALF = 10
_LOW = (1 << _HALF) - 1
_BUILDS = {thing: Build(thing) for thing in THINGS}
_LOWER: list[tuple[Action, ...]] = [_builds(mask) for mask in range(1 << _HALF)]
_UPPER: list[tuple[Action, ...]] = [
    (*_builds(mask << _HALF), Pass()) for mask in range(1 << len(THINGS) - _HALF)
]

_ROLLS = (Roll(1), Roll(2))
_REROLLS = (Keep(), Reroll())
_TARGETS = tuple(TvStation(target) for target in range(4))


def _choices(state: State) -> Sequence[Action]:
    """What the steps before the build offer."""
    match state.phase:
        case "roll":
            return _ROLLS
        case "reroll":
            return _REROLLS
        case "tv_station":
            return [_TARGETS[seat] for seat in range(len(state.coins)) if seat != state.active]
        case "business_center":
            return [*trades(state), SkipTrade()]
        case _:
            return ()


DICE: dict[Counts, Dice] = {
    faces: Dice(faces, sum(faces), faces == (faces[0],) * 2)
    for number in (1, 2)
    for faces in product(FACES, repeat=number)
}
_THROWS: dict[Phase, Odds[Any]] = {
    "one_die": Odds(tuple(dice for dice in DICE.values() if len(dice.faces) == 1)),
    "two_dice": Odds(tuple(dice for dice in DICE.values() if len(dice.faces) == 2)),
}
_TOP_CARDS = tuple(map(TopCard, KINDS))


def odds(state: State) -> Odds[Any]:
    """Dice (two of them are one draw), the top of the deck (MK-70), the first seat (MK-13)."""
    throw = _THROWS.get(state.phase)
    if throw is not None:
        return throw
    if state.phase == "first":
        return Odds(tuple(map(Starter, range(len(state.coins)))))
    return Odds(tuple(compress(_TOP_CARDS, state.deck)), tuple(filter(None, state.deck)))
