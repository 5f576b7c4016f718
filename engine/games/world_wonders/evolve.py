"""Facts are folded, never judged: what each of them changes in the state."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from engine.games.world_wonders import city as cities
from engine.games.world_wonders import setup
from engine.games.world_wonders.content import table
from engine.games.world_wonders.facts import (
    AutomatonAsked,
    AutomatonBegan,
    AutomatonDiscarded,
    AutomatonPassed,
    AutomatonTook,
    Bought,
    Completed,
    Ended,
    Fact,
    Gained,
    GoalShown,
    LoanRepaid,
    LoanTaken,
    MapDealt,
    MonumentShown,
    OrderDrawn,
    Placed,
    RoundBegan,
    SetUp,
    SoloCardShown,
    TileShown,
    TurnBegan,
    WentOut,
)
from engine.games.world_wonders.grid import mask_of
from engine.games.world_wonders.model import (
    Asked,
    Await,
    Building,
    Monument,
    Purchase,
    State,
)
from engine.games.world_wonders.setup import less, put, with_city


def evolve(state: State | None, fact: Fact) -> State:
    known = _seen_ahead.pop(id(fact), None)
    if known is not None and known[0] is state and known[1] is fact:
        return known[2]
    return _EVOLVE[type(fact)](state, fact)


def ahead(state: State, fact: Fact) -> State:
    """`evolve` for whoever decides: the state after a fact that is about to happen.

    The same fact is folded into the same state a moment later, so the answer is kept for that one time.
    """
    after = _EVOLVE[type(fact)](state, fact)
    if len(_seen_ahead) >= 64:  # decided, but never folded
        _seen_ahead.clear()
    _seen_ahead[id(fact)] = state, fact, after
    return after


_seen_ahead: dict[int, tuple[State, Fact, State]] = {}  # holds the fact, so its id stays its own


# --- rounds and turns ------------------------------------------------------------------------------------


def _round_began(state: State, fact: RoundBegan) -> State:
    """WW-43."""
    left = tuple(tile for tile in state.tiles if tile is not None)
    return replace(
        state,
        phase="prepare",
        round=fact.round,
        order=fact.order,
        active=-1,
        awaits=_due(state),
        tiles=(None,) * len(state.tiles),
        long_roads=fact.long_roads,
        short_roads=fact.short_roads,
        towers=fact.towers,
        pedestals=(None,) * len(state.pedestals),
        discards=state.discards + left,
        cities=tuple(
            replace(city, spent=0, limit=fact.coins, borrowed=False, out=False) for city in state.cities
        ),
    )


def _due(state: State) -> tuple[Await, ...]:
    """One tile of every stack that still has one."""
    every = table(state.data).setups[len(state.cities)].turn_up
    return every if all(state.stacks) else tuple(due for due in every if state.stacks[due.at])


def _turn_began(state: State, fact: TurnBegan) -> State:
    return replace(
        state, phase="first_road" if fact.first_road else "turn", active=fact.seat, fresh_loan=False
    )


def _bought(state: State, fact: Bought) -> State:
    """WW-50: the price is paid and the item leaves the offer; a monument's card stays in its slot."""
    city = state.cities[fact.seat]
    cities = with_city(state, fact.seat, replace(city, spent=city.spent + fact.price))
    if not fact.pieces:
        pedestals = put(state.pedestals, fact.slot - 1, fact.seat)
        return replace(state, cities=cities, pedestals=pedestals)
    purchase = Purchase(fact.item, fact.pieces, fact.stack, fact.tile, fact.card)
    match fact.item:
        case "building":
            state = replace(state, tiles=put(state.tiles, state.tiles.index(fact.tile), None))
        case "long_road":
            state = replace(state, long_roads=state.long_roads - 1)
        case "short_roads":
            state = replace(state, short_roads=state.short_roads - 1)
        case "tower":
            state = replace(state, towers=state.towers - 1)
    return replace(state, phase="placing", purchase=purchase, cities=cities)


def _placed(state: State, fact: Placed) -> State:
    content = table(state.data)
    city = state.cities[fact.seat]
    board = content.board(city.map)
    cells = mask_of(fact.cells, board.on.stride)
    purchase = state.purchase
    if purchase is None:
        city = replace(cities.with_road(board, city, cells), settled=True)
        return replace(state, phase="turn", cities=with_city(state, fact.seat, city))
    if purchase.item == "monument":
        rest = purchase.pieces[1:]
        return replace(state, purchase=replace(purchase, pieces=rest, cells=purchase.cells | cells))
    if purchase.item == "building":
        building = Building(content.tiles[purchase.tile].kind, purchase.tile, cells)
        city = cities.with_building(content, board, city, building)
    elif purchase.item == "tower":
        city = cities.with_tower(board, city, cells)
    else:
        city = cities.with_road(board, city, cells)
    pieces = less(purchase.pieces, fact.piece)
    return replace(
        state,
        cities=with_city(state, fact.seat, city),
        purchase=replace(purchase, pieces=pieces) if pieces else None,
    )


def _gained(state: State, fact: Gained) -> State:
    city = state.cities[fact.seat]
    resources = tuple(map(int.__add__, city.resources, fact.resources))
    city = replace(city, resources=resources, population=city.population + fact.population)
    return replace(state, cities=with_city(state, fact.seat, city))


def _completed(state: State, fact: Completed) -> State:
    """WW-59, WW-76: the freed slot is filled at once, as long as there are cards."""
    assert state.purchase is not None
    city = cities.with_monument(state.cities[fact.seat], Monument(fact.card, state.purchase.cells))
    return replace(
        state,
        phase="refill",
        awaits=(Await("monument", fact.slot),) if state.deck else (),
        slots=put(state.slots, fact.slot, None),
        purchase=None,
        cities=with_city(state, fact.seat, city),
    )


def _loan_taken(state: State, fact: LoanTaken) -> State:
    city = state.cities[fact.seat]
    city = replace(city, loan=True, borrowed=True, limit=city.limit + fact.coins)
    return replace(state, fresh_loan=True, cities=with_city(state, fact.seat, city))


def _loan_repaid(state: State, fact: LoanRepaid) -> State:
    city = state.cities[fact.seat]
    city = replace(city, loan=False, spent=city.spent + fact.coins)
    return replace(state, cities=with_city(state, fact.seat, city))


def _went_out(state: State, fact: WentOut) -> State:
    city = replace(state.cities[fact.seat], out=True)
    return replace(state, cities=with_city(state, fact.seat, city))


# --- solo ------------------------------------------------------------------------------------------------


def _automaton_began(state: State, fact: AutomatonBegan) -> State:
    return replace(state, phase="automaton", awaits=(Await("solo"),))


def _automaton_asked(state: State, fact: AutomatonAsked) -> State:
    asked = Asked(fact.card, fact.section, fact.item, fact.stacks)
    return replace(state, phase="automaton_choice", active=0, asked=asked)


def _automaton_discarded(state: State, fact: AutomatonDiscarded) -> State:
    match fact.item:
        case "long_road":
            return replace(state, long_roads=state.long_roads - 1)
        case "short_roads":
            return replace(state, short_roads=state.short_roads - 1)
        case "tower":
            return replace(state, towers=state.towers - 1)
    tiles = put(state.tiles, state.tiles.index(fact.tile), None)
    return replace(state, phase="automaton", asked=None, tiles=tiles, discards=(*state.discards, fact.tile))


def _automaton_took(state: State, fact: AutomatonTook) -> State:
    return replace(
        state,
        awaits=(Await("monument", fact.slot),) if state.deck else (),
        slots=put(state.slots, fact.slot, None),
        automaton=(*state.automaton, fact.card),
    )


def _automaton_passed(state: State, fact: AutomatonPassed) -> State:
    return state


def _ended(state: State, fact: Ended) -> State:
    return replace(state, phase="over")


_EVOLVE: dict[type, Callable[[Any, Any], State]] = {
    SetUp: setup.set_up,
    OrderDrawn: setup.order_drawn,
    MapDealt: setup.map_dealt,
    TileShown: setup.tile_shown,
    MonumentShown: setup.monument_shown,
    GoalShown: setup.goal_shown,
    SoloCardShown: setup.solo_card_shown,
    RoundBegan: _round_began,
    TurnBegan: _turn_began,
    Bought: _bought,
    Placed: _placed,
    Gained: _gained,
    Completed: _completed,
    LoanTaken: _loan_taken,
    LoanRepaid: _loan_repaid,
    WentOut: _went_out,
    AutomatonBegan: _automaton_began,
    AutomatonAsked: _automaton_asked,
    AutomatonDiscarded: _automaton_discarded,
    AutomatonTook: _automaton_took,
    AutomatonPassed: _automaton_passed,
    Ended: _ended,
}
