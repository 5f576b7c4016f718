"""Facts of the setup and of every later draw, folded into the state (chapter 4)."""

from typing import Any

from msgspec.structs import replace

from engine.games.world_wonders import city as cities
from engine.games.world_wonders.content import table
from engine.games.world_wonders.facts import (
    GoalShown,
    MapDealt,
    MonumentShown,
    OrderDrawn,
    SetUp,
    SoloCardShown,
    TileShown,
)
from engine.games.world_wonders.model import Await, City, Options, State

GOALS = 3  # WW-29


def with_city(state: State, seat: int, city: City) -> tuple[City, ...]:
    cities = state.cities
    return (*cities[:seat], city, *cities[seat + 1 :])


def put(values: tuple[Any, ...], at: int, value: Any) -> tuple[Any, ...]:
    return (*values[:at], value, *values[at + 1 :])


def less(values: tuple[str, ...], value: str) -> tuple[str, ...]:
    """Without one card or tile; prepared decks of rule cases may show what a stack does not hold."""
    if value not in values:
        return values
    at = values.index(value)
    return values[:at] + values[at + 1 :]


def set_up(_: None, fact: SetUp) -> State:
    """WW-20 to WW-29; what is random follows as draws, in the order of chapter 4."""
    content = table(fact.data)
    setup = content.setups[fact.seats]
    maps = content.sides[fact.options.map_side]
    solo = fact.seats == 1
    return State(
        options=fact.options,
        data=fact.data,
        phase="prepare",
        round=1,
        order=tuple(range(fact.seats)),
        active=-1,
        fresh_loan=False,
        draws=0,
        awaits=_first_draws(fact, len(maps) > 1, setup.turn_up, setup.monuments),
        tiles=(None,) * len(setup.stacks),
        stacks=tuple(content.stacks[number].tiles for number in setup.stacks),
        long_roads=setup.long_roads,
        short_roads=setup.short_roads,
        towers=setup.towers,
        pedestals=(None,) * setup.pedestals,
        slots=(None,) * setup.monuments,
        deck=tuple(content.cards),
        goals=(),
        solo_deck=tuple(content.solo_cards) if solo else (),
        automaton=(),
        discards=(),
        asked=None,
        purchase=None,
        cities=(cities.fresh(content, "" if len(maps) > 1 else maps[0]),) * fact.seats,
    )


def _first_draws(fact: SetUp, deal: bool, tiles: tuple[Await, ...], monuments: int) -> tuple[Await, ...]:
    options: Options = fact.options
    order = fact.seats > 1 and options.start_order == "random"
    return (
        *((Await("order"),) if order else ()),
        *(Await("map", seat) for seat in range(fact.seats if deal else 0)),
        *tiles,
        *(Await("monument", slot) for slot in range(monuments)),
        *((Await("goal"),) * (GOALS if options.advanced else 0)),
    )


def order_drawn(state: State, fact: OrderDrawn) -> State:
    return replace(state, order=fact.order, draws=fact.n + 1, awaits=state.awaits[1:])


def map_dealt(state: State, fact: MapDealt) -> State:
    city = cities.on_map(table(state.data), state.cities[fact.seat], fact.map)
    dealt = with_city(state, fact.seat, city)
    return replace(state, cities=dealt, draws=fact.n + 1, awaits=state.awaits[1:])


def tile_shown(state: State, fact: TileShown) -> State:
    at = state.awaits[0].at
    return replace(
        state,
        tiles=put(state.tiles, at, fact.tile),
        stacks=put(state.stacks, at, less(state.stacks[at], fact.tile)),
        draws=fact.n + 1,
        awaits=state.awaits[1:],
    )


def monument_shown(state: State, fact: MonumentShown) -> State:
    return replace(
        state,
        slots=put(state.slots, fact.slot, fact.card),
        deck=less(state.deck, fact.card),
        draws=fact.n + 1,
        awaits=state.awaits[1:],
    )


def goal_shown(state: State, fact: GoalShown) -> State:
    return replace(state, goals=(*state.goals, fact.goal), draws=fact.n + 1, awaits=state.awaits[1:])


def solo_card_shown(state: State, fact: SoloCardShown) -> State:
    if fact.reshuffle:  # WW-165: and the draw is still due
        return replace(state, solo_deck=tuple(table(state.data).solo_cards), draws=fact.n + 1)
    return replace(
        state, solo_deck=less(state.solo_deck, fact.card), draws=fact.n + 1, awaits=state.awaits[1:]
    )
