"""What everybody sees of a match of World Wonders (chapter 17)."""

from typing import Literal

from engine.game import Line
from engine.games.world_wonders.model import Asked, Await, Cell, Item, Options, Phase
from engine.kit import records


class ObjectView(records.Value, omit_defaults=True):
    object: Literal["road", "tower", "building", "monument"]
    cells: tuple[Cell, ...]
    kind: str = ""  # of a building
    tile: str = ""
    card: str = ""


class CityView(records.Value):
    map: str
    rows: tuple[str, ...]  # the bare map
    objects: tuple[ObjectView, ...]
    spent: int
    limit: int
    coins: int
    loan: bool
    loan_taken_this_round: bool
    resources: dict[str, int]
    population: int
    monuments: tuple[str, ...]
    first_road_placed: bool
    out: bool
    score: tuple[Line, ...]  # as if the game ended now (WW-120)
    lacking: tuple[tuple[str, ...], ...]  # by monument on offer: what of WW-72 the city does not have now


class TileView(records.Value):
    stack: str
    price: int
    shape: tuple[str, ...]
    tile: str | None
    kind: str
    resources: dict[str, int]
    unseen: tuple[str, ...]  # tiles still to come, in no order (WW-181)


class PurchaseView(records.Value, omit_defaults=True):
    item: Item
    pieces: tuple[str, ...]
    stack: str = ""
    tile: str = ""
    card: str = ""
    cells: tuple[Cell, ...] = ()


class View(records.Value):
    """The same for everybody: there are no private things (WW-182)."""

    options: Options
    data: str
    phase: Phase
    round: int
    rounds: int
    order: tuple[int, ...]
    active: int
    loan_taken_this_turn: bool
    draws: int
    awaits: tuple[Await, ...]
    buildings: tuple[TileView, ...]
    long_roads: int
    short_roads: int
    towers: int
    pedestals: tuple[int | None, ...]
    monuments: tuple[str | None, ...]
    unseen_monuments: tuple[str, ...]
    goals: tuple[str, ...]
    unseen_solo_cards: tuple[str, ...]
    automaton_monuments: tuple[str, ...]
    target: int | None  # of a solo game
    discards: tuple[str, ...]
    asked: Asked | None
    purchase: PurchaseView | None
    cities: tuple[CityView, ...]
