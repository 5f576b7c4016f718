"""Section 12: why an action is refused, in the order of the table."""

from typing import Any

from engine.game import Illegal
from engine.games.machi_koro.content import COST, KINDS, NUMBER, PURPLE
from engine.games.machi_koro.model import State, Trade
from engine.games.machi_koro.trade import over_limit


def refuse_out_of_place(state: State, seat: Any) -> Illegal:
    """Not a player, game over, not on turn; else it is the wrong step of the turn."""
    if seat not in range(len(state.coins)):
        return Illegal("not_a_player")
    if state.phase == "over":
        return Illegal("game_over")
    if seat != state.active:
        return Illegal("not_your_turn")
    return Illegal("wrong_phase")


def check_target(state: State, target: int) -> None:
    if target == state.active or not 0 <= target < len(state.coins):
        raise Illegal("bad_target")


def check_trade(state: State, action: Trade) -> None:
    """MK-43 to MK-45. A landmark is a card, but never one that could be owned as an establishment (MK-44)."""
    check_target(state, action.target)
    cards = (action.give, action.take)
    for card in cards:
        if card not in NUMBER:
            raise Illegal("unknown_card", card=card)
    for card in cards:
        if card in KINDS and PURPLE[NUMBER[card]]:
            raise Illegal("purple_trade", card=card)
    if not _owns(state, state.active, action.give):
        raise Illegal("not_owned", card=action.give)
    if not _owns(state, action.target, action.take):
        raise Illegal("target_not_owned", card=action.take)
    if action.give == action.take:
        raise Illegal("same_card")
    if over_limit(state, NUMBER[action.give], action.target, NUMBER[action.take]):
        raise Illegal("copy_limit", n=state.options.copy_limit)


def _owns(state: State, seat: int, card: str) -> bool:
    return card in KINDS and state.owned[NUMBER[card]][seat] > 0


def refuse_build(state: State, card: str) -> Illegal:
    """MK-50: why this card cannot be built; called only when it cannot."""
    number = NUMBER.get(card)
    if number is None:
        return Illegal("unknown_card", card=card)
    owned = state.closed[state.active] >> number & 1
    if number >= len(KINDS):
        if owned:
            return Illegal("already_built", card=card)
    elif not state.supply[number]:
        return Illegal("not_available", card=card)
    elif owned:
        return _refuse_copy(state, number)
    return Illegal("too_expensive", card=card, cost=COST[number], coins=state.coins[state.active])


def _refuse_copy(state: State, number: int) -> Illegal:
    if PURPLE[number]:
        return Illegal("purple_owned", card=KINDS[number])
    return Illegal("copy_limit", n=state.options.copy_limit)
