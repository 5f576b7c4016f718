"""Chapter 18, placing: one position judged by itself, in the order of the table."""

from engine.game import Illegal
from engine.games.world_wonders import wonders
from engine.games.world_wonders.content import Board, Table, table
from engine.games.world_wonders.grid import near
from engine.games.world_wonders.model import (
    City,
    Place,
    Purchase,
    State,
)
from engine.games.world_wonders.pieces import Form, Piece, Spot
from engine.games.world_wonders.placement import followed, without

FIRST_ROAD = Purchase("long_road", ("long_road",))  # WW-30: placed like one, but not bought


def refuse_place(state: State, seat: int, action: Place) -> Spot:
    """Returns the position if nothing speaks against it."""
    content = table(state.data)
    city = state.cities[seat]
    board = content.board(city.map)
    purchase = state.purchase or FIRST_ROAD
    form = _form(_due(content, board, purchase, action.piece), action.rot)
    anchor = _anchor(board, form, action)
    mask = form.shape * anchor
    if mask & (city.covered | purchase.cells):
        raise Illegal("occupied")
    if not form.ground & anchor:
        raise Illegal(_TERRAIN[purchase.item])
    _refuse_adjacency(content, board, city, purchase, mask)
    if not form.own & anchor:  # WW-16: a smaller turn covers the same cells
        raise Illegal("bad_rotation")
    spot = form.spots[anchor]
    if not _can_go_on(content, board, city, purchase, spot):
        raise Illegal("no_completion")
    return spot


def _due(content: Table, board: Board, purchase: Purchase, word: str) -> Piece:
    """WW-65: short pieces come in any order; WW-73: parts only in theirs."""
    if word not in (purchase.pieces[:1] if purchase.item == "monument" else purchase.pieces):
        raise Illegal("wrong_piece")
    match purchase.item:
        case "short_roads":
            return board.shorts[word]
        case "tower":
            return board.tower
        case "building":
            return board.building(content.stacks[content.stack_at[purchase.stack]].shape)
        case "monument":
            return board.wonder(purchase.card).parts[-len(purchase.pieces)]
    return board.long_road


def _form(piece: Piece, rot: int) -> Form:
    if not 0 <= rot <= 3:
        raise Illegal("bad_rotation")
    return piece.turns[rot]


def _anchor(board: Board, form: Form, action: Place) -> int:
    """WW-60, WW-74: every cell and every gap on the map."""
    x, y = action.x + form.dx, action.y + form.dy
    if not (0 <= x < board.on.width and 0 <= y < board.on.height):
        raise Illegal("off_map")
    anchor = 1 << (y * board.on.stride + x)
    if not form.room & anchor:
        raise Illegal("off_map")
    return anchor


_TERRAIN = {
    "long_road": "bridge_end_on_water",
    "short_roads": "on_water",
    "tower": "on_water",
    "building": "on_water",
    "monument": "wrong_terrain",
}


def _refuse_adjacency(content: Table, board: Board, city: City, purchase: Purchase, mask: int) -> None:
    """WW-30, WW-61, WW-66, WW-67, WW-72, WW-73."""
    if purchase is FIRST_ROAD:
        if not mask & board.on.bottom:
            raise Illegal("first_road_not_at_sidewalk")
        return
    match purchase.item:
        case "long_road" | "short_roads":
            if not mask & city.by_link:
                raise Illegal("road_not_connected")
        case "tower":
            if not mask & near(city.covered, board.on.stride):
                raise Illegal("tower_not_adjacent")
        case "building":
            if not mask & (city.by_road | city.by_kind[content.tiles[purchase.tile].number]):
                raise Illegal("building_not_adjacent")
        case "monument":
            _refuse_part(content, board, city, purchase, mask)


def _refuse_part(content: Table, board: Board, city: City, purchase: Purchase, mask: int) -> None:
    """WW-72, WW-73: parts hold together; what the card asks for is asked of the last one."""
    standing = purchase.cells
    if standing and not mask & near(standing, board.on.stride):
        raise Illegal("part_not_adjacent")
    if len(purchase.pieces) == 1:
        lacking = wonders.missing(board, city, content.cards[purchase.card].needs, standing | mask)
        if lacking:
            raise Illegal("monument_requirement", missing=lacking)


def _can_go_on(content: Table, board: Board, city: City, purchase: Purchase, spot: Spot) -> bool:
    """WW-65, WW-75: whether the pieces still to come can all be placed."""
    if len(purchase.pieces) == 1:
        return True
    if purchase.item == "short_roads":
        return followed(board, city, spot, without(purchase.pieces, spot.action.piece))
    card = content.cards[purchase.card]
    part = len(card.parts) - len(purchase.pieces)
    return wonders.can_finish(board, city, card, part, purchase.cells | spot.mask)
