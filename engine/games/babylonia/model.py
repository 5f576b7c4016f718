"""What Babylonia is made of: actions, outcomes of chance, state and view."""

from typing import Annotated, Literal

import msgspec

from engine.games.babylonia.content import CARDS, KINDS, TILE_KINDS, TOKENS, Hex
from engine.kit import records

Token = Annotated[str, msgspec.Meta(extra_json_schema={"enum": list(KINDS)})]
Tile = Annotated[str, msgspec.Meta(extra_json_schema={"enum": list(TILE_KINDS)})]
CardNumber = Annotated[int, msgspec.Meta(extra_json_schema={"enum": list(CARDS)})]
Phase = Literal["setup", "place", "resolve", "take_card", "refill", "extra_turn", "over"]
# In "setup" and "refill" only chance acts, so nobody ever waits in them.


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    first_player: int | Literal["random"] = "random"  # BA-90
    ziggurat_cards: Literal["basic", "random7"] = "basic"  # BA-91
    resolve_order: Literal["choose", "auto"] = "choose"  # BA-92
    river_tokens_open_fields: bool = True  # BA-93


# --- actions (section 11) ---------------------------------------------------------------------------------


class Place(records.Action, tag="place"):
    token: Token
    hex: Hex


class Done(records.Action, tag="done"):
    """Enough tokens for this turn."""


class Resolve(records.Action, tag="resolve"):
    hex: Hex


class TakeCard(records.Action, tag="take_card"):
    card: CardNumber


class ExtraTurn(records.Action, tag="extra_turn"):
    use: bool


Action = Place | Done | Resolve | TakeCard | ExtraTurn


# --- outcomes of chance (BA-17) ---------------------------------------------------------------------------


class First(records.Value):
    seat: int


class Lay(records.Value):
    tile: str


class Offer(records.Value):
    cards: tuple[int, ...]


class Draw(records.Value):
    """A whole refill at once: how many of each kind. In which order they come is nobody's concern."""

    seat: int
    tokens: tuple[int, ...]


# --- state (section 5) ------------------------------------------------------------------------------------

Counts = tuple[int, ...]  # by kind of token
NOTHING: Counts = (0,) * len(KINDS)
PARTS = ("fields", "ziggurats", "nobles", "city_tiles", "cards")  # what points are for


class Player(records.Value):
    stand: Counts = NOTHING
    supply: Counts = TOKENS  # a multiset: there is no secret order
    boards: tuple[int, ...] = NOTHING  # a set of hexes for each kind of token
    tokens: int = 0  # all of them
    city_tiles: tuple[str, ...] = ()
    cards: int = 0  # a set: card n is bit n (BA-80)
    spent: int = 0
    points: tuple[int, ...] = (0,) * len(PARTS)

    @property
    def score(self) -> int:
        return sum(self.points)


class State(records.Value):
    options: Options
    phase: Phase
    seat: int  # whose turn it is; -1 until that is known
    turn_number: int  # turns finished
    draws: int
    players: tuple[Player, ...]
    bag: tuple[int, ...]  # tiles not laid yet, by kind
    layout: tuple[str | None, ...]  # the tile that lies, or lay, on each location space
    cities: int  # where city tiles lie
    fields: int
    free: int  # BA-21
    resolved: int  # ziggurats
    offer: int  # a set of cards
    discarded: tuple[str, ...]  # tiles that left the game
    placed: tuple[int, ...]  # hexes of this turn's tokens
    played: tuple[int, ...]  # their kinds as BA-34 looks at them (sets.py)
    pending: int
    chooser: int | None  # who takes a card
    ziggurat: int | None  # and for which


# --- view (section 14) ------------------------------------------------------------------------------------


class FaceUp(records.Value):
    priest: tuple[Hex, ...]
    servant: tuple[Hex, ...]
    merchant: tuple[Hex, ...]
    farmer: tuple[Hex, ...]


class TileView(records.Value):
    hex: Hex
    tile: Tile


class TokenView(records.Value):
    hex: Hex
    token: Token | None  # None: face down and somebody else's


class PlayerView(records.Value):
    score: int
    points: dict[str, int]  # by what they are for
    city_tiles: tuple[Tile, ...]
    cards: tuple[CardNumber, ...]
    spent: tuple[CardNumber, ...]
    face_up: FaceUp
    face_down: tuple[Hex, ...]
    stand_size: int
    supply_size: int
    face_down_kinds: tuple[Token, ...] | None  # one's own (BA-101), in the order of face_down
    stand: tuple[Token, ...] | None  # one's own
    supply: dict[str, int] | None  # one's own, by kind


class View(records.Value):
    seat: int | None
    options: Options
    phase: Phase
    turn_of: int
    turn_number: int
    draws: int
    players: tuple[PlayerView, ...]
    tiles: tuple[TileView, ...]
    ziggurats: tuple[Hex, ...]
    resolved: tuple[Hex, ...]
    offer: tuple[CardNumber, ...]
    discarded: tuple[Tile, ...]
    placed: tuple[TokenView, ...]
    pending: tuple[Hex, ...]
    chooser: int | None
    ziggurat: Hex | None
