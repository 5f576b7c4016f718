"""What World Wonders is made of: actions, facts, state and view."""

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from engine.game import Line

Item = Literal["long_road", "short_roads", "tower", "building", "pedestal", "monument"]
Piece = Annotated[
    str, Meta(pattern="^(long_road|short2|short1|tower|building|monument|part[1-9][0-9]{0,3})$")
]
# WW-31; in "prepare", "refill" and "automaton" only chance acts
Phase = Literal["prepare", "first_road", "turn", "placing", "refill", "automaton", "automaton_choice", "over"]
Cell = tuple[int, int]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    map_side: Literal["A", "B"] = "A"  # WW-27
    resource_side: Literal["A", "B"] = "A"  # WW-27
    advanced: bool = False  # WW-140
    goal_rounding: Literal["nearest", "up"] = "nearest"  # WW-142
    solo_mode: Literal["easy", "hard"] = "easy"  # WW-170
    start_order: Literal["random", "seats"] = "random"  # WW-22
    voluntary_leave: bool = False  # WW-57


# --- actions ---------------------------------------------------------------------------------------------


class Buy(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="type", tag="buy"):
    """One record for every item; `stack`, `slot` and `card` are there only for the item that needs them."""

    item: Item
    stack: str | UnsetType = UNSET
    slot: int | UnsetType = UNSET
    card: str | UnsetType = UNSET


class Place(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="type", tag="place"):
    """WW-15: the corner of the turned pattern's bounding box, and clockwise quarter turns."""

    piece: Piece
    x: int
    y: int
    rot: int


class TakeLoan(
    msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="type", tag="take_loan"
):
    pass


class RepayLoan(
    msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="type", tag="repay_loan"
):
    pass


class Leave(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="type", tag="leave"):
    pass


class AutomaDiscard(
    msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="type", tag="automa_discard"
):
    stack: str


Action = Buy | Place | TakeLoan | RepayLoan | Leave | AutomaDiscard


# --- outcomes of chance ----------------------------------------------------------------------------------


class Drawn(msgspec.Struct, frozen=True, gc=False):
    """This tile, card or map came up."""

    id: str


class Shuffled(msgspec.Struct, frozen=True, gc=False):
    """The turn order of round 1 (WW-22)."""

    order: tuple[int, ...]


class Await(msgspec.Struct, frozen=True, gc=False):
    """A draw that is due; `at` is the seat, stack or slot it is for."""

    kind: Literal["order", "map", "tile", "monument", "goal", "solo"]
    at: int = 0


# --- facts -----------------------------------------------------------------------------------------------


class SetUp(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, tag_field="type", tag="set_up"):
    seats: int
    options: Options
    data: str = ""  # entries that replace those of data.json, as JSON: only rule cases bring some


class OrderDrawn(msgspec.Struct, frozen=True, gc=False, tag_field="type", tag="order_drawn"):
    n: int
    order: tuple[int, ...]


class MapDealt(msgspec.Struct, frozen=True, gc=False, tag_field="type", tag="map_dealt"):
    n: int
    seat: int
    map: str


class TileShown(msgspec.Struct, frozen=True, gc=False, tag_field="type", tag="tile_shown"):
    n: int
    stack: str
    tile: str


class MonumentShown(msgspec.Struct, frozen=True, gc=False, tag_field="type", tag="monument_shown"):
    n: int
    slot: int  # from the left, 0 first
    card: str


class GoalShown(msgspec.Struct, frozen=True, gc=False, tag_field="type", tag="goal_shown"):
    n: int
    goal: str


class SoloCardShown(msgspec.Struct, frozen=True, gc=False, tag_field="type", tag="solo_card_shown"):
    """The automaton's card; the reshuffle card makes the deck whole again (WW-165)."""

    n: int
    card: str
    reshuffle: bool


class RoundBegan(msgspec.Struct, frozen=True, gc=False, tag_field="type", tag="round_began"):
    """WW-43: what lies ready after the refill, and the new turn order."""

    round: int
    order: tuple[int, ...]
    coins: int
    long_roads: int
    short_roads: int
    towers: int


class TurnBegan(msgspec.Struct, frozen=True, gc=False, tag_field="type", tag="turn_began"):
    seat: int
    first_road: bool  # WW-30 comes before anything else


class Bought(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, tag_field="type", tag="bought"):
    seat: int
    item: Item
    price: int
    pieces: tuple[str, ...] = ()  # what is to be placed now
    stack: str = ""
    tile: str = ""
    slot: int = 0  # of a pedestal
    card: str = ""


class Placed(msgspec.Struct, frozen=True, gc=False, tag_field="type", tag="placed"):
    seat: int
    piece: str
    x: int
    y: int
    rot: int
    cells: tuple[Cell, ...]


class Gained(msgspec.Struct, frozen=True, gc=False, tag_field="type", tag="gained"):
    """WW-91, WW-92: spaces moved on the resource tracks, in their order, and on the population track."""

    seat: int
    resources: tuple[int, ...]
    population: int


class Completed(msgspec.Struct, frozen=True, gc=False, tag_field="type", tag="completed"):
    """WW-76: the monument stands, its card is taken."""

    seat: int
    card: str
    slot: int
    vp: int


class LoanTaken(msgspec.Struct, frozen=True, gc=False, tag_field="type", tag="loan_taken"):
    seat: int
    coins: int


class LoanRepaid(msgspec.Struct, frozen=True, gc=False, tag_field="type", tag="loan_repaid"):
    seat: int
    coins: int


class WentOut(msgspec.Struct, frozen=True, gc=False, tag_field="type", tag="went_out"):
    """WW-42: why this seat has no more turns in this round; `stuck` left by itself (WW-56)."""

    seat: int
    why: Literal["coins", "monument", "left", "stuck"]


class AutomatonBegan(msgspec.Struct, frozen=True, gc=False, tag_field="type", tag="automaton_began"):
    pass


class AutomatonAsked(msgspec.Struct, frozen=True, gc=False, tag_field="type", tag="automaton_asked"):
    """WW-164: several tiles fit this item of the card; the player chooses among these stacks."""

    card: str
    section: int
    item: int
    stacks: tuple[str, ...]


class AutomatonDiscarded(
    msgspec.Struct, frozen=True, gc=False, omit_defaults=True, tag_field="type", tag="automaton_discarded"
):
    item: Item
    stack: str = ""
    tile: str = ""


class AutomatonTook(msgspec.Struct, frozen=True, gc=False, tag_field="type", tag="automaton_took"):
    slot: int
    card: str
    vp: int


class AutomatonPassed(msgspec.Struct, frozen=True, gc=False, tag_field="type", tag="automaton_passed"):
    """WW-162: nothing of its card was on offer."""


class Ended(msgspec.Struct, frozen=True, gc=False, tag_field="type", tag="ended"):
    """WW-110, WW-120: the final scoring, line by line; `target` is the solo game's (WW-170)."""

    why: Literal["rounds", "population"]
    scores: tuple[tuple[Line, ...], ...]
    target: int | None


Fact = (
    SetUp
    | OrderDrawn
    | MapDealt
    | TileShown
    | MonumentShown
    | GoalShown
    | SoloCardShown
    | RoundBegan
    | TurnBegan
    | Bought
    | Placed
    | Gained
    | Completed
    | LoanTaken
    | LoanRepaid
    | WentOut
    | AutomatonBegan
    | AutomatonAsked
    | AutomatonDiscarded
    | AutomatonTook
    | AutomatonPassed
    | Ended
)


# --- state -----------------------------------------------------------------------------------------------


class Building(msgspec.Struct, frozen=True, gc=False):
    kind: str
    tile: str  # "" in described positions that do not say
    cells: int


class Monument(msgspec.Struct, frozen=True, gc=False):
    card: str
    cells: int  # all parts: one object (WW-14); 0 in described positions that do not say


class City(msgspec.Struct, frozen=True, gc=False):
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


class Purchase(msgspec.Struct, frozen=True, gc=False):
    """WW-33: what was bought, which pieces are still to be placed, the parts that already stand."""

    item: Item
    pieces: tuple[str, ...]
    stack: str = ""
    tile: str = ""
    card: str = ""
    cells: int = 0


class Asked(msgspec.Struct, frozen=True, gc=False):
    """WW-164: the item of the automaton's card that waits for the player's choice."""

    card: str
    section: int
    item: int
    stacks: tuple[str, ...]


class State(msgspec.Struct, frozen=True, gc=False):
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


# --- view ------------------------------------------------------------------------------------------------


class ObjectView(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    object: Literal["road", "tower", "building", "monument"]
    cells: tuple[Cell, ...]
    kind: str = ""  # of a building
    tile: str = ""
    card: str = ""


class CityView(msgspec.Struct, frozen=True, gc=False):
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


class TileView(msgspec.Struct, frozen=True, gc=False):
    stack: str
    price: int
    shape: tuple[str, ...]
    tile: str | None
    kind: str
    resources: dict[str, int]
    unseen: tuple[str, ...]  # tiles still to come, in no order (WW-181)


class PurchaseView(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    item: Item
    pieces: tuple[str, ...]
    stack: str = ""
    tile: str = ""
    card: str = ""
    cells: tuple[Cell, ...] = ()


class View(msgspec.Struct, frozen=True, gc=False):
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
