"""Chapters 7 and 9: what a seat may buy, and loans."""

from collections.abc import Iterator

from engine.games.world_wonders.content import Table, table
from engine.games.world_wonders.model import (
    Buy,
    City,
    State,
)
from engine.games.world_wonders.placement import fits, road_fits, set_fits, tower_fits
from engine.games.world_wonders.wonders import monument_fits

LONG_ROAD, SHORT_ROADS, TOWER = Buy("long_road"), Buy("short_roads"), Buy("tower")


def coins(city: City) -> int:
    """WW-32."""
    return city.limit - city.spent


def purchases(state: State, seat: int) -> Iterator[Buy]:
    """WW-50 to WW-54: everything on offer that this seat can pay and place, in the order of chapter 7."""
    content, city = table(state.data), state.cities[seat]
    board, prices, left = content.board(city.map), content.prices, city.limit - city.spent
    covered, lane = city.covered, board.lane
    if state.long_roads > 0 and left >= prices["long_road"] and road_fits(board, city):
        yield LONG_ROAD
    if (
        state.short_roads > 0
        and left >= prices["short_roads"]
        and set_fits(board, covered, city.by_link, content.short_set)
    ):
        yield SHORT_ROADS
    if state.towers > 0 and left >= prices["tower"] and tower_fits(board, city):
        yield TOWER
    if left >= content.cheapest:  # WW-52
        by_road, by_kind, numbers = city.by_road, city.by_kind, content.kind_of
        for (price, piece, buy), tile in zip(board.offers(len(state.cities)), state.tiles, strict=True):
            if tile is None or price > left:
                continue
            if fits(piece, covered, by_road | by_kind[numbers[tile]], lane):
                yield buy
    yield from _pedestals(content, state, seat, left)
    if left > 0:  # WW-54
        for key in state.slots:
            if key is not None and monument_fits(board, city, content.cards[key]):
                yield content.cards[key].buy


def _pedestals(content: Table, state: State, seat: int, left: int) -> list[Buy]:
    """WW-53: one for each seat and round."""
    if left < content.prices["pedestal"] or seat in state.pedestals:
        return []
    return [buy for holder, buy in zip(state.pedestals, content.pedestals, strict=False) if holder is None]


def any_purchase(state: State, seat: int) -> bool:
    """WW-55: whether a purchase is possible, wanted or not."""
    if None in state.pedestals and _pedestals(table(state.data), state, seat, coins(state.cities[seat])):
        return True
    return next(purchases(state, seat), None) is not None


def can_borrow(city: City) -> bool:
    """WW-80, WW-83."""
    return not city.loan and not city.borrowed


def can_repay(content: Table, city: City, fresh: bool) -> bool:
    """WW-82; `fresh` = the loan was taken in this very turn."""
    return city.loan and not fresh and coins(city) >= content.repayment
