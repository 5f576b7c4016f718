"""Machi Koro, MK-10 to MK-62: who may do what, and what follows."""

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

from engine.game import CHANCE, NOBODY, ONLY_CHANCE, Illegal, Line, Odds, Result
from engine.games.machi_koro.content import (
    AFFORDABLE,
    ALL_KINDS,
    ALL_LANDMARKS,
    BUSINESS_CENTER,
    COST,
    FACES,
    KINDS,
    MAJOR,
    MARKET,
    NUMBER,
    PARK,
    RICH,
    STATION,
    THINGS,
    TOWER,
    TV_STATION,
    TV_TAKES,
)
from engine.games.machi_koro.evolve import evolve
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
from engine.games.machi_koro.refuse import check_target, check_trade, refuse_build, refuse_out_of_place
from engine.games.machi_koro.trade import can_trade, trades
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


# --- who may do what ---------------------------------------------------------------------------------------

_SEATS = tuple(frozenset({seat}) for seat in range(4))
_TO_ACT = dict.fromkeys(("roll", "reroll", "tv_station", "business_center", "build"), _SEATS) | {
    "over": (NOBODY,) * 4,
    **dict.fromkeys(("deck", "first", "one_die", "two_dice"), (ONLY_CHANCE,) * 4),
}


def to_act(state: State) -> frozenset[int]:
    return _TO_ACT[state.phase][state.active]


def legal(state: State, seat: int) -> Sequence[Action]:
    """MK-40 to MK-50: only the active seat ever decides."""
    if seat != state.active:
        return ()
    if state.phase == "build":
        mask = buildable(state, seat, state.coins[seat])
        return _LOWER[mask & _LOW] + _UPPER[mask >> _HALF]
    return _choices(state)


def buildable(state: State, seat: int, coins: int) -> int:
    """MK-50 as a mask: on offer, not closed to the seat, and within these coins."""
    return state.open & ~state.closed[seat] & AFFORDABLE[coins if coins < RICH else RICH]


# Every list of builds, in two halves that only have to be joined: `pass` ends the upper one (MK-90).
_HALF = 10
_LOW = (1 << _HALF) - 1
_LOWER: list[tuple[Action, ...]] = [tuple(map(Build, things(mask))) for mask in range(1 << _HALF)]
_UPPER: list[tuple[Action, ...]] = [
    (*map(Build, things(mask << _HALF)), Pass()) for mask in range(1 << len(THINGS) - _HALF)
]

_ROLLS = (Roll(1), Roll(2))
_REROLLS = (Keep(), Reroll())
_TARGETS = tuple(TvStation(target) for target in range(4))


def _choices(state: State) -> Sequence[Action]:
    """What the steps before the build offer."""
    match state.phase:
        case "roll":
            return _ROLLS
        case "reroll":
            return _REROLLS
        case "tv_station":
            return [_TARGETS[seat] for seat in range(len(state.coins)) if seat != state.active]
        case "business_center":
            return [*trades(state), SkipTrade()]
        case _:
            return ()


_THROWS: dict[Phase, Odds[Any]] = {
    "one_die": Odds(tuple(Dice((face,)) for face in FACES)),
    "two_dice": Odds(tuple(Dice(faces) for faces in product(FACES, repeat=2))),
}
_TOP_CARDS = tuple(map(TopCard, KINDS))


def odds(state: State) -> Odds[Any]:
    """Dice (two of them are one draw), the top of the deck (MK-70), the first seat (MK-13)."""
    if state.phase == "deck":
        left = [kind for kind, copies in enumerate(state.deck) if copies]
        return Odds([_TOP_CARDS[kind] for kind in left], [state.deck[kind] for kind in left])
    if state.phase == "first":
        return Odds(tuple(map(Starter, range(len(state.coins)))))
    return _THROWS[state.phase]


def parse(state: State, seat: int, raw: Any) -> Action:
    """Shape: `malformed`, `unknown_action`."""
    action: Action = wire.parse(Action, raw)
    return action


# --- what follows ------------------------------------------------------------------------------------------


def decide(state: State, seat: int, action: Any) -> Sequence[Fact]:
    if seat == CHANCE:
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


def _throw(state: State, outcome: Dice) -> Sequence[Fact]:
    """MK-21: a roll waits for the owner of a radio tower, once a turn; otherwise it is final."""
    seat, dice = state.active, outcome.faces
    if state.closed[seat] & TOWER and not state.rerolled:
        return (Rolled(seat, state.draws, dice, "reroll"),)
    final = _final(state, seat, dice)
    rolled = Rolled(seat, state.draws, dice, *final)
    return (rolled,) if final[0] != "tv_station" else _television(state, rolled)


def _final(state: State, seat: int, dice: Counts) -> tuple[Phase, int | None, bool, Payout | None]:
    """MK-22 to MK-28: what a final roll leads to, in the order of a fact's fields."""
    total, extra = dice[0], False
    if len(dice) == 2:
        total, extra = total + dice[1], total == dice[1] and state.closed[seat] & PARK > 0
    paid = payout(state, seat, total)
    coins = state.coins if paid is None else paid.coins
    if total == MAJOR:
        return *_majors(state, seat, coins, extra), extra, paid
    if buildable(state, seat, coins[seat]):
        return "build", None, extra, paid
    return *_end(state, extra), extra, paid


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
        return (fact,)
    return (fact, *_take(evolve(state, fact), TvStation(1 - state.active)))


def _choose_dice(state: State, action: Roll) -> Sequence[Fact]:
    """MK-40."""
    if action.dice not in (1, 2):
        raise Illegal("bad_dice")
    return [Threw(state.active, "one_die" if action.dice == 1 else "two_dice")]


def _keep(state: State, action: Keep) -> Sequence[Fact]:
    kept = Kept(state.active, state.dice, *_final(state, state.active, state.dice))
    return (kept,) if kept.then != "tv_station" else _television(state, kept)


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
    if number >= len(KINDS):
        return _build_landmark(state, card, number)
    if state.deck and any(state.deck) and _face_up_after(state, number) < MARKET:  # MK-71
        return [Built(seat, card, COST[number], "deck")]
    return (Built(seat, card, COST[number], *_end(state, state.extra_turn)),)


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
