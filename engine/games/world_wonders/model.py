"""What World Wonders is made of: options, actions, outcomes of chance, and the state."""

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from engine.kit import records

Item = Literal["long_road", "short_roads", "tower", "building", "pedestal", "monument"]
Piece = Annotated[
    str, Meta(pattern="^(long_road|short2|short1|tower|building|monument|part[1-9][0-9]{0,3})\\Z")
]
# WW-31; in "prepare", "refill" and "automaton" only chance acts
Phase = Literal["prepare", "first_road", "turn", "placing", "refill", "automaton", "automaton_choice", "over"]
Cell = tuple[int, int]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    map_side: Literal["A", "B"] = "A"  # WW-5, WW-27
    resource_side: Literal["A", "B"] = "A"  # WW-27
    advanced: bool = False  # WW-140
    goal_rounding: Literal["nearest", "up"] = "nearest"  # WW-142
    solo_mode: Literal["easy", "hard"] = "easy"  # WW-170
    start_order: Literal["random", "seats"] = "random"  # WW-22
    voluntary_leave: bool = False  # WW-57


# --- actions ---------------------------------------------------------------------------------------------


class Buy(records.Action, tag="buy"):
    """One record for every item; `stack`, `slot` and `card` are there only for the item that needs them."""

    item: Item
    stack: str | UnsetType = UNSET
    slot: int | UnsetType = UNSET
    card: str | UnsetType = UNSET


class Place(records.Action, tag="place"):
    """WW-15: the corner of the turned pattern's bounding box, and clockwise quarter turns."""

    piece: Piece
    x: int
    y: int
    rot: int


class TakeLoan(records.Action, tag="take_loan"):
    pass


class RepayLoan(records.Action, tag="repay_loan"):
    pass


class Leave(records.Action, tag="leave"):
    pass


class AutomaDiscard(records.Action, tag="automa_discard"):
    stack: str


Action = Buy | Place | TakeLoan | RepayLoan | Leave | AutomaDiscard


# --- outcomes of chance ----------------------------------------------------------------------------------


class Drawn(records.Value):
    """This tile, card or map came up."""

    id: str


class Shuffled(records.Value):
    """The turn order of round 1 (WW-22)."""

    order: tuple[int, ...]


class Await(records.Value):
    """A draw that is due; `at` is the seat, stack or slot it is for."""

    kind: Literal["order", "map", "tile", "monument", "goal", "solo"]
    at: int = 0


# --- state -----------------------------------------------------------------------------------------------


class Building(records.Value):
    kind: str
    tile: str  # "" in described positions that do not say
    cells: int


class Monument(records.Value):
    card: str
    cells: int  # all parts: one object (WW-14); 0 in described positions that do not say


class City(records.Value):
    """WW-32. The last five fields follow from the objects: bit boards kept up to date, not counted anew."""

    map: str
    resources: tuple[int, ...]
    limit: int
    spent: int = 0
    loan: bool = False
    borrowed: bool = False  # a loan was taken this round
    out: bool = False
    settled: bool = False  # the first road lies
    population: int = 0
    roads: tuple[int, ...] = ()
    towers: tuple[int, ...] = ()
    buildings: tuple[Building, ...] = ()
    monuments: tuple[Monument, ...] = ()
    covered: int = 0
    by_road: int = 0  # cells beside a road
    by_link: int = 0  # cells beside what a road may join: road, tower, sidewalk (WW-61)
    by_kind: tuple[int, ...] = ()  # cells beside a building of each kind


class Purchase(records.Value):
    """WW-33: what was bought, which pieces are still to be placed, the parts that already stand."""

    item: Item
    pieces: tuple[str, ...]
    stack: str = ""
    tile: str = ""
    card: str = ""
    cells: int = 0


class Asked(records.Value):
    """WW-164: the item of the automaton's card that waits for the player's choice."""

    card: str
    section: int
    item: int
    stacks: tuple[str, ...]


class State(records.Value):
    """WW-31. Face-down stacks and decks are multisets in the order of data.json: no secret order exists."""

    options: Options
    data: str
    phase: Phase
    round: int
    order: tuple[int, ...]
    active: int  # seat, -1 before the first turn of a round
    fresh_loan: bool  # taken in this very turn (WW-82)
    draws: int
    awaits: tuple[Await, ...]
    tiles: tuple[str | None, ...]  # face up, by stack in play
    stacks: tuple[tuple[str, ...], ...]
    long_roads: int
    short_roads: int
    towers: int
    pedestals: tuple[int | None, ...]
    slots: tuple[str | None, ...]
    deck: tuple[str, ...]
    goals: tuple[str, ...]
    solo_deck: tuple[str, ...]
    automaton: tuple[str, ...]  # its monuments
    discards: tuple[str, ...]  # tiles nobody built
    asked: Asked | None
    purchase: Purchase | None
    cities: tuple[City, ...]
