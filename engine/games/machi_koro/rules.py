"""Machi Koro, MK-10 to MK-62: who may do what, and what follows."""

from collections.abc import Callable, Sequence
from functools import lru_cache
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
from engine.games.machi_koro.trade import trades
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
        return _builds(buildable(state, state.coins[seat]))
    return _choices(state)


def buildable(state: State, coins: int) -> int:
    """MK-50 as a mask: on offer, not closed to the active seat, and within these coins."""
    return state.open & ~state.closed[state.active] & AFFORDABLE[coins if coins < RICH else RICH]


@lru_cache(maxsize=1 << 14)
def _builds(mask: int) -> tuple[Action, ...]:
    return (*map(Build, things(mask)), Pass())


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
    dice = outcome.faces
    if state.closed[state.active] & TOWER and not state.rerolled:
        return [Rolled(state.active, state.draws, dice, "reroll")]
    extra, paid, then, following = _final(state, dice)
    return _automatic(state, Rolled(state.active, state.draws, dice, then, extra, paid, following))


def _final(state: State, dice: Counts) -> tuple[bool, Any, Phase, int | None]:
    """MK-22 to MK-27: what a final roll leads to, in the order of a fact's fields."""
    total = sum(dice)
    extra = len(dice) == 2 and dice[0] == dice[1] and bool(state.closed[state.active] & PARK)
    paid = payout(state, total)
    coins = state.coins if paid is None else paid.coins
    mine = coins[state.active]
    if total == MAJOR and state.owned[TV_STATION][state.active] and sum(coins) > mine:  # MK-26
        return extra, paid, "tv_station", None
    return extra, paid, *_after_tv(state, total, mine, extra)


def _after_tv(state: State, total: int, coins: int, extra: bool) -> Step:
    """MK-27."""
    if total == MAJOR and state.owned[BUSINESS_CENTER][state.active] and any(trades(state)):
        return "business_center", None
    return _after_trade(state, coins, extra)


def _after_trade(state: State, coins: int, extra: bool) -> Step:
    """MK-28: the build step is skipped if nothing can be built."""
    return ("build", None) if buildable(state, coins) else _end(state, extra)


def _end(state: State, extra: bool) -> tuple[Phase, int]:
    """MK-29, MK-20: the same seat again or the next one, which chooses its dice or just rolls."""
    seat = state.active if extra else (state.active + 1) % len(state.coins)
    return ("roll" if state.closed[seat] & STATION else "one_die"), seat


def _automatic(state: State, fact: Rolled | Kept) -> Sequence[Fact]:
    """MK-26: with one opponent the TV station needs no choice."""
    if fact.then != "tv_station" or len(state.coins) > 2:
        return [fact]
    return [fact, *_take(evolve(state, fact), TvStation(1 - state.active))]


def _choose_dice(state: State, action: Roll) -> Sequence[Fact]:
    """MK-40."""
    if action.dice not in (1, 2):
        raise Illegal("bad_dice")
    return [Threw(state.active, "one_die" if action.dice == 1 else "two_dice")]


def _keep(state: State, action: Keep) -> Sequence[Fact]:
    extra, paid, then, following = _final(state, state.dice)
    return _automatic(state, Kept(state.active, state.dice, then, extra, paid, following))


def _reroll(state: State, action: Reroll) -> Sequence[Fact]:
    """MK-41, MK-83: the same number of dice."""
    return [Threw(state.active, "one_die" if len(state.dice) == 1 else "two_dice", True)]


def _take(state: State, action: TvStation) -> Sequence[Fact]:
    """MK-42, MK-89."""
    check_target(state, action.target)
    coins = min(TV_TAKES, state.coins[action.target])
    step = _after_tv(state, MAJOR, state.coins[state.active] + coins, state.extra_turn)
    return [Took(state.active, action.target, coins, *step)]


def _trade(state: State, action: Trade) -> Sequence[Fact]:
    """MK-43; what has been traded may be built again under a copy limit, so the fold is asked (MK-59)."""
    check_trade(state, action)
    traded = Traded(state.active, action.target, action.give, action.take, "build")
    after = evolve(state, traded)
    step = _after_trade(after, after.coins[after.active], after.extra_turn)
    return [Traded(state.active, action.target, action.give, action.take, *step)]


def _skip_trade(state: State, action: SkipTrade) -> Sequence[Fact]:
    step = _after_trade(state, state.coins[state.active], state.extra_turn)
    return [Declined(state.active, *step)]


def _build(state: State, action: Build) -> Sequence[Fact]:
    """MK-51."""
    seat, card = state.active, action.card
    number = NUMBER.get(card)
    if number is None or not buildable(state, state.coins[seat]) >> number & 1:
        raise refuse_build(state, card)
    if number >= len(KINDS):
        return _build_landmark(state, card, number)
    return [Built(seat, card, COST[number], *_after_build(state, number))]


def _after_build(state: State, number: int) -> Step:
    """MK-71, MK-29."""
    if any(state.deck) and _face_up_after(state, number) < MARKET:
        return "deck", None
    return _end(state, state.extra_turn)


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
