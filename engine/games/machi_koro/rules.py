"""Machi Koro, MK-10 to MK-62: who may do what, and what follows."""

from collections.abc import Callable, Sequence
from typing import Any

from engine.game import CHANCE, Illegal, Line, Result
from engine.games.machi_koro.content import (
    ALL_KINDS,
    ALL_LANDMARKS,
    BUSINESS_CENTER,
    COST,
    LANDMARK,
    MAJOR,
    MARKET,
    NUMBER,
    PARK,
    STATION,
    TOWER,
    TV_STATION,
    TV_TAKES,
)
from engine.games.machi_koro.evolve import evolve
from engine.games.machi_koro.legal import DICE, buildable
from engine.games.machi_koro.masks import things
from engine.games.machi_koro.model import (
    Action,
    Began,
    Build,
    Built,
    Counts,
    Declined,
    Dice,
    Fact,
    Keep,
    Kept,
    Options,
    Pass,
    Passed,
    Payout,
    Phase,
    Reroll,
    Roll,
    Rolled,
    SetUp,
    SkipTrade,
    Starter,
    State,
    Threw,
    Took,
    TopCard,
    Trade,
    Traded,
    Turned,
    TvStation,
)
from engine.games.machi_koro.payout import payout
from engine.games.machi_koro.refusals import check_target, check_trade, refuse_build, refuse_out_of_place
from engine.games.machi_koro.trade import can_trade
from engine.kit import wire

Step = tuple[Phase, int | None]  # what comes next, and whose turn begins with it, if one does


def start(seats: int, options: Options) -> Sequence[Fact]:
    """MK-10 to MK-14; the market and the first seat come from chance where they are not fixed."""
    if options.first_seat is not None and options.first_seat >= seats:
        raise Illegal("bad_options", option="first_seat", seats=seats)
    if options.supply == "ten":
        return [SetUp(seats, options, "deck")]
    return [SetUp(seats, options, *_first_turn(options))]


def _first_turn(options: Options) -> Step:
    """MK-13, MK-20: nobody owns a station yet."""
    return ("first", None) if options.first_seat is None else ("one_die", options.first_seat)


def parse(state: State, seat: int, raw: Any) -> Action:
    """Shape: `malformed`, `unknown_action`."""
    action: Action = wire.parse(Action, raw)
    return action


# --- what follows ------------------------------------------------------------------------------------------


def decide(state: State, seat: int, action: Any) -> Sequence[Fact]:
    """What follows from an action, or from what chance did."""
    if seat == CHANCE and state.phase in _CHANCE:
        return _CHANCE[state.phase](state, action)
    handler = _HANDLERS[state.phase].get(type(action))
    if handler is None or seat != state.active:
        raise refuse_out_of_place(state, seat)
    return handler(state, action)


def _turn(state: State, outcome: TopCard) -> Sequence[Fact]:
    """MK-70, MK-71: cards are turned until ten kinds are face up or the deck is empty."""
    face_up = (state.open & ALL_KINDS | 1 << NUMBER[outcome.card]).bit_count()
    if face_up < MARKET and sum(state.deck) > 1:
        return [Turned(state.draws, outcome.card, "deck")]
    step = _end(state, state.extra_turn) if state.turn else _first_turn(state.options)
    return [Turned(state.draws, outcome.card, *step)]


def _begin(state: State, outcome: Starter) -> Sequence[Fact]:
    return [Began(state.draws, "one_die", outcome.seat)]


def _throw(state: State, dice: Dice) -> Sequence[Fact]:
    """MK-21: a roll waits for the owner of a radio tower, once a turn; otherwise it is final."""
    seat, built = state.active, state.closed[state.active]
    if built & TOWER and not state.rerolled:
        return [Rolled(seat, state.draws, dice.faces, "reroll")]
    extra = dice.double and built & PARK != 0  # MK-22
    paid = payout(state, seat, dice.total)
    then, following = _after_payout(state, dice.total, paid, extra)
    rolled = Rolled(seat, state.draws, dice.faces, then, following, extra, paid)
    return [rolled] if then != "tv_station" else _television(state, rolled)


def _after_payout(state: State, total: int, paid: Payout | None, extra: bool) -> Step:
    """MK-26 to MK-28: what a final roll leads to when its coins have moved."""
    seat, coins = state.active, state.coins if paid is None else paid.coins
    if total == MAJOR:
        return _majors(state, seat, coins, extra)
    return ("build", None) if buildable(state, seat, coins[seat]) else _end(state, extra)


def _majors(state: State, seat: int, coins: Counts, extra: bool) -> Step:
    """MK-26, MK-81: the TV station comes after the stadium and needs somebody who has a coin."""
    if state.owned[TV_STATION][seat] and sum(coins) > coins[seat]:
        return "tv_station", None
    return _after_tv(state, coins[seat], extra)


def _after_tv(state: State, coins: int, extra: bool) -> Step:
    """MK-27."""
    if state.owned[BUSINESS_CENTER][state.active] and can_trade(state):
        return "business_center", None
    return _after_trade(state, coins, extra)


def _after_trade(state: State, coins: int, extra: bool) -> Step:
    """MK-28: the build step is skipped if nothing can be built."""
    return ("build", None) if buildable(state, state.active, coins) else _end(state, extra)


def _end(state: State, extra: bool) -> tuple[Phase, int]:
    """MK-29, MK-20: the same seat again or the next one, which chooses its dice or just rolls."""
    seat = state.active if extra else (state.active + 1) % len(state.coins)
    return ("roll" if state.closed[seat] & STATION else "one_die"), seat


def _television(state: State, fact: Rolled | Kept) -> Sequence[Fact]:
    """MK-26: with one opponent there is nothing to choose."""
    if len(state.coins) > 2:
        return [fact]
    return [fact, *_take(evolve(state, fact), TvStation(1 - state.active))]


def _choose_dice(state: State, action: Roll) -> Sequence[Fact]:
    """MK-40."""
    if action.dice not in (1, 2):
        raise Illegal("bad_dice")
    return [Threw(state.active, "one_die" if action.dice == 1 else "two_dice")]


def _keep(state: State, action: Keep) -> Sequence[Fact]:
    """MK-41."""
    seat, dice = state.active, DICE[state.dice]
    extra = dice.double and state.closed[seat] & PARK != 0
    paid = payout(state, seat, dice.total)
    then, following = _after_payout(state, dice.total, paid, extra)
    kept = Kept(seat, dice.faces, then, following, extra, paid)
    return [kept] if then != "tv_station" else _television(state, kept)


def _reroll(state: State, action: Reroll) -> Sequence[Fact]:
    """MK-41, MK-83: the same number of dice."""
    return [Threw(state.active, "one_die" if len(state.dice) == 1 else "two_dice", True)]


def _take(state: State, action: TvStation) -> Sequence[Fact]:
    """MK-42, MK-89."""
    check_target(state, action.target)
    coins = min(TV_TAKES, state.coins[action.target])
    step = _after_tv(state, state.coins[state.active] + coins, state.extra_turn)
    return [Took(state.active, action.target, coins, *step)]


def _trade(state: State, action: Trade) -> Sequence[Fact]:
    """MK-43, MK-59: what was given away under a copy limit may be built again, so the fold is asked."""
    check_trade(state, action)
    cards = (state.active, action.target, action.give, action.take)
    after = evolve(state, Traded(*cards, "build"))
    return [Traded(*cards, *_after_trade(after, after.coins[after.active], after.extra_turn))]


def _skip_trade(state: State, action: SkipTrade) -> Sequence[Fact]:
    step = _after_trade(state, state.coins[state.active], state.extra_turn)
    return [Declined(state.active, *step)]


def _build(state: State, action: Build) -> Sequence[Fact]:
    """MK-51."""
    seat, card = state.active, action.card
    number = NUMBER.get(card)
    if number is None or not buildable(state, seat, state.coins[seat]) >> number & 1:
        raise refuse_build(state, card)
    if number >= LANDMARK:
        return _build_landmark(state, card, number)
    if state.deck and any(state.deck) and _face_up_after(state, number) < MARKET:  # MK-71
        return [Built(seat, card, COST[number], "deck")]
    then, following = _end(state, state.extra_turn)
    return [Built(seat, card, COST[number], then, following)]


def _face_up_after(state: State, number: int) -> int:
    """How many kinds are on offer once a copy of this one is gone."""
    return (state.open & ALL_KINDS).bit_count() - (state.supply[number] == 1)


def _build_landmark(state: State, card: str, number: int) -> Sequence[Fact]:
    """MK-54: the fourth one ends the game at once. A new station counts for an extra turn (MK-59)."""
    built = Built(state.active, card, COST[number], "over")
    after = evolve(state, built)
    if after.closed[after.active] & ALL_LANDMARKS == ALL_LANDMARKS:
        return [built]
    return [Built(state.active, card, COST[number], *_end(after, after.extra_turn))]


def _pass(state: State, action: Pass) -> Sequence[Fact]:
    """MK-52."""
    return [Passed(state.active, *_end(state, state.extra_turn))]


_CHANCE: dict[Phase, Callable[[State, Any], Sequence[Fact]]] = {
    "deck": _turn,
    "first": _begin,
    "one_die": _throw,
    "two_dice": _throw,
}
_HANDLERS: dict[Phase, dict[type, Callable[[State, Any], Sequence[Fact]]]] = {
    "roll": {Roll: _choose_dice},
    "reroll": {Keep: _keep, Reroll: _reroll},
    "tv_station": {TvStation: _take},
    "business_center": {Trade: _trade, SkipTrade: _skip_trade},
    "build": {Build: _build, Pass: _pass},
    "over": {},
    **{phase: {} for phase in _CHANCE},
}


def result(state: State) -> Result | None:
    """MK-60, MK-61: the builder of the fourth landmark wins, all others share place 2."""
    if state.phase != "over":
        return None
    lines = tuple(
        tuple(Line(landmark, 1, "MK-60") for landmark in things(mask & ALL_LANDMARKS))
        for mask in state.closed
    )
    places = tuple(1 if seat == state.active else 2 for seat in range(len(state.coins)))
    return Result(tuple(map(len, lines)), places, (state.active,), lines)
