"""Section 14: the only file that knows what is shown in Babylonia."""

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Any

from msgspec.structs import replace

from engine.games.babylonia.content import (
    BITS,
    BOARDS,
    CELLS,
    FARMER,
    HEXES,
    KIND,
    KINDS,
    LAND,
    RIVER,
    TILE_KINDS,
    TILES,
    TOKENS,
    Hex,
    card_bits,
    card_numbers,
    cells,
    mask,
    spots,
    union,
)
from engine.games.babylonia.facts import CardsOffered, Drew, Fact, FirstSeat, Placed, TileLaid
from engine.games.babylonia.model import (
    PARTS,
    Action,
    Counts,
    FaceUp,
    Place,
    Player,
    PlayerView,
    State,
    TileView,
    TokenView,
    View,
)
from engine.games.babylonia.sets import OPEN, WIDENING, as_played, status
from engine.games.babylonia.supply import named

# --- from the state to what a seat may know ---------------------------------------------------------------


def view(state: State, seat: int | None) -> View:
    """BA-100, BA-101, built up from what this seat may know."""
    return View(
        seat=seat,
        options=state.options,
        phase=state.phase,
        turn_of=state.seat,
        turn_number=state.turn_number,
        draws=state.draws,
        players=tuple([_player(player, owner == seat) for owner, player in enumerate(state.players)]),
        tiles=_tiles(len(state.players), state.layout, state.cities | state.fields),
        ziggurats=_hexes(BOARDS[len(state.players)].ziggurats),
        resolved=_hexes(state.resolved),
        offer=card_numbers(state.offer),
        discarded=state.discarded,
        placed=tuple([_token(state, number, seat) for number in state.placed]),
        pending=_hexes(state.pending),
        chooser=state.chooser,
        ziggurat=None if state.ziggurat is None else HEXES[state.ziggurat],
    )


_hexes = lru_cache(maxsize=8192)(spots)  # bots look at hundreds of positions that differ in one token


@lru_cache(maxsize=1024)
def _tiles(players: int, layout: tuple[str | None, ...], left: int) -> tuple[TileView, ...]:
    laid = zip(BOARDS[players].locations, layout, strict=False)  # shorter while tiles are being laid
    return tuple(TileView(HEXES[number], tile) for number, tile in laid if tile and left & BITS[number])


def _player(player: Player, own: bool) -> PlayerView:
    down = player.tokens & RIVER
    return PlayerView(
        score=player.score,
        points=dict(zip(PARTS, player.points, strict=True)),
        city_tiles=player.city_tiles,
        cards=card_numbers(player.cards),
        spent=card_numbers(player.spent),
        face_up=FaceUp(*[_hexes(board & LAND) for board in player.boards]),
        face_down=_hexes(down),
        stand_size=sum(player.stand),
        supply_size=sum(player.supply),
        face_down_kinds=_down_kinds(tuple([board & RIVER for board in player.boards])) if own else None,
        stand=named(player.stand) if own else None,
        supply=dict(zip(KINDS, player.supply, strict=True)) if own else None,
    )


@lru_cache(maxsize=8192)
def _down_kinds(boards: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(_kind_at(boards, number) for number in cells(union(boards)))


def _kind_at(boards: tuple[int, ...], number: int) -> str:
    bit = BITS[number]
    return next(kind for kind, board in zip(KINDS, boards, strict=True) if board & bit)


def _token(state: State, number: int, seat: int | None) -> TokenView:
    hidden = BITS[number] & RIVER and seat != state.seat
    return TokenView(HEXES[number], None if hidden else _kind_at(state.players[state.seat].boards, number))


def redact(item: Action | Fact, seat: int | None) -> Any:
    """An action or fact as somebody else reads it: emptied, never left out (BA-103)."""
    match item:
        case Placed(face_down=True) if item.seat != seat:
            return replace(item, token=None)
        case Drew() if item.seat != seat:
            return replace(item, tokens=None)
        case Place() if BITS[CELLS[item.hex]] & RIVER:
            return {"type": "place", "token": None, "hex": list(item.hex)}
        case _:
            return item


def reveals(fact: Fact) -> bool:
    """Chance has spoken, or a token of a stand lies face up now."""
    match fact:
        case Placed():
            return not fact.face_down
        case Drew() | TileLaid():
            return True
        case FirstSeat() | CardsOffered():
            return fact.n is not None
        case _:
            return False


# --- from a view to a state that the seat cannot rule out -------------------------------------------------


def determinise(view: View, rng: Random) -> State:
    """What nobody showed is dealt anew: stands, supplies and the kinds of tokens that lie face down."""
    board = BOARDS[len(view.players)]
    players = tuple([_guess_player(view, seat, rng) for seat in range(len(view.players))])
    tiles = {tile.hex: tile.tile for tile in view.tiles}
    laid = mask(tiles)
    cities = mask(tile.hex for tile in view.tiles if TILES[tile.tile].symbols)
    taken = union(player.tokens for player in players)
    return State(
        options=view.options,
        phase=view.phase,
        seat=view.turn_of,
        turn_number=view.turn_number,
        draws=view.draws,
        players=players,
        bag=(0,) * len(TILE_KINDS),
        layout=tuple([tiles.get(HEXES[number]) for number in board.locations]),
        cities=cities,
        fields=laid & ~cities,
        free=board.in_play & ~board.ziggurats & ~laid & ~taken,
        resolved=mask(view.resolved),
        offer=card_bits(view.offer),
        discarded=view.discarded,
        placed=tuple([CELLS[token.hex] for token in view.placed]),
        played=played(view),
        pending=mask(view.pending),
        chooser=view.chooser,
        ziggurat=None if view.ziggurat is None else CELLS[view.ziggurat],
    )


def played(view: View) -> tuple[int, ...]:
    """This turn's tokens as BA-34 looks at them; a river token's kind does not matter there."""
    return tuple([_played(token) for token in view.placed])


def _played(token: TokenView) -> int:
    return as_played(KIND[token.token or KINDS[FARMER]], BITS[CELLS[token.hex]])


def _guess_player(view: View, seat: int, rng: Random) -> Player:
    seen = view.players[seat]
    up: list[int] = [mask(hexes) for hexes in _face_up(seen)]
    if seen.stand is None:
        down, stand, supply = _deal(view, seat, [board.bit_count() for board in up], rng)
    else:
        down = [KIND[kind] for kind in seen.face_down_kinds or ()]
        stand = counted(KIND[kind] for kind in seen.stand)
        supply = tuple([(seen.supply or {})[kind] for kind in KINDS])
    for at, kind in zip(seen.face_down, down, strict=True):
        up[kind] |= BITS[CELLS[at]]
    return Player(
        stand=stand,
        supply=supply,
        boards=tuple(up),
        tokens=union(up),
        city_tiles=seen.city_tiles,
        cards=card_bits(seen.cards),
        spent=card_bits(seen.spent),
        points=tuple([seen.points[part] for part in PARTS]),
    )


def _face_up(seen: PlayerView) -> tuple[tuple[Hex, ...], ...]:
    up = seen.face_up
    return up.priest, up.servant, up.merchant, up.farmer


def _deal(view: View, seat: int, shown: Sequence[int], rng: Random) -> tuple[list[int], Counts, Counts]:
    """Kinds for a seat's face-down tokens, its stand and its supply, out of what it has not shown."""
    seen = view.players[seat]
    pool = [kind for kind, count in enumerate(TOKENS) for _ in range(count - shown[kind])]
    rng.shuffle(pool)
    if _owes_farmer(view, seat):
        pool.remove(FARMER)
        pool.append(FARMER)  # the stand is dealt from the end
    stand = pool[len(pool) - seen.stand_size :]
    rest = pool[: len(pool) - seen.stand_size]
    down = rest[: len(seen.face_down)]
    return down, counted(stand), counted(rest[len(seen.face_down) :])


def _owes_farmer(view: View, seat: int) -> bool:
    """BA-34: after a noble and two farmers everybody knows that another farmer must be there."""
    cards = card_bits(view.players[seat].cards) & WIDENING
    return view.phase == "place" and seat == view.turn_of and status(2, cards, played(view)) is OPEN


def counted(kinds: Any) -> Counts:
    """How many of each kind."""
    found = [0] * len(KINDS)
    for kind in kinds:
        found[kind] += 1
    return tuple(found)
