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
    seat, paid, stones, cities = fact.seat, fact.paid, state.stones, state.cities
    later = seat + 1
    left = (stones[seat] - paid + fact.gained,)
    city = (extended(cities[seat], Placed(fact.tile, fact.q, fact.r, fact.rotation, fact.level)),)
    after = replace(
        state,
        turn=later % _SIDES[len(cities)],  # AK-20
        site=_without(state.site, paid),
        stones=stones[:seat] + left + stones[later:],
        cities=cities[:seat] + city + cities[later:],
    )
    return after if state.architect is None else _paid(after, state.architect, paid)


def _paid(state: State, architect: Architect, stones: int) -> State:
    """AK-S4: the player's stones go to the architect."""
    return replace(state, architect=replace(architect, stones=architect.stones + stones))


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
