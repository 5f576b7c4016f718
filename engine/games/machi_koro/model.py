"""What Machi Koro is made of: actions, facts, state and view."""

from typing import Annotated, Literal

import msgspec

from engine.games.machi_koro.content import KINDS, THINGS
from engine.kit import records

KindId = Annotated[str, msgspec.Meta(extra_json_schema={"enum": list(KINDS)})]
ThingId = Annotated[str, msgspec.Meta(extra_json_schema={"enum": list(THINGS)})]
NumberOfDice = Annotated[int, msgspec.Meta(extra_json_schema={"enum": [1, 2]})]
Counts = tuple[int, ...]

# The first six are the phases of section 4; in the others chance acts, so nobody ever waits in them.
Phase = Literal[
    "roll", "reroll", "tv_station", "business_center", "build", "over", "deck", "first", "one_die", "two_dice"
]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    supply: Literal["full", "ten"] = "full"  # MK-3, MK-11, MK-70
    copy_limit: Literal[2] | None = None  # MK-72
    first_seat: Annotated[int, msgspec.Meta(ge=0)] | None = None  # MK-13


# --- actions -----------------------------------------------------------------------------------------------


class Roll(records.Action, tag="roll"):
    dice: NumberOfDice


class Keep(records.Action, tag="keep"):
    """The roll is final (MK-41)."""


class Reroll(records.Action, tag="reroll"):
    """All dice again (MK-41)."""


class TvStation(records.Action, tag="tv_station"):
    target: int


class Trade(records.Action, tag="trade"):
    give: KindId
    target: int
    take: KindId


class SkipTrade(records.Action, tag="skip_trade"):
    """The business center may be declined (MK-82)."""


class Build(records.Action, tag="build"):
    card: ThingId


class Pass(records.Action, tag="pass"):
    """Build nothing (MK-52)."""


Action = Roll | Keep | Reroll | TvStation | Trade | SkipTrade | Build | Pass


# --- chance ------------------------------------------------------------------------------------------------


class Dice(records.Value):
    """An outcome of chance: one or two faces, thrown together; all there are stand in choices.DICE."""

    faces: Counts
    total: int
    double: bool


class TopCard(records.Value):
    """An outcome of chance: this kind is on top of the deck."""

    card: str


class Starter(records.Value):
    """An outcome of chance: this seat begins."""

    seat: int


# --- facts: each names the phase it leads to and, if a turn begins with it, whose -------------------------


class SetUp(records.Fact, tag="set_up"):
    seats: int
    options: Options
    then: Phase
    next: int | None = None


class Turned(records.Fact, tag="turned"):
    """A card of the deck went face up into the market (MK-70, MK-71)."""

    n: int
    card: str
    then: Phase
    next: int | None = None


class Began(records.Fact, tag="began"):
    """Chance chose who begins (MK-13)."""

    n: int
    then: Phase
    next: int


class Payout(records.Value, omit_defaults=True):
    """The coins that a final roll moved, by seat; an empty list: none of that sort."""

    coins: Counts  # what everybody has afterwards
    red: Counts = ()  # paid by the active seat to each (MK-23)
    blue: Counts = ()  # from the bank to each (MK-24)
    green: int = 0  # from the bank to the active seat (MK-24)
    stadium: Counts = ()  # taken by the active seat from each (MK-25)


class Rolled(records.Fact, tag="rolled"):
    """Dice fell; unless they may be rolled again, everything they pay (MK-21 to MK-25)."""

    seat: int
    n: int
    dice: Counts
    then: Phase
    next: int | None = None
    extra: bool = False  # another turn follows (MK-22)
    payout: Payout | None = None


class Kept(records.Fact, tag="kept"):
    """The roll became final; everything it pays (MK-41)."""

    seat: int
    dice: Counts
    then: Phase
    next: int | None = None
    extra: bool = False
    payout: Payout | None = None


class Threw(records.Fact, tag="threw"):
    """A seat decided how many dice to throw (MK-40) or to throw them again (MK-41)."""

    seat: int
    then: Phase
    again: bool = False


class Took(records.Fact, tag="took"):
    """The TV station took coins (MK-42)."""

    seat: int
    target: int
    coins: int
    then: Phase
    next: int | None = None


class Traded(records.Fact, tag="traded"):
    """Two establishments changed owners (MK-43)."""

    seat: int
    target: int
    give: str
    take: str
    then: Phase
    next: int | None = None


class Declined(records.Fact, tag="declined"):
    """No trade (MK-82)."""

    seat: int
    then: Phase
    next: int | None = None


class Built(records.Fact, tag="built"):
    """A card was paid for and stands in the city (MK-51)."""

    seat: int
    card: str
    cost: int
    then: Phase
    next: int | None = None


class Passed(records.Fact, tag="passed"):
    """Something could have been built and was not (MK-52)."""

    seat: int
    then: Phase
    next: int


Fact = SetUp | Turned | Began | Rolled | Kept | Threw | Took | Traded | Declined | Built | Passed


# --- state and view ----------------------------------------------------------------------------------------


class State(records.Value):
    """Counts by kind are in the order of content.KINDS; sets are bit masks over content.THINGS."""

    options: Options
    phase: Phase
    active: int
    turn: int  # from 1; 0 until the first turn begins
    draws: int
    dice: Counts
    rerolled: bool
    extra_turn: bool
    coins: Counts  # by seat
    owned: tuple[Counts, ...]  # by kind, then by seat: a roll looks at one kind of everybody
    closed: Counts  # by seat, what it may build no more: its landmarks, its purple kinds, kinds at the limit
    supply: Counts  # by kind
    open: int  # what is on offer: piles that are not empty, and every landmark
    deck: Counts  # by kind, face down: a multiset, there is no secret order; empty if there is no deck


class PlayerView(records.Value):
    coins: int
    cards: dict[str, int]
    landmarks: tuple[str, ...]


class View(records.Value):
    seat: int | None
    options: Options
    phase: Phase
    active: int
    turn: int
    dice: Counts
    rerolled: bool
    extra_turn: bool
    players: tuple[PlayerView, ...]
    supply: dict[str, int]
    deck: dict[str, int]  # what is face down, by kind; the order is nobody's (MK-76)
    deck_size: int
    winner: int | None
