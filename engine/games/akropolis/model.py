"""What Akropolis is made of: the one action, facts, state and view."""

from typing import Annotated, Literal

import msgspec

from engine.kit import records

Phase = Literal["open", "deal", "build", "over"]  # "open" and "deal" last only while chance acts
SoloLevel = Literal["hippodamos", "metagenes", "callicrates"]
Rotation = Annotated[int, msgspec.Meta(ge=0, le=5)]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    long_game: bool = False  # AK-55
    first_seat: Annotated[int, msgspec.Meta(ge=0, le=3)] | None = None  # AK-56
    variant_houses: bool = False  # AK-48
    variant_markets: bool = False  # AK-49
    variant_barracks: bool = False  # AK-50
    variant_temples: bool = False  # AK-51
    variant_gardens: bool = False  # AK-52
    solo_level: SoloLevel | None = None  # AK-S1


class Build(records.Action, tag="build"):
    """AK-22: take the tile in this slot and lay it down; its level follows from what lies below."""

    slot: int
    q: int
    r: int
    rotation: Rotation


Action = Build


class District(records.Value):
    """One line of the score pad (AK-40)."""

    value: int
    stars: int
    points: int


class Score(records.Value):
    """AK-53: the score pad of one city, or of the illustrious architect (AK-S6)."""

    districts: dict[str, District]
    stones: int
    total: int
    quarries: int = 0  # points for quarries: only the architect ever has any


class SetUp(records.Fact, tag="set_up"):
    seats: int
    options: Options


class Opened(records.Fact, omit_defaults=False, tag="opened"):
    """AK-17, AK-18: the first Chief Architect, drawn (with the number of the draw) or given."""

    chief: int
    stones: tuple[int, ...]
    n: int | None = None


class Drawn(records.Fact, tag="drawn"):
    """A tile came to the end of the Construction Site (AK-16, AK-34)."""

    tile: int
    n: int


class Built(records.Fact, tag="built"):
    """A seat took a tile, skipping as many as it paid stones, and gained one for each quarry it covered."""

    seat: int
    tile: int
    q: int
    r: int
    rotation: int
    level: int
    paid: int
    gained: int


class Taken(records.Fact, tag="taken"):
    """The illustrious architect took a tile (AK-S5)."""

    tile: int
    paid: int


class NextRound(records.Fact, tag="next_round"):
    """AK-35: the token passes on; the refill follows tile by tile."""

    round: int
    chief: int


class Scored(records.Fact, omit_defaults=False, tag="scored"):
    """AK-36: the end, with every seat's score pad."""

    scores: tuple[Score, ...]
    architect: Score | None = None


Fact = SetUp | Opened | Drawn | Built | Taken | NextRound | Scored


class Placed(records.Value):
    """A tile where it was built."""

    tile: int
    q: int
    r: int
    rotation: int
    level: int


class City(msgspec.Struct, frozen=True, dict=True):
    """What a seat has built, in order, on top of its starting tile.

    Everything else about a city follows from this and is worked out when asked for: `plan.plan_of` keeps
    it in the instance's `__dict__`, which is no part of the value.
    """

    builds: tuple[Placed, ...] = ()


class Architect(records.Value):
    """The illustrious architect of a solo match (AK-S2): its starting tile is not listed."""

    stones: int
    tiles: tuple[int, ...] = ()


class State(records.Value):
    options: Options
    phase: Phase
    draws: int
    round: int
    chief: int
    turn: int  # whose turn it is; 1 = the architect in a solo match
    deck: tuple[int, ...]  # a set in ascending order: there is no secret order
    site: tuple[int, ...]
    stones: tuple[int, ...]  # by seat
    cities: tuple[City, ...]
    architect: Architect | None = None
    final: Scored | None = None


class Cell(records.Value):
    """The topmost hex of a space."""

    q: int
    r: int
    level: int
    hex: str
    tile: int


class Offer(records.Value):
    """A tile on the Construction Site; its price is also its slot (AK-23)."""

    price: int
    tile: int
    hexes: tuple[str, str, str]


class PlayerView(records.Value):
    stones: int
    city: City
    cells: tuple[Cell, ...]
    score: Score  # as if the game ended now; all of it is public


class ArchitectView(records.Value):
    stones: int
    tiles: tuple[int, ...]
    score: Score


class View(records.Value):
    """AK-58: the same for everybody but for `seat`; only the order of what is to come is unknown."""

    seat: int | None
    options: Options
    phase: Phase
    round: int
    rounds: int
    chief: int
    to_act: int | None
    site: tuple[Offer, ...]
    stacks_left: int
    unseen: tuple[int, ...]  # AK-59: tiles still to come, in ascending order
    unseen_hexes: dict[str, int]
    players: tuple[PlayerView, ...]
    architect: ArchitectView | None
