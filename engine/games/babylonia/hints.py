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
    KIND,
    LAND,
    LAND_NEAR,
    NEAR,
    PER_NOBLE,
    RIVER,
    TILES,
    Hex,
    union,
)
from engine.games.babylonia.model import Action, Place, PlayerView, TileView, View

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


class Side(NamedTuple):
    """What a seat has on the board."""

    tokens: int
    nobles: tuple[int, ...]  # face up, by kind
    parts: tuple[int, ...]  # its networks
    view: PlayerView


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
        Side(own, up[:FARMER], parts(own | _carried(player, free)), player)
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


def _worth(view: View, sides: Sequence[Side]) -> list[float]:
    worth = [side.view.score + _own(view, side) for side in sides]
    taken = union(side.tokens for side in sides)
    cities = sum(1 for tile in view.tiles if TILES[tile.tile].symbols)
    for tile in view.tiles:
        if TILES[tile.tile].symbols:
            _add_city(worth, sides, tile, taken, 1 + TILE * cities)
        else:
            _add_field(worth, view, sides, tile)
    for at in view.ziggurats:
        if at not in view.resolved:
            _add_majority(worth, sides, CELLS[at], taken, CARD)
    return worth


def _own(view: View, side: Side) -> float:
    """What a seat holds: cards, ziggurats in reach, nobles that are not lost in a river."""
    own = sum(CARDS[card] for card in side.view.cards if card not in side.view.spent)
    touched = sum(1 for _, near in BOARDS[len(view.players)].around if near & side.tokens)
    waste = sum(KIND[kind] != FARMER for kind in side.view.face_down_kinds or ())
    left = (side.view.stand_size + side.view.supply_size) / 30
    return own * left + TOUCH * touched * left - NOBLE_KEPT * waste


def _add_city(worth: list[float], sides: Sequence[Side], tile: TileView, taken: int, prize: float) -> None:
    number = CELLS[tile.hex]
    near = NEAR[number]
    sure = CLOSING[(LAND_NEAR[number] & ~taken).bit_count()]
    for seat, side in enumerate(sides):
        matching = union([side.nobles[kind] for kind in TILES[tile.tile].symbols])
        if matching:
            reached = union([part for part in side.parts if part & near])
            worth[seat] += sure * PER_NOBLE * (matching & reached).bit_count()
    _add_majority(worth, sides, number, taken, prize)


def _add_majority(worth: list[float], sides: Sequence[Side], number: int, taken: int, prize: float) -> None:
    """A share of the prize for whoever leads, the surer the fewer hexes are free."""
    near = NEAR[number]
    counts = [(side.tokens & near).bit_count() for side in sides]
    most, second = sorted(counts)[-1], sorted(counts)[-2]
    open_hexes = (LAND_NEAR[number] & ~taken).bit_count()
    lead = (most - second) / (open_hexes + 1)
    share = min(1.0, 0.3 + 0.7 * lead) if lead else SHARED
    for seat, count in enumerate(counts):
        if count == most > 0:
            worth[seat] += prize * share * CLOSING[open_hexes]


def _add_field(worth: list[float], view: View, sides: Sequence[Side], tile: TileView) -> None:
    near = NEAR[CELLS[tile.hex]]
    points = TILES[tile.tile].value
    if points is None:
        points = sum(len(side.view.city_tiles) for side in sides)
    opens = -1 if view.options.river_tokens_open_fields else LAND
    for seat, side in enumerate(sides):
        if side.tokens & near & opens or 6 in side.view.cards:
            now = seat == view.turn_of and view.phase == "place"
            worth[seat] += points * (FIELD_NOW if now and _has_farmer(side.view) else FIELD)


def _has_farmer(player: PlayerView) -> bool:
    return player.stand is None or "farmer" in player.stand
