"""What can happen in Babylonia. Facts carry their points with the reason, so that a log reads by itself."""

from typing import Literal

from engine.games.babylonia.content import Hex
from engine.games.babylonia.model import CardNumber, Options, Tile, Token
from engine.kit import records


class SetUp(records.Fact, tag="set_up"):
    seats: int
    options: Options


class FirstSeat(records.Fact, omit_defaults=False, tag="first_seat"):
    """Who begins (BA-16); drawn unless the options name a seat."""

    seat: int
    n: int | None = None


class TileLaid(records.Fact, tag="tile_laid"):
    """A location tile came to lie on a space (BA-12)."""

    n: int
    hex: Hex
    tile: Tile


class CardsOffered(records.Fact, omit_defaults=False, tag="cards_offered"):
    """The ziggurat cards of this match (BA-14, BA-91)."""

    cards: tuple[CardNumber, ...]
    n: int | None = None


class Drew(records.Fact, tag="drew"):
    """Tokens went from a supply to its stand (BA-15, BA-60); only its seat reads which."""

    seat: int
    n: int
    count: int
    tokens: tuple[Token, ...] | None


class TurnBegan(records.Fact, tag="turn_began"):
    seat: int
    turn_number: int


class Placed(records.Fact, tag="placed"):  # defaults stand for what most tokens do not do
    """A token on the board and what it scored at once; on a river only its seat reads the kind (BA-37)."""

    seat: int
    hex: Hex
    token: Token | None
    face_down: bool = False
    field: Tile | None = None  # the tile that it took (BA-39)
    field_points: int = 0
    ziggurats: tuple[Hex, ...] = ()  # touched ones: a point each (BA-40)


class PlacingEnded(records.Fact, tag="placing_ended"):
    """The set is complete; these are surrounded now (BA-35, BA-50)."""

    seat: int
    pending: tuple[Hex, ...]


class CityResolved(records.Fact, tag="city_resolved"):
    """BA-51 to BA-54. By seat: the nobles that scored, tokens next to the city, points for city tiles."""

    hex: Hex
    tile: Tile
    nobles: tuple[tuple[Hex, ...], ...]
    noble_points: tuple[int, ...]
    tokens: tuple[int, ...]
    winner: int | None  # None: no majority, the tile is discarded
    tile_points: tuple[int, ...]


class ZigguratResolved(records.Fact, tag="ziggurat_resolved"):
    """By seat: tokens next to it; the winner takes a card next (BA-55, BA-56)."""

    hex: Hex
    tokens: tuple[int, ...]
    winner: int | None


class CardTaken(records.Fact, tag="card_taken"):
    seat: int
    card: CardNumber
    points: int  # card 1 (BA-81)


class ExtraTurnOffered(records.Fact, tag="extra_turn_offered"):
    """The owner of card 2 decides (BA-62)."""

    seat: int


class ExtraTurnDecided(records.Fact, tag="extra_turn_decided"):
    seat: int
    use: bool


class Ended(records.Fact, tag="ended"):
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
