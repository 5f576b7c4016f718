"""What can happen in World Wonders. Each fact carries what it changes, so a log folds without rules."""

from typing import Literal

from engine.game import Line
from engine.games.world_wonders.model import Cell, Item, Options
from engine.kit import records


class SetUp(records.Fact, tag="set_up"):
    seats: int
    options: Options
    data: str = ""  # entries that replace those of data.json, as JSON: only rule cases bring some


class OrderDrawn(records.Fact, tag="order_drawn"):
    n: int
    order: tuple[int, ...]


class MapDealt(records.Fact, tag="map_dealt"):
    n: int
    seat: int
    map: str


class TileShown(records.Fact, tag="tile_shown"):
    n: int
    stack: str
    tile: str


class MonumentShown(records.Fact, tag="monument_shown"):
    n: int
    slot: int  # from the left, 0 first
    card: str


class GoalShown(records.Fact, tag="goal_shown"):
    n: int
    goal: str


class SoloCardShown(records.Fact, tag="solo_card_shown"):
    """The automaton's card; the reshuffle card makes the deck whole again (WW-165)."""

    n: int
    card: str
    reshuffle: bool


class RoundBegan(records.Fact, tag="round_began"):
    """WW-43: what lies ready after the refill, and the new turn order."""

    round: int
    order: tuple[int, ...]
    coins: int
    long_roads: int
    short_roads: int
    towers: int


class TurnBegan(records.Fact, tag="turn_began"):
    seat: int
    first_road: bool  # WW-30 comes before anything else


class Bought(records.Fact, tag="bought"):
    seat: int
    item: Item
    price: int
    pieces: tuple[str, ...] = ()  # what is to be placed now
    stack: str = ""
    tile: str = ""
    slot: int = 0  # of a pedestal
    card: str = ""


class Placed(records.Fact, tag="placed"):
    seat: int
    piece: str
    x: int
    y: int
    rot: int
    cells: tuple[Cell, ...]


class Gained(records.Fact, tag="gained"):
    """WW-91, WW-92: spaces moved on the resource tracks, in their order, and on the population track."""

    seat: int
    resources: tuple[int, ...]
    population: int


class Completed(records.Fact, tag="completed"):
    """WW-76: the monument stands, its card is taken."""

    seat: int
    card: str
    slot: int
    vp: int


class LoanTaken(records.Fact, tag="loan_taken"):
    seat: int
    coins: int


class LoanRepaid(records.Fact, tag="loan_repaid"):
    seat: int
    coins: int


class WentOut(records.Fact, tag="went_out"):
    """WW-42: why this seat has no more turns in this round; `stuck` left by itself (WW-56)."""

    seat: int
    why: Literal["coins", "monument", "left", "stuck"]


class AutomatonBegan(records.Fact, tag="automaton_began"):
    pass


class AutomatonAsked(records.Fact, tag="automaton_asked"):
    """WW-164: several tiles fit this item of the card; the player chooses among these stacks."""

    card: str
    section: int
    item: int
    stacks: tuple[str, ...]


class AutomatonDiscarded(records.Fact, tag="automaton_discarded"):
    item: Item
    stack: str = ""
    tile: str = ""


class AutomatonTook(records.Fact, tag="automaton_took"):
    slot: int
    card: str
    vp: int


class AutomatonPassed(records.Fact, tag="automaton_passed"):
    """WW-162: nothing of its card was on offer."""


class Ended(records.Fact, tag="ended"):
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
