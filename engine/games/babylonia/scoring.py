"""Section 7: what is surrounded, who has the majority, what a city pays and to whom."""

from collections.abc import Sequence

from engine.games.babylonia.content import (
    BITS,
    BOARDS,
    CENTER,
    HEXES,
    LAND,
    LAND_NEAR,
    NEAR,
    PER_NOBLE,
    RIVER,
    TILES,
    Hex,
    card_bits,
    spots,
)
from engine.games.babylonia.facts import CityResolved, ZigguratResolved
from engine.games.babylonia.model import Player, State

CITY_PAIRS = card_bits([7])
LAND_CONNECTS = card_bits([8])
RIVER_CONNECTS = card_bits([9])


def surrounded(state: State, free: int) -> int:
    """BA-23, BA-50: cities and unresolved ziggurats without a free land hex next to them.

    Their land neighbours are plain hexes of their own region (BA-3), so what is not free holds a token.
    """
    found = 0
    left = state.cities | BOARDS[len(state.players)].ziggurats & ~state.resolved
    while left:
        number = left.bit_length() - 1
        left ^= BITS[number]
        if not LAND_NEAR[number] & free:
            found |= BITS[number]
    return found


def tokens_near(players: Sequence[Player], number: int) -> tuple[int, ...]:
    """By seat: tokens on land and rivers next to a hex."""
    near = NEAR[number]
    return tuple([(player.tokens & near).bit_count() for player in players])


def majority(counts: Sequence[int]) -> int | None:
    """BA-24: the seat with more than every other."""
    most = max(counts)
    return counts.index(most) if counts.count(most) == 1 else None


def network(number: int, passable: int) -> int:
    """BA-25: everything passable that hangs together with a city's neighbourhood."""
    net = todo = NEAR[number] & passable
    while todo:
        at = todo.bit_length() - 1
        new = NEAR[at] & passable & ~net
        net |= new
        todo = todo ^ BITS[at] | new
    return net


def passable(player: Player, free: int) -> int:
    """What carries a seat's network: its tokens, and free hexes with cards 8 and 9 (BA-88, BA-89)."""
    through = player.tokens
    if player.cards & LAND_CONNECTS:
        through |= free & CENTER
    if player.cards & RIVER_CONNECTS:
        through |= free & RIVER
    return through


def scoring_nobles(player: Player, number: int, symbols: Sequence[int], free: int) -> int:
    """BA-51: the seat's face-up nobles of the city's kinds in its network."""
    matching = 0
    for kind in symbols:
        matching |= player.boards[kind]
    matching &= LAND  # BA-37
    return matching & network(number, passable(player, free)) if matching else 0


def city(state: State, number: int) -> CityResolved:
    """BA-51 to BA-53."""
    tile = state.layout[BOARDS[len(state.players)].place[number]]
    assert tile is not None
    symbols = TILES[tile].symbols
    nobles = [scoring_nobles(player, number, symbols, state.free) for player in state.players]
    counts = tokens_near(state.players, number)
    winner = majority(counts)
    return CityResolved(
        HEXES[number],
        tile,
        tuple([_spots(found) for found in nobles]),
        tuple([PER_NOBLE * found.bit_count() for found in nobles]),
        counts,
        winner,
        tuple([tile_points(player, seat == winner) for seat, player in enumerate(state.players)])
        if winner is not None
        else (0,) * len(counts),
    )


def _spots(hexes: int) -> tuple[Hex, ...]:
    return spots(hexes) if hexes else ()


def tile_points(player: Player, wins: bool) -> int:
    """BA-53, BA-87."""
    owned = len(player.city_tiles) + wins
    return owned + owned // 2 if player.cards & CITY_PAIRS else owned


def ziggurat(state: State, number: int) -> ZigguratResolved:
    """BA-55, BA-56."""
    counts = tokens_near(state.players, number)
    return ZigguratResolved(HEXES[number], counts, majority(counts))
