"""What Babylonia is made of: actions, facts, state and view."""

from typing import Annotated, Literal

import msgspec

from engine.games.babylonia.content import CARDS, KINDS, TILE_KINDS, TOKENS, Hex

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


class Place(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="type", tag="place"):
    token: Token
    hex: Hex


class Done(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="type", tag="done"):
    """Enough tokens for this turn."""


class Resolve(
    msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="type", tag="resolve"
):
    hex: Hex


class TakeCard(
    msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="type", tag="take_card"
):
    card: CardNumber


class ExtraTurn(
    msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="type", tag="extra_turn"
):
    use: bool


Action = Place | Done | Resolve | TakeCard | ExtraTurn


# --- outcomes of chance (BA-17) ---------------------------------------------------------------------------


class First(msgspec.Struct, frozen=True, gc=False):
    seat: int


class Lay(msgspec.Struct, frozen=True, gc=False):
    tile: str


class Offer(msgspec.Struct, frozen=True, gc=False):
    cards: tuple[int, ...]


class Draw(msgspec.Struct, frozen=True, gc=False):
    """A whole refill at once: how many of each kind. In which order they come is nobody's concern."""

    seat: int
    tokens: tuple[int, ...]


# --- facts ------------------------------------------------------------------------------------------------


class SetUp(msgspec.Struct, frozen=True, gc=False, tag_field="type", tag="set_up"):
    seats: int
    options: Options


class FirstSeat(msgspec.Struct, frozen=True, gc=False, tag_field="type", tag="first_seat"):
    """Who begins (BA-16); drawn unless the options name a seat."""

    seat: int
    n: int | None = None


class TileLaid(msgspec.Struct, frozen=True, gc=False, tag_field="type", tag="tile_laid"):
    """A location tile came to lie on a space (BA-12)."""

    n: int
    hex: Hex
    tile: Tile


class CardsOffered(msgspec.Struct, frozen=True, gc=False, tag_field="type", tag="cards_offered"):
    """The ziggurat cards of this match (BA-14, BA-91)."""

    cards: tuple[CardNumber, ...]
    n: int | None = None


class Drew(msgspec.Struct, frozen=True, gc=False, tag_field="type", tag="drew"):
    """Tokens went from a supply to its stand (BA-15, BA-60); only its seat reads which."""

    seat: int
    n: int
    count: int
    tokens: tuple[Token, ...] | None


class TurnBegan(msgspec.Struct, frozen=True, gc=False, tag_field="type", tag="turn_began"):
    seat: int
    turn_number: int


class Placed(
    msgspec.Struct, frozen=True, gc=False, omit_defaults=True, tag_field="type", tag="placed"
):  # defaults stand for what most tokens do not do
    """A token on the board and what it scored at once; on a river only its seat reads the kind (BA-37)."""

    seat: int
    hex: Hex
    token: Token | None
    face_down: bool = False
    field: Tile | None = None  # the tile that it took (BA-39)
    field_points: int = 0
    ziggurats: tuple[Hex, ...] = ()  # touched ones: a point each (BA-40)


class PlacingEnded(msgspec.Struct, frozen=True, gc=False, tag_field="type", tag="placing_ended"):
    """The set is complete; these are surrounded now (BA-35, BA-50)."""

    seat: int
    pending: tuple[Hex, ...]


class CityResolved(msgspec.Struct, frozen=True, gc=False, tag_field="type", tag="city_resolved"):
    """BA-51 to BA-54. By seat: the nobles that scored, tokens next to the city, points for city tiles."""

    hex: Hex
    tile: Tile
    nobles: tuple[tuple[Hex, ...], ...]
    noble_points: tuple[int, ...]
    tokens: tuple[int, ...]
    winner: int | None  # None: no majority, the tile is discarded
    tile_points: tuple[int, ...]


class ZigguratResolved(msgspec.Struct, frozen=True, gc=False, tag_field="type", tag="ziggurat_resolved"):
    """By seat: tokens next to it; the winner takes a card next (BA-55, BA-56)."""

    hex: Hex
    tokens: tuple[int, ...]
    winner: int | None


class CardTaken(msgspec.Struct, frozen=True, gc=False, tag_field="type", tag="card_taken"):
    seat: int
    card: CardNumber
    points: int  # card 1 (BA-81)


class ExtraTurnOffered(msgspec.Struct, frozen=True, gc=False, tag_field="type", tag="extra_turn_offered"):
    """The owner of card 2 decides (BA-62)."""

    seat: int


class ExtraTurnDecided(msgspec.Struct, frozen=True, gc=False, tag_field="type", tag="extra_turn_decided"):
    seat: int
    use: bool


class Ended(msgspec.Struct, frozen=True, gc=False, tag_field="type", tag="ended"):
    """BA-61: the stand stayed empty, or the cities ran out."""

    seat: int
    reason: Literal["stand", "cities"]


Fact = (
    SetUp
    | FirstSeat
    | TileLaid
    | CardsOffered
    | Drew
    | TurnBegan
    | Placed
    | PlacingEnded
    | CityResolved
    | ZigguratResolved
    | CardTaken
    | ExtraTurnOffered
    | ExtraTurnDecided
    | Ended
)


# --- state (section 5) ------------------------------------------------------------------------------------

Counts = tuple[int, ...]  # by kind of token
NOTHING: Counts = (0,) * len(KINDS)
PARTS = ("fields", "ziggurats", "nobles", "city_tiles", "cards")  # what points are for


class Player(msgspec.Struct, frozen=True, gc=False):
    stand: Counts = NOTHING
    supply: Counts = TOKENS  # a multiset: there is no secret order
    boards: tuple[int, ...] = NOTHING  # a set of hexes for each kind of token
    tokens: int = 0  # all of them
    city_tiles: tuple[str, ...] = ()
    cards: int = 0  # a set: card n is bit n
    spent: int = 0
    points: tuple[int, ...] = (0,) * len(PARTS)

    @property
    def score(self) -> int:
        return sum(self.points)


class State(msgspec.Struct, frozen=True, gc=False):
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


class FaceUp(msgspec.Struct, frozen=True, gc=False):
    priest: tuple[Hex, ...]
    servant: tuple[Hex, ...]
    merchant: tuple[Hex, ...]
    farmer: tuple[Hex, ...]


class TileView(msgspec.Struct, frozen=True, gc=False):
    hex: Hex
    tile: Tile


class TokenView(msgspec.Struct, frozen=True, gc=False):
    hex: Hex
    token: Token | None  # None: face down and somebody else's


class PlayerView(msgspec.Struct, frozen=True, gc=False):
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


class View(msgspec.Struct, frozen=True, gc=False):
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
