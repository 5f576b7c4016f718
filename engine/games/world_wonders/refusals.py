"""Chapter 18: why a purchase, a loan or leaving is refused, in the order of its table."""

from typing import Any

from engine.game import Illegal
from engine.games.world_wonders import wonders
from engine.games.world_wonders.components import Card, Stack
from engine.games.world_wonders.content import Table, table
from engine.games.world_wonders.market import any_purchase, coins
from engine.games.world_wonders.model import (
    AutomaDiscard,
    City,
    Place,
    State,
)
from engine.games.world_wonders.placement import building_fits, road_fits, set_fits, tower_fits


def refuse_phase(state: State, seat: int, action: Any) -> None:
    """Steps 1, 3 and 4."""
    if state.phase == "over":
        raise Illegal("game_over")
    if seat != state.active or state.awaits:
        raise Illegal("not_your_turn")
    placing = isinstance(action, Place)
    match state.phase:
        case "automaton_choice" if not isinstance(action, AutomaDiscard):
            raise Illegal("wrong_phase_automaton")
        case "first_road" if not placing:
            raise Illegal("wrong_phase_first_road")
        case "placing" if not placing:
            raise Illegal("wrong_phase_must_place")
        case "turn" if placing:
            raise Illegal("wrong_phase_nothing_to_place")


# --- loans, leaving, the automaton's choice --------------------------------------------------------------


def refuse_loan(state: State, seat: int) -> None:
    """WW-80, WW-83."""
    city = state.cities[seat]
    if city.loan:
        raise Illegal("has_loan")
    if city.borrowed:
        raise Illegal("loan_already_taken_this_round")


def refuse_repayment(state: State, seat: int) -> None:
    """WW-82."""
    city = state.cities[seat]
    price = table(state.data).repayment
    if not city.loan:
        raise Illegal("no_loan")
    if state.fresh_loan:
        raise Illegal("loan_same_turn")
    if coins(city) < price:
        raise Illegal("cannot_repay", price=price, coins=coins(city))


def refuse_leaving(state: State, seat: int) -> None:
    """WW-55, WW-57."""
    if not state.options.voluntary_leave and any_purchase(state, seat):
        raise Illegal("must_buy")


def refuse_choice(state: State, stack: str) -> None:
    """WW-164."""
    if state.asked is None or stack not in state.asked.stacks:
        raise Illegal("bad_choice")


# --- buying ----------------------------------------------------------------------------------------------


def refuse_road(state: State, seat: int, item: str) -> int:
    """Roads and the tower; returns the price (WW-51)."""
    content = table(state.data)
    city = state.cities[seat]
    price = content.prices[item]
    on_offer = {"long_road": state.long_roads, "short_roads": state.short_roads, "tower": state.towers}
    if on_offer[item] <= 0:
        raise Illegal("not_available")
    _refuse_price(city, price)
    if not _road_or_tower_fits(content, city, item):
        raise Illegal("nowhere_to_place")
    return price


def _road_or_tower_fits(content: Table, city: City, item: str) -> bool:
    board = content.board(city.map)
    if item == "long_road":
        return road_fits(board, city)
    if item == "tower":
        return tower_fits(board, city)
    return set_fits(board, city.covered, city.by_link, content.short_set)


def refuse_building(state: State, seat: int, key: str) -> tuple[Stack, str]:
    """Returns the stack and its tile (WW-52)."""
    content = table(state.data)
    city = state.cities[seat]
    in_play = content.setups[len(state.cities)].stacks
    number = content.stack_at.get(key, -1)
    if number not in in_play:
        raise Illegal("no_such_item")
    stack, tile = content.stacks[number], state.tiles[in_play.index(number)]
    if tile is None:
        raise Illegal("not_available")
    _refuse_price(city, stack.price)
    board = content.board(city.map)
    if not building_fits(board, city, board.building(stack.shape), content.tiles[tile].number):
        raise Illegal("nowhere_to_place")
    return stack, tile


def refuse_pedestal(state: State, seat: int, slot: int) -> int:
    """WW-53; returns the price."""
    if not 1 <= slot <= len(state.pedestals):
        raise Illegal("no_such_item")
    if state.pedestals[slot - 1] is not None:
        raise Illegal("not_available")
    if seat in state.pedestals:
        raise Illegal("already_has_pedestal")
    price = table(state.data).prices["pedestal"]
    _refuse_price(state.cities[seat], price)
    return price


def refuse_monument(state: State, seat: int, key: str) -> Card:
    """WW-54."""
    content = table(state.data)
    city = state.cities[seat]
    if key not in content.cards:
        raise Illegal("no_such_item")
    if key not in state.slots:
        raise Illegal("not_available")
    _refuse_price(city, 1)
    if not wonders.monument_fits(content.board(city.map), city, content.cards[key]):
        raise Illegal("nowhere_to_place")
    return content.cards[key]


def _refuse_price(city: City, price: int) -> None:
    if coins(city) < price:
        raise Illegal("too_expensive", price=price, coins=coins(city))
