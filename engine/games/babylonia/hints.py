"""What a position is worth to a seat, for bots: points so far, and what the board promises."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from engine.games.babylonia.content import (
    BITS,
    BOARDS,
    CELLS,
    CENTER,
    FARMER,
    LAND,
    LAND_NEAR,
    NEAR,
    PER_NOBLE,
    RIVER,
    TILES,
    TOKENS,
    Hex,
    union,
)
from engine.games.babylonia.model import Action, Place, PlayerView, TileView, View

# Both tokens of a turn together, and an answer to them.
SEARCH = {"turns": 1, "sample": 20, "depth": 2, "breadth": 16, "widen": 0.3}
SEARCH_LONG = {"candidates": 14, "depth": 5, "breadth": 24}  # the whole answer, not only its beginning
# Found by letting variants play against each other.
CLOSING = (1.0, 0.8, 0.55, 0.4, 0.3, 0.25, 0.2)  # how sure a city pays, by land hexes still free next to it
TILE = 0.4  # a city tile pays again for so many of the cities that are left
CARD = 9.0  # a ziggurat card on the way
CARDS = {1: 0.0, 2: 7.0, 3: 6.0, 4: 7.0, 5: 7.0, 6: 6.0, 7: 8.0, 8: 6.0, 9: 5.0}  # an own card, unspent
TOUCH = 2.0  # touching one more ziggurat, for the tokens to come
FIELD = 0.45  # a field that a farmer could enter
FIELD_NOW = 0.85  # the same with a farmer in hand and the turn not over
NOBLE_KEPT = 0.4  # a noble not wasted on a river
SHARED = 0.2  # of a prize that nobody leads for
TEMPO = 10.0  # a whole turn ahead
FIRST, REST = 0.7, 0.3  # how much the strongest rival and all rivals matter


class Group(NamedTuple):
    """A network with nobles in it."""

    hexes: int
    scores: dict[str, int]  # by kind of city: how many of the nobles score there


class Side(NamedTuple):
    """What a seat has on the board."""

    tokens: int
    groups: tuple[Group, ...]
    view: PlayerView


class Spot(NamedTuple):
    """A tile on its hex."""

    tile: str
    near: int
    land: int  # next to it


def value(view: View, seat: int) -> float:
    """Lead over the rivals in points and promises."""
    sides = _sides(view)
    if view.phase == "over":
        worth = [float(side.view.score) for side in sides]
    else:
        worth = _worth(view, sides)
    if view.phase == "place" and view.turn_of == seat and not view.placed:
        worth[seat] += TEMPO  # card 2 was used
    rivals = [worth[other] for other in range(len(worth)) if other != seat]
    return worth[seat] - FIRST * max(rivals) - REST * sum(rivals) / len(rivals)


def prior(view: View, seat: int, action: Action) -> float:
    """A quick guess at which placements are worth a closer look: near tiles, ziggurats and other tokens."""
    if not isinstance(action, Place):
        return 9.0
    near = NEAR[CELLS[action.hex]]
    return float((near & _interesting(view.tiles, view.ziggurats)).bit_count())


@lru_cache(maxsize=64)
def _interesting(tiles: tuple[TileView, ...], ziggurats: tuple[Hex, ...]) -> int:
    return _mask(ziggurats) | _mask(tuple(tile.hex for tile in tiles))


@lru_cache(maxsize=8192)
def _mask(hexes: tuple[Hex, ...]) -> int:
    return union(BITS[CELLS[at]] for at in hexes)


def _sides(view: View) -> list[Side]:
    board = BOARDS[len(view.players)]
    ups = [tuple(map(_mask, _face_up(player))) for player in view.players]
    tokens = [union(up) | _mask(p.face_down) for up, p in zip(ups, view.players, strict=True)]
    free = board.free & ~union(tokens)
    return [
        Side(own, _groups(own | _carried(player, free), up[:FARMER]), player)
        for own, up, player in zip(tokens, ups, view.players, strict=True)
    ]


def _face_up(player: PlayerView) -> tuple[tuple[Hex, ...], ...]:
    up = player.face_up
    return up.priest, up.servant, up.merchant, up.farmer


def _carried(player: PlayerView, free: int) -> int:
    """BA-88, BA-89; a city's hex freed in play is left out, which hardly matters here."""
    return (free & CENTER if 8 in player.cards else 0) | (free & RIVER if 9 in player.cards else 0)


@lru_cache(maxsize=8192)
def parts(hexes: int) -> tuple[int, ...]:
    """The connected parts of a set of hexes."""
    found = []
    while hexes:
        part = todo = BITS[hexes.bit_length() - 1]
        while todo:
            number = todo.bit_length() - 1
            new = NEAR[number] & hexes & ~part
            part |= new
            todo = todo ^ BITS[number] | new
        found.append(part)
        hexes &= ~part
    return tuple(found)


@lru_cache(maxsize=8192)
def _groups(hexes: int, nobles: tuple[int, ...]) -> tuple[Group, ...]:
    found = ((part, [(part & noble).bit_count() for noble in nobles]) for part in parts(hexes))
    return tuple(Group(part, _scores(counts)) for part, counts in found if any(counts))


def _scores(counts: Sequence[int]) -> dict[str, int]:
    return {
        kind: sum(counts[noble] for noble in tile.symbols) for kind, tile in TILES.items() if tile.symbols
    }


@lru_cache(maxsize=256)
def _spots(tiles: tuple[TileView, ...]) -> tuple[list[Spot], list[Spot]]:
    """Cities and fields."""
    cities: list[Spot] = []
    fields: list[Spot] = []
    for tile in tiles:
        number = CELLS[tile.hex]
        spot = Spot(tile.tile, NEAR[number], LAND_NEAR[number])
        (cities if TILES[tile.tile].symbols else fields).append(spot)
    return cities, fields


def _worth(view: View, sides: Sequence[Side]) -> list[float]:
    worth = [side.view.score + _own(view, side) for side in sides]
    untaken = ~union([side.tokens for side in sides])
    cities, fields = _spots(view.tiles)
    prize = 1 + TILE * len(cities)
    for city in cities:
        counts = [(side.tokens & city.near).bit_count() for side in sides]
        if most := max(counts):
            left = (city.land & untaken).bit_count()
            _add_nobles(worth, sides, counts, city, CLOSING[left] * PER_NOBLE)
            _add_majority(worth, counts, most, left, prize)
    for field in fields:
        _add_field(worth, view, sides, field)
    for at, near in BOARDS[len(sides)].around:
        counts = [(side.tokens & near).bit_count() for side in sides]
        if (most := max(counts)) and at not in view.resolved:
            left = (near & LAND & untaken).bit_count()
            _add_majority(worth, counts, most, left, CARD)
    return worth


def _own(view: View, side: Side) -> float:
    """What a seat holds: cards, ziggurats in reach, nobles that are not lost in a river."""
    own = sum(CARDS[card] for card in side.view.cards if card not in side.view.spent)
    touched = sum([1 for _, near in BOARDS[len(view.players)].around if near & side.tokens])
    waste = sum([kind != "farmer" for kind in side.view.face_down_kinds or ()])
    left = (side.view.stand_size + side.view.supply_size) / sum(TOKENS)
    return own * left + TOUCH * touched * left - NOBLE_KEPT * waste


def _add_nobles(
    worth: list[float], sides: Sequence[Side], counts: Sequence[int], city: Spot, each: float
) -> None:
    near, tile = city.near, city.tile
    for seat, side in enumerate(sides):
        if counts[seat]:
            for hexes, scores in side.groups:
                if hexes & near:
                    worth[seat] += each * scores[tile]


def _add_majority(worth: list[float], counts: Sequence[int], most: int, left: int, prize: float) -> None:
    """A share of the prize for whoever leads, the surer the fewer land hexes are left."""
    if counts.count(most) == 1:
        worth[counts.index(most)] += prize * CLOSING[left] * _share(counts, most, left)
        return
    for seat, count in enumerate(counts):
        if count == most:
            worth[seat] += prize * CLOSING[left] * SHARED


def _share(counts: Sequence[int], most: int, left: int) -> float:
    second = max([count for count in counts if count != most])
    return min(1.0, 0.3 + 0.7 * (most - second) / (left + 1))


def _add_field(worth: list[float], view: View, sides: Sequence[Side], field: Spot) -> None:
    points = TILES[field.tile].value
    if points is None:
        points = sum(len(side.view.city_tiles) for side in sides)
    near = field.near if view.options.river_tokens_open_fields else field.land
    for seat, side in enumerate(sides):
        if side.tokens & near or 6 in side.view.cards:
            now = seat == view.turn_of and view.phase == "place"
            worth[seat] += points * (FIELD_NOW if now and _has_farmer(side.view) else FIELD)


def _has_farmer(player: PlayerView) -> bool:
    return player.stand is None or "farmer" in player.stand
