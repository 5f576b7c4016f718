"""The map, tiles, tokens and cards, as tables that rules can use without looking twice.

A hex has a number, and a set of hexes is an integer with one bit for each. The first hex in canonical order
(BA-7) is the highest of the 175 bits, so that the binary digits of a set read like the list in data.json.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import compress
from typing import Any, NamedTuple

from engine.kit import content

Hex = tuple[int, int]  # axial q, r: what a hex is called outside the engine

DATA: dict[str, Any] = content.load(__file__)

_CELLS: list[dict[str, Any]] = DATA["map"]["cells"]
SIZE = len(_CELLS)
_IN_ORDER: tuple[Hex, ...] = tuple((cell["q"], cell["r"]) for cell in _CELLS)
HEXES: tuple[Hex, ...] = _IN_ORDER[::-1]  # by number
LABELS: tuple[str, ...] = tuple(cell["label"] for cell in reversed(_CELLS))
CELLS: dict[Hex, int] = {at: number for number, at in enumerate(HEXES)}
BITS: tuple[int, ...] = tuple(1 << number for number in range(SIZE))


def union(sets: Iterable[int]) -> int:
    """All the hexes of several sets."""
    whole = 0
    for one in sets:
        whole |= one
    return whole


def mask(hexes: Iterable[Hex]) -> int:
    """A set of hexes."""
    return union(BITS[CELLS[at]] for at in hexes)


def cells(hexes: int) -> Iterator[int]:
    """The numbers of the hexes of a set, in canonical order."""
    while hexes:
        number = hexes.bit_length() - 1
        yield number
        hexes ^= BITS[number]


_TOP = 1 << SIZE
_DIGITS = bytes.maketrans(b"01", b"\x00\x01")


def chosen(hexes: int) -> bytes:
    """A set as one byte for each hex in canonical order, for `itertools.compress`."""
    return bin(hexes | _TOP)[3:].encode().translate(_DIGITS)


def spots(hexes: int) -> tuple[Hex, ...]:
    """A set as the world outside reads it, in canonical order."""
    return tuple(compress(_IN_ORDER, chosen(hexes)))


def _where(field: str, *values: str) -> int:
    return mask((cell["q"], cell["r"]) for cell in _CELLS if cell[field] in values)


LAND = _where("terrain", "land")
RIVER = _where("terrain", "river")
CENTER = _where("region", "center")
_STEPS = [(step["dq"], step["dr"]) for step in DATA["coordinates"]["directions"]]


def _next_to(at: Hex) -> int:
    around = ((at[0] + dq, at[1] + dr) for dq, dr in _STEPS)
    return mask(one for one in around if one in CELLS)


NEAR: tuple[int, ...] = tuple(map(_next_to, HEXES))  # BA-22
LAND_NEAR: tuple[int, ...] = tuple(near & LAND for near in NEAR)

KINDS: tuple[str, ...] = tuple(token["kind"] for token in DATA["tokens"])
KIND: dict[str, int] = {kind: number for number, kind in enumerate(KINDS)}
FARMER = KIND["farmer"]
TOKENS: tuple[int, ...] = tuple(token["per_player"] for token in DATA["tokens"])  # BA-5


class Tile(NamedTuple):
    """A kind of location tile (BA-4)."""

    symbols: tuple[int, ...]  # the nobles that score at this city; () = a field
    value: int | None  # of a field; None = the field with the city symbol


def _tile(raw: dict[str, Any]) -> Tile:
    value = raw.get("value")
    return Tile(
        tuple(KIND[symbol] for symbol in raw.get("symbols", ())), value if isinstance(value, int) else None
    )


TILES: dict[str, Tile] = {raw["kind"]: _tile(raw) for raw in DATA["location_tiles"]}
TILE_KINDS: tuple[str, ...] = tuple(TILES)


class Board(NamedTuple):
    """What is in play with a number of players (BA-10, BA-11)."""

    in_play: int  # BA-20
    locations: tuple[int, ...]  # numbers of the location spaces in canonical order
    place: dict[int, int]  # location space -> its place in that order
    ziggurats: int
    around: tuple[tuple[Hex, int], ...]  # every ziggurat with the hexes next to it
    holy: int  # every hex next to a ziggurat
    free: int  # at the start
    tiles: tuple[int, ...]  # how many of each kind, in the order of TILE_KINDS


def _board(players: int) -> Board:
    in_play = _where("region", *DATA["player_counts"][str(players)]["regions_in_play"])
    locations = in_play & _where("space", "location")
    ziggurats = in_play & _where("space", "ziggurat")
    numbers = tuple(cells(locations))
    return Board(
        in_play=in_play,
        locations=numbers,
        place={number: place for place, number in enumerate(numbers)},
        ziggurats=ziggurats,
        around=tuple((HEXES[number], NEAR[number] & in_play) for number in cells(ziggurats)),
        holy=union(NEAR[number] for number in cells(ziggurats)) & in_play,
        free=in_play & ~locations & ~ziggurats,
        tiles=tuple(_count(raw, players) for raw in DATA["location_tiles"]),
    )


def _count(raw: dict[str, Any], players: int) -> int:
    """BA-11: what stays in the game."""
    count: int = raw["count"]
    if players <= 3:
        count -= raw["removed_at_3_and_2"]
    if players == 2:
        count -= raw["also_removed_at_2"]
    return count


PLAYERS = range(DATA["players"]["min"], DATA["players"]["max"] + 1)
BOARDS: dict[int, Board] = {players: _board(players) for players in PLAYERS}

_RULES: dict[str, int] = DATA["constants"]
STAND = _RULES["stand_size"]
LARGE_STAND = _RULES["stand_size_with_card_3"]
ON_OFFER = _RULES["cards_on_offer"]
PER_NOBLE = _RULES["points_per_matching_noble"]
TEN_POINTS = _RULES["card_1_points"]
LAST_CITIES = _RULES["game_ends_at_cities_left"]

CARDS: tuple[int, ...] = tuple(card["number"] for card in DATA["ziggurat_cards"])  # BA-6
BASIC: tuple[int, ...] = tuple(card["number"] for card in DATA["ziggurat_cards"] if card["in_basic_game"])


def card_bits(numbers: Iterable[int]) -> int:
    """A set of cards: card n is bit n."""
    return union(1 << number for number in numbers)


@cache
def card_numbers(cards: int) -> tuple[int, ...]:
    """A set of cards in ascending order."""
    return tuple(number for number in CARDS if cards >> number & 1)
