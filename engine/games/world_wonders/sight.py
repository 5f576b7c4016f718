"""Chapter 17: everything on the table is public; only the order of what lies face down is hidden.

That order does not exist before it is drawn, so a view tells all and a state can be read back from it.
"""

from functools import lru_cache
from random import Random
from typing import Any

from engine.games.world_wonders import city as cities
from engine.games.world_wonders import scoring, wonders
from engine.games.world_wonders.content import Table, table
from engine.games.world_wonders.facts import (
    Fact,
    GoalShown,
    MapDealt,
    MonumentShown,
    OrderDrawn,
    SoloCardShown,
    TileShown,
)
from engine.games.world_wonders.grid import mask_of, to_cells
from engine.games.world_wonders.model import (
    Action,
    Building,
    City,
    Monument,
    Purchase,
    State,
)
from engine.games.world_wonders.views import (
    CityView,
    ObjectView,
    PurchaseView,
    TileView,
    View,
)


def view(state: State, seat: int | None) -> View:
    """WW-180 to WW-182: the same for every seat and for spectators."""
    content = table(state.data)
    lines = scoring.score(state) if all(city.map for city in state.cities) else ((),) * len(state.cities)
    return View(
        options=state.options,
        data=state.data,
        phase=state.phase,
        round=state.round,
        rounds=content.rounds,
        order=state.order,
        active=state.active,
        loan_taken_this_turn=state.fresh_loan,
        draws=state.draws,
        awaits=state.awaits,
        buildings=_offer(content, state),
        long_roads=state.long_roads,
        short_roads=state.short_roads,
        towers=state.towers,
        pedestals=state.pedestals,
        monuments=state.slots,
        unseen_monuments=state.deck,
        goals=state.goals,
        unseen_solo_cards=state.solo_deck,
        automaton_monuments=state.automaton,
        target=scoring.target(state),
        discards=state.discards,
        asked=state.asked,
        purchase=_purchase(content, state),
        cities=tuple(
            _city(content, state, city, score) for city, score in zip(state.cities, lines, strict=True)
        ),
    )


def _offer(content: Table, state: State) -> tuple[TileView, ...]:
    """The stacks in play with what lies on top of them."""
    numbers = content.setups[len(state.cities)].stacks
    return tuple(
        _tile(state.data, number, tile, unseen)
        for number, tile, unseen in zip(numbers, state.tiles, state.stacks, strict=True)
    )


@lru_cache(maxsize=4096)
def _tile(data: str, number: int, tile: str | None, unseen: tuple[str, ...]) -> TileView:
    content = table(data)
    stack = content.stacks[number]
    shape = tuple(row.replace("L", "#") for row in content.shapes[stack.shape])
    if tile is None:
        return TileView(stack.id, stack.price, shape, None, "", {}, unseen)
    printed = content.tiles[tile]
    return TileView(
        stack.id, stack.price, shape, tile, printed.kind, _amounts(content, printed.resources), unseen
    )


def _amounts(content: Table, resources: tuple[int, ...]) -> dict[str, int]:
    return dict(zip(content.resources, resources, strict=True))


def _purchase(content: Table, state: State) -> PurchaseView | None:
    bought = state.purchase
    if bought is None:
        return None
    stride = content.board(state.cities[state.active].map).on.stride
    cells = to_cells(bought.cells, stride)
    return PurchaseView(bought.item, bought.pieces, bought.stack, bought.tile, bought.card, cells)


def _city(content: Table, state: State, city: City, lines: tuple[Any, ...]) -> CityView:
    return CityView(
        map=city.map,
        rows=content.board(city.map).rows if city.map else (),
        objects=objects(content.board(city.map).on.stride, city) if city.map else (),
        spent=city.spent,
        limit=city.limit,
        coins=city.limit - city.spent,
        loan=city.loan,
        loan_taken_this_round=city.borrowed,
        resources=_amounts(content, city.resources),
        population=city.population,
        monuments=tuple(cities.cards(city)),
        first_road_placed=city.settled,
        out=city.out,
        score=lines,
        lacking=_lacking(content, state, city) if city.map else (),
    )


def _lacking(content: Table, state: State, city: City) -> tuple[tuple[str, ...], ...]:
    board, cards = content.board(city.map), content.cards
    return tuple(() if slot is None else wonders.lacking(board, city, cards[slot]) for slot in state.slots)


def objects(stride: int, city: City) -> tuple[ObjectView, ...]:
    return (
        *[_road(cells, stride) for cells in city.roads],
        *[_tower(cells, stride) for cells in city.towers],
        *[_building(building, stride) for building in city.buildings],
        *[_monument(monument, stride) for monument in city.monuments],
    )


# The same few thousand objects are shown again and again, so each is made once.


@lru_cache(maxsize=4096)
def _road(cells: int, stride: int) -> ObjectView:
    return ObjectView("road", to_cells(cells, stride))


@lru_cache(maxsize=4096)
def _tower(cells: int, stride: int) -> ObjectView:
    return ObjectView("tower", to_cells(cells, stride))


@lru_cache(maxsize=16384)
def _building(building: Building, stride: int) -> ObjectView:
    return ObjectView("building", to_cells(building.cells, stride), kind=building.kind, tile=building.tile)


@lru_cache(maxsize=4096)
def _monument(monument: Monument, stride: int) -> ObjectView:
    return ObjectView("monument", to_cells(monument.cells, stride), card=monument.card)


def redact(item: Action | Fact, seat: int | None) -> Action | Fact:
    """Nothing is hidden from anybody (WW-182)."""
    return item


def reveals(fact: Fact) -> bool:
    """A tile, card, map or order came up."""
    return isinstance(fact, (OrderDrawn, MapDealt, TileShown, MonumentShown, GoalShown, SoloCardShown))


def determinise(view: View, rng: Random) -> State:
    """The state behind a view: nobody knows more, and what is to come is not decided yet."""
    content = table(view.data)
    return State(
        options=view.options,
        data=view.data,
        phase=view.phase,
        round=view.round,
        order=view.order,
        active=view.active,
        fresh_loan=view.loan_taken_this_turn,
        draws=view.draws,
        awaits=view.awaits,
        tiles=tuple(offer.tile for offer in view.buildings),
        stacks=tuple(offer.unseen for offer in view.buildings),
        long_roads=view.long_roads,
        short_roads=view.short_roads,
        towers=view.towers,
        pedestals=view.pedestals,
        slots=view.monuments,
        deck=view.unseen_monuments,
        goals=view.goals,
        solo_deck=view.unseen_solo_cards,
        automaton=view.automaton_monuments,
        discards=view.discards,
        asked=view.asked,
        purchase=_bought(content, view),
        cities=tuple(city_of(content, city) for city in view.cities),
    )


def _bought(content: Table, view: View) -> Purchase | None:
    seen = view.purchase
    if seen is None:
        return None
    stride = content.board(view.cities[view.active].map).on.stride
    return Purchase(seen.item, seen.pieces, seen.stack, seen.tile, seen.card, mask_of(seen.cells, stride))


def city_of(content: Table, seen: CityView) -> City:
    """A city with its bit boards, from what everybody sees of it."""
    city = City(
        map="",
        resources=tuple(seen.resources[name] for name in content.resources),
        limit=seen.limit,
        spent=seen.spent,
        loan=seen.loan,
        borrowed=seen.loan_taken_this_round,
        out=seen.out,
        settled=seen.first_road_placed,
        population=seen.population,
        by_kind=(0,) * len(content.kinds),
    )
    if not seen.map:
        return city
    city = cities.on_map(content, city, seen.map)
    stride = content.board(seen.map).on.stride
    roads, towers, buildings, monuments = [], [], [], []
    for thing in seen.objects:
        cells = mask_of(thing.cells, stride)
        match thing.object:
            case "road":
                roads.append(cells)
            case "tower":
                towers.append(cells)
            case "building":
                buildings.append(Building(thing.kind, thing.tile, cells))
            case "monument":
                monuments.append(Monument(thing.card, cells))
    return cities.with_objects(content, city, roads, towers, buildings, monuments)
