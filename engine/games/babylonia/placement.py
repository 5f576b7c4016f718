"""Section 6: where a token may go, what it scores at once, and when placing is over."""

from engine.game import Illegal
from engine.games.babylonia.content import (
    BITS,
    BOARDS,
    CELLS,
    FARMER,
    KIND,
    LAND,
    NEAR,
    RIVER,
    TILES,
    Hex,
    card_bits,
    cells,
)
from engine.games.babylonia.evolve import evolve
from engine.games.babylonia.facts import Placed
from engine.games.babylonia.model import Place, Player, State
from engine.games.babylonia.sets import COMPLETE, OPEN, WIDENING, WRONG, Played, as_played, following, status

NOBLES_IN_FIELDS = card_bits([6])


def hexes(state: State, player: Player, kind: int) -> int:
    """Every hex where the seat on turn may now put a token of this kind that it holds."""
    where = state.free | fields(state, player, kind)
    if len(state.placed) < 2:
        return where
    then = status(_turn(state), player.cards & WIDENING, (*state.played, kind))
    if then is WRONG:
        return 0
    where &= LAND  # BA-37
    if then is OPEN:
        farmers_left = player.stand[FARMER] - (kind == FARMER)
        return _with_room(state, player, where) if farmers_left else 0
    return where


def fields(state: State, player: Player, kind: int) -> int:
    """The fields that a token of this kind may enter (BA-38, BA-86)."""
    if kind != FARMER:
        return state.fields if player.cards & NOBLES_IN_FIELDS else 0
    own = player.tokens if state.options.river_tokens_open_fields else player.tokens & LAND  # BA-93
    found = 0
    left = state.fields
    while left:
        number = left.bit_length() - 1
        bit = BITS[number]
        left ^= bit
        if NEAR[number] & own:
            found |= bit
    return found


def _with_room(state: State, player: Player, where: int) -> int:
    """BA-34, card 5: those of the hexes after which some land hex can still take a farmer."""
    room = (state.free | fields(state, player, FARMER)) & LAND
    if room.bit_count() > 1:
        return where
    found = 0
    for number in cells(where):
        opened = NEAR[number] & state.fields
        if (room | opened) & ~BITS[number]:
            found |= BITS[number]
    return found


def may_end(state: State, player: Player) -> bool:
    """BA-34: the set is complete."""
    return state.placed != () and _complete(state, player, state.played, sum(player.stand))


def _complete(state: State, player: Player, played: Played, left: int) -> bool:
    if left == 0 and len(played) == 1:  # BA-33
        return True
    return status(_turn(state), player.cards & WIDENING, played) is COMPLETE


def must_end(state: State, placed: Placed) -> bool:
    """BA-35: with this token the set is complete, and nothing could follow whatever is left on the stand."""
    player = state.players[placed.seat]
    played = (*state.played, as_played(KIND[placed.token or ""], BITS[CELLS[placed.hex]]))
    left = sum(player.stand) - 1
    if not _complete(state, player, played, left):
        return False
    kinds = following(_turn(state), player.cards & WIDENING, played) if left else ()
    if not kinds:
        return True
    after = evolve(state, placed)
    return not any(_could_follow(after, kind, then is OPEN, left) for kind, then in kinds)


def _could_follow(state: State, kind: int, opens: bool, left: int) -> bool:
    player = state.players[state.seat]
    where = (state.free | fields(state, player, kind)) & LAND
    if opens:
        return left > 1 and _with_room(state, player, where) != 0
    return where != 0


def _turn(state: State) -> int:
    return state.turn_number if state.turn_number < 2 else 2


def put(state: State, seat: int, action: Place) -> Placed:
    """The token on its hex and its points (BA-37, BA-39, BA-40), or Illegal."""
    kind = KIND.get(action.token)
    player = state.players[seat]
    if kind is None:
        raise Illegal("unknown_token", token=action.token[:40])
    if not player.stand[kind]:
        raise Illegal("token_not_on_stand", token=action.token)
    number = CELLS.get(action.hex)
    if number is None:
        raise Illegal("no_such_hex")
    bit = BITS[number]
    early = len(state.placed) < 2 and bit & state.free  # most tokens; no need to look at fields
    if not early and not hexes(state, player, kind) & bit:
        raise _refusal(state, kind, bit)
    touched = _touched(state, player, bit)
    if bit & state.fields:
        tile = state.layout[BOARDS[len(state.players)].place[number]]
        assert tile is not None
        return Placed(seat, action.hex, action.token, False, tile, _harvest(state, tile), touched)
    return Placed(seat, action.hex, action.token, bit & RIVER != 0, None, 0, touched)


def _refusal(state: State, kind: int, bit: int) -> Illegal:
    """Why a token may not go to a hex of the map: section 16, in its order."""
    board = BOARDS[len(state.players)]
    code = "set_not_allowed"
    if not bit & board.in_play:
        code = "hex_not_in_play"
    elif any(bit & player.tokens for player in state.players):
        code = "hex_occupied"
    elif bit & board.ziggurats:
        code = "hex_is_ziggurat"
    elif bit & state.cities:
        code = "hex_is_city"
    elif bit & state.fields:
        code = _field_refusal(state, kind, bit)
    elif bit & RIVER:
        code = "river_only_with_two"
    return Illegal(code)


def _field_refusal(state: State, kind: int, bit: int) -> str:
    player = state.players[state.seat]
    if bit & fields(state, player, kind):
        return "set_not_allowed"
    return "field_needs_own_token" if kind == FARMER else "field_needs_farmer"


def _harvest(state: State, tile: str) -> int:
    """BA-39."""
    value = TILES[tile].value
    return sum(len(player.city_tiles) for player in state.players) if value is None else value


def _touched(state: State, player: Player, bit: int) -> tuple[Hex, ...]:
    """BA-40: the ziggurats that the seat touches, if the new token touches one."""
    board = BOARDS[len(state.players)]
    if not bit & board.holy:
        return ()
    own = player.tokens | bit
    return tuple(at for at, near in board.around if near & own)
