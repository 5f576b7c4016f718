"""A described position as a state, and chance that deals from prepared decks (rule cases, tests, puzzles)."""

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from engine.game import Illegal, Odds, Pick
from engine.games.world_wonders import city as cities
from engine.games.world_wonders import rules
from engine.games.world_wonders.content import DATA, Table, merged, table
from engine.games.world_wonders.evolve import evolve
from engine.games.world_wonders.facts import (
    AutomatonBegan,
    SetUp,
)
from engine.games.world_wonders.grid import to_mask
from engine.games.world_wonders.model import (
    Building,
    City,
    Drawn,
    Monument,
    Options,
    Shuffled,
    State,
)
from engine.games.world_wonders.turns import begin_turn
from engine.kit.casework import CaseError, only

GIVEN = (
    "seats new_game options data goals round turn_order active offer solo_deck automaton_to_act"
    " automaton_monuments cities stacks monument_deck maps"
).split()
OFFER = "buildings long_roads short_roads towers monuments monument_deck pedestals".split()
CITY = (
    "map objects spent limit loan loan_taken_this_round resources population out first_road_placed monuments"
).split()
OBJECT = "object cells kind tile card".split()


def build(given: Mapping[str, Any]) -> State:
    """The position, before anything happens by itself."""
    only("given", given, GIVEN)
    offer = given.get("offer", {})
    only("offer", offer, OFFER)
    options = _options(given.get("options", {}))
    tiles, changes = _tiles(offer.get("buildings", {}), given.get("data", {}))
    (fact,) = rules.start(given["seats"], options)
    assert isinstance(fact, SetUp)
    fresh = evolve(None, replace(fact, data=_text(changes)))
    return fresh if given.get("new_game") else _arranged(fresh, given, offer, tiles)


def _options(raw: Mapping[str, Any]) -> Options:
    try:
        return msgspec.convert(raw, Options)
    except msgspec.ValidationError:
        raise Illegal("bad_option") from None


def _text(changes: Mapping[str, Any]) -> str:
    return msgspec.json.encode(changes, order="sorted").decode() if changes else ""


def _tiles(shown: Mapping[str, Any], changes: Mapping[str, Any]) -> tuple[dict[str, str], dict[str, Any]]:
    """The face-up tile of each stack; a tile that the data do not have is added to them."""
    stacks = {raw["id"]: raw for raw in merged(DATA, changes)["stacks"]}
    found: dict[str, str] = {}
    added = []
    for key, wanted in shown.items():
        if wanted is None:
            continue
        stack = stacks[key]
        match = next((tile for tile in stack["tiles"] if _is_tile(tile, wanted)), None)
        if match is None:
            match = {"id": f"{key}-case", **wanted}
            added.append({**stack, "tiles": [*stack["tiles"], match]})
        found[key] = match["id"]
    return found, {**changes, "stacks": [*changes.get("stacks", ()), *added]} if added else dict(changes)


def _is_tile(tile: Mapping[str, Any], wanted: Any) -> bool:
    if isinstance(wanted, str):
        return bool(tile["id"] == wanted)
    only("tile", wanted, ("id", "kind", "resources"))
    return all(tile.get(key) == value for key, value in wanted.items())


def _arranged(
    fresh: State, given: Mapping[str, Any], offer: Mapping[str, Any], tiles: Mapping[str, str]
) -> State:
    content, seats = table(fresh.data), given["seats"]
    order = tuple(given.get("turn_order", range(seats)))
    numbers = content.setups[seats].stacks
    face_up = tuple(tiles.get(content.stacks[number].id) for number in numbers)
    unknown = set(tiles) - {content.stacks[number].id for number in numbers}
    if unknown:
        raise CaseError(f"not in play with {seats} seats: {', '.join(sorted(unknown))}")
    raws = [raw or {} for raw in given.get("cities", ())]
    raws += [{}] * (seats - len(raws))
    return replace(
        fresh,
        round=given.get("round", 2),
        order=order,
        awaits=(),
        tiles=face_up,
        stacks=tuple(
            tuple(tile for tile in stack if tile != shown)
            for stack, shown in zip(fresh.stacks, face_up, strict=True)
        ),
        long_roads=offer.get("long_roads", 0),
        short_roads=offer.get("short_roads", 0),
        towers=offer.get("towers", 0),
        pedestals=_pedestals(fresh, offer.get("pedestals", {})),
        slots=tuple(offer.get("monuments", ())),
        deck=tuple(offer.get("monument_deck", ())),
        goals=tuple(given.get("goals", ())),
        automaton=tuple(given.get("automaton_monuments", ())),
        active=_before(order, given.get("active", order[0])),
        cities=tuple(_city(content, raw) for raw in raws),
    )


def _pedestals(fresh: State, held: Mapping[str, int | None]) -> tuple[int | None, ...]:
    return tuple(held.get(str(slot)) for slot in range(1, len(fresh.pedestals) + 1))


def _before(order: Sequence[int], seat: int) -> int:
    """The seat whose turn has just ended, so that this one is next."""
    return order[order.index(seat) - 1]


def _city(content: Table, raw: Mapping[str, Any]) -> City:
    only("city", raw, CITY)
    city = cities.fresh(content, raw.get("map", "A"))
    resources = raw.get("resources", {})
    only("resources", resources, content.resources)
    city = replace(
        city,
        spent=raw.get("spent", 0),
        limit=raw.get("limit", content.coins),
        loan=raw.get("loan", False),
        borrowed=raw.get("loan_taken_this_round", False),
        resources=tuple(resources.get(name, 0) for name in content.resources),
        population=raw.get("population", 0),
        settled=raw.get("first_road_placed", True),
    )
    city = replace(city, out=raw.get("out", False) or city.spent >= city.limit)
    for thing in raw.get("objects", ()):
        city = _with_object(content, city, thing)
    for card in raw.get("monuments", ()):
        if card not in cities.cards(city):  # it may stand on the map as well
            city = cities.with_monument(city, Monument(card, 0))
    return city


def _with_object(content: Table, city: City, thing: Mapping[str, Any]) -> City:
    only("object", thing, OBJECT)
    board = content.board(city.map)
    if not all(0 <= x < board.on.width and 0 <= y < board.on.height for x, y in thing["cells"]):
        raise CaseError(f"an object leaves the map: {thing}")
    cells = to_mask(thing["cells"], board.on.stride)
    if cells & city.covered:
        raise CaseError(f"objects overlap: {thing}")
    match thing["object"]:
        case "road":
            return cities.with_road(board, city, cells)
        case "tower":
            return cities.with_tower(board, city, cells)
        case "building":
            building = Building(thing["kind"], thing.get("tile", ""), cells)
            return cities.with_building(content, board, city, building)
        case "monument":
            return cities.with_monument(city, Monument(thing.get("card", ""), cells))
    raise CaseError(f"unknown object {thing['object']}")


def opened(state: State, given: Mapping[str, Any]) -> State:
    """The position when its active seat, or the automaton, begins to move."""
    if given.get("new_game"):
        return state
    facts = [AutomatonBegan()] if given.get("automaton_to_act") else begin_turn(state)
    for fact in facts:
        state = evolve(state, fact)
    return state


def prepared(state: State, given: Mapping[str, Any]) -> Pick:
    """Chance deals what the position prepares, and what comes first where it does not say."""
    content, stacks = table(state.data), given.get("stacks", {})
    monuments = given.get("offer", {}).get("monument_deck") or given.get("monument_deck", ())
    decks: list[tuple[Container[str], Iterator[str]]] = [
        (content.solo_cards, iter(given.get("solo_deck", ()))),
        (content.cards, iter(monuments)),
        (content.goals, iter(given.get("goals", ()))),
        (content.data["maps"], iter(given.get("maps", ()))),
        *((stack.tiles, iter(stacks.get(stack.id, ()))) for stack in content.stacks),
    ]

    def pick(odds: Odds[Any], n: int) -> Any:
        first = odds.outcomes[0]
        if isinstance(first, Shuffled):
            return Shuffled(tuple(given.get("turn_order", first.order)))
        deck = next(deck for known, deck in decks if first.id in known)
        return Drawn(next(deck, first.id))

    return pick
