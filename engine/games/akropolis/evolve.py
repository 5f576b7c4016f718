"""Facts are folded into the state, never judged."""

from collections.abc import Callable
from typing import Any, TypeVar

from msgspec.structs import replace

from engine.games.akropolis.content import SETUPS
from engine.games.akropolis.model import (
    Architect,
    Built,
    City,
    Drawn,
    Fact,
    NextRound,
    Opened,
    Placed,
    Scored,
    SetUp,
    State,
    Taken,
)
from engine.games.akropolis.plan import extended
from engine.games.akropolis.solo import STONES

T = TypeVar("T")

_SIDES = (0, 2, 2, 3, 4)  # by number of seats
BARE = City()  # shared, so that its plan is worked out once


def evolve(state: State | None, fact: Fact) -> State:
    return _EVOLVE[type(fact)](state, fact)


def sides(state: State) -> int:
    """How many take turns: the seats, and in a solo match the architect."""
    return _SIDES[len(state.cities)]


def _swap(items: tuple[T, ...], at: int, item: T) -> tuple[T, ...]:
    return items[:at] + (item,) + items[at + 1 :]  # noqa: RUF005 - twice as fast as unpacking


def _without(items: tuple[T, ...], at: int) -> tuple[T, ...]:
    return items[:at] + items[at + 1 :]


def _set_up(_: None, fact: SetUp) -> State:
    deck = SETUPS[fact.seats, fact.options.long_game].tiles
    architect = Architect(STONES) if fact.seats == 1 else None
    return State(
        options=fact.options,
        phase="open",
        draws=0,
        round=1,
        chief=0,
        turn=0,
        deck=deck,
        site=(),
        stones=(0,) * fact.seats,
        cities=(BARE,) * fact.seats,
        architect=architect,
    )


def _opened(state: State, fact: Opened) -> State:
    draws = state.draws if fact.n is None else fact.n + 1
    return replace(state, phase="deal", draws=draws, chief=fact.chief, turn=fact.chief, stones=fact.stones)


def _drawn(state: State, fact: Drawn) -> State:
    site = (*state.site, fact.tile)
    full = len(site) == sides(state) + 2
    deck = _without(state.deck, state.deck.index(fact.tile))
    return replace(state, phase="build" if full else "deal", draws=fact.n + 1, site=site, deck=deck)


def _built(state: State, fact: Built) -> State:
    seat, paid = fact.seat, fact.paid
    placed = Placed(fact.tile, fact.q, fact.r, fact.rotation, fact.level)
    architect = state.architect
    if architect is not None:  # AK-S4
        architect = replace(architect, stones=architect.stones + paid)
    return replace(
        state,
        turn=(seat + 1) % sides(state),  # AK-20
        site=_without(state.site, paid),
        stones=_swap(state.stones, seat, state.stones[seat] - paid + fact.gained),
        cities=_swap(state.cities, seat, extended(state.cities[seat], placed)),
        architect=architect,
    )


def _taken(state: State, fact: Taken) -> State:
    assert state.architect is not None
    stones, tiles = state.architect.stones - fact.paid, (*state.architect.tiles, fact.tile)
    return replace(state, turn=0, site=_without(state.site, fact.paid), architect=Architect(stones, tiles))


def _next_round(state: State, fact: NextRound) -> State:
    return replace(state, phase="deal", round=fact.round, chief=fact.chief)


def _scored(state: State, fact: Scored) -> State:
    return replace(state, phase="over", final=fact)


_EVOLVE: dict[type, Callable[[Any, Any], State]] = {
    SetUp: _set_up,
    Opened: _opened,
    Drawn: _drawn,
    Built: _built,
    Taken: _taken,
    NextRound: _next_round,
    Scored: _scored,
}
