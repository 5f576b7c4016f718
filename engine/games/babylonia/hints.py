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
    HEXES,
    LAND,
    LAND_NEAR,
    NEAR,
    PER_NOBLE,
    RIVER,
    TILES,
    TOKENS,
    Hex,
    card_numbers,
    union,
)
from engine.games.babylonia.model import Action, Place, Player, PlayerView, State, TileView, View

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
ALL_TOKENS = sum(TOKENS)
FIRST, REST = 0.7, 0.3  # how much the strongest rival and all rivals matter


class Group(NamedTuple):
    """A network with nobles in it."""

    hexes: int
    nobles: tuple[int, ...]  # how many of each kind


class Side(NamedTuple):
    """What a seat has, as far as who judges may know it."""

    tokens: int
    groups: tuple[Group, ...]
    score: int
    cards: tuple[int, ...]
    spent: tuple[int, ...]
    city_tiles: int
    left: float  # of its tokens
    wasted: int  # nobles that lie in a river, if that is known
    farmer: bool  # whether one may be in hand


class Spot(NamedTuple):
    """A tile on its hex."""

    tile: str
    near: int
    land: int  # next to it


class Scene(NamedTuple):
    """A position, from a view or from a state."""

    phase: str
    turn_of: int
    fresh: bool  # nothing was placed yet this turn
    sides: Sequence[Side]
    cities: Sequence[Spot]
    fields: Sequence[Spot]
    resolved: int
    river_fields: bool  # tokens in a river open fields


def value(view: View, seat: int) -> float:
    """Lead over the rivals in points and promises."""
    cities, fields = _spots(view.tiles)
    return _lead(
        Scene(
            phase=view.phase,
            turn_of=view.turn_of,
            fresh=not view.placed,
            sides=_seen_sides(view),
            cities=cities,
            fields=fields,
            resolved=_mask(view.resolved),
            river_fields=view.options.river_tokens_open_fields,
        ),
        seat,
    )


def judge(state: State, seat: int) -> float:
    """The same from a state, without its view: what others have in hand and in rivers is not looked at."""
    cities, fields = _laid(len(state.players), state.layout, state.cities | state.fields)
    free = BOARDS[len(state.players)].free & ~union([player.tokens for player in state.players])
    return _lead(
        Scene(
            phase=state.phase,
            turn_of=state.seat,
            fresh=not state.placed,
            sides=[_own_side(player, free, owner == seat) for owner, player in enumerate(state.players)],
            cities=cities,
            fields=fields,
            resolved=state.resolved,
            river_fields=state.options.river_tokens_open_fields,
        ),
        seat,
    )


def _lead(scene: Scene, seat: int) -> float:
    over = scene.phase == "over"
    worth = [float(side.score) for side in scene.sides] if over else _worth(scene)
    if scene.phase == "place" and scene.turn_of == seat and scene.fresh:
        worth[seat] += TEMPO  # card 2 was used
    rivals = worth[:seat] + worth[seat + 1 :]
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


def _seen_sides(view: View) -> list[Side]:
    board = BOARDS[len(view.players)]
    ups = [tuple(map(_mask, _face_up(player))) for player in view.players]
    tokens = [union(up) | _mask(p.face_down) for up, p in zip(ups, view.players, strict=True)]
    free = board.free & ~union(tokens)
    return [
        Side(
            tokens=own,
            groups=_groups(own | _carried(player.cards, free), up[:FARMER]),
            score=player.score,
            cards=player.cards,
            spent=player.spent,
            city_tiles=len(player.city_tiles),
            left=(player.stand_size + player.supply_size) / ALL_TOKENS,
            wasted=sum([kind != "farmer" for kind in player.face_down_kinds or ()]),
            farmer=player.stand is None or "farmer" in player.stand,
        )
        for own, up, player in zip(tokens, ups, view.players, strict=True)
    ]


def _own_side(player: Player, free: int, own: bool) -> Side:
    cards = card_numbers(player.cards)
    nobles = player.boards[:FARMER]
    return Side(
        tokens=player.tokens,
        groups=_groups(player.tokens | _carried(cards, free), tuple([board & LAND for board in nobles])),
        score=player.score,
        cards=cards,
        spent=card_numbers(player.spent),
        city_tiles=len(player.city_tiles),
        left=(sum(player.stand) + sum(player.supply)) / ALL_TOKENS,
        wasted=(union(nobles) & RIVER).bit_count() if own else 0,
        farmer=not own or player.stand[FARMER] > 0,
    )


def _face_up(player: PlayerView) -> tuple[tuple[Hex, ...], ...]:
    up = player.face_up
    return up.priest, up.servant, up.merchant, up.farmer


def _carried(cards: tuple[int, ...], free: int) -> int:
    """BA-88, BA-89; a city's hex freed in play is left out, which hardly matters here."""
    return (free & CENTER if 8 in cards else 0) | (free & RIVER if 9 in cards else 0)


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
    found = [(part, tuple([(part & noble).bit_count() for noble in nobles])) for part in parts(hexes)]
    return tuple([Group(part, counts) for part, counts in found if any(counts)])


@lru_cache(maxsize=1024)
def _laid(players: int, layout: tuple[str | None, ...], left: int) -> tuple[list[Spot], list[Spot]]:
    laid = zip(BOARDS[players].locations, layout, strict=False)  # shorter while tiles are being laid
    return _spots(
        tuple(TileView(HEXES[number], tile) for number, tile in laid if tile and left & BITS[number])
    )


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


def _worth(scene: Scene) -> list[float]:
    sides, cities = scene.sides, scene.cities
    around = BOARDS[len(sides)].around
    worth = [side.score + _own(side, around) for side in sides]
    untaken = ~union([side.tokens for side in sides])
    prize = 1 + TILE * len(cities)
    for city in cities:
        counts = [(side.tokens & city.near).bit_count() for side in sides]
        if most := max(counts):
            left = (city.land & untaken).bit_count()
            _add_nobles(worth, sides, counts, city, CLOSING[left] * PER_NOBLE)
            _add_majority(worth, counts, most, left, prize)
    for field in scene.fields:
        _add_field(worth, scene, field)
    for at, near in around:
        counts = [(side.tokens & near).bit_count() for side in sides]
        if (most := max(counts)) and not BITS[CELLS[at]] & scene.resolved:
            left = (near & LAND & untaken).bit_count()
            _add_majority(worth, counts, most, left, CARD)
    return worth


def _own(side: Side, around: Sequence[tuple[Hex, int]]) -> float:
    """What a seat holds: cards, ziggurats in reach, nobles that are not lost in a river."""
    own = sum([CARDS[card] for card in side.cards if card not in side.spent])
    touched = sum([1 for _, near in around if near & side.tokens])
    return own * side.left + TOUCH * touched * side.left - NOBLE_KEPT * side.wasted


def _add_nobles(
    worth: list[float], sides: Sequence[Side], counts: Sequence[int], city: Spot, each: float
) -> None:
    near, symbols = city.near, TILES[city.tile].symbols
    for seat, side in enumerate(sides):
        if counts[seat]:
            for hexes, nobles in side.groups:
                if hexes & near:
                    worth[seat] += each * sum([nobles[symbol] for symbol in symbols])


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


def _add_field(worth: list[float], scene: Scene, field: Spot) -> None:
    points = TILES[field.tile].value
    if points is None:
        points = sum([side.city_tiles for side in scene.sides])
    near = field.near if scene.river_fields else field.land
    for seat, side in enumerate(scene.sides):
        if side.tokens & near or 6 in side.cards:
            now = seat == scene.turn_of and scene.phase == "place"
            worth[seat] += points * (FIELD_NOW if now and side.farmer else FIELD)
