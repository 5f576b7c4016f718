"""World Wonders: who may do what, and what follows from it."""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import UNSET

from engine.game import CHANCE, NOBODY, ONLY_CHANCE, Illegal, Line, Result
from engine.games.world_wonders import automaton, draws, placement, refusals, scoring, turns, wonders
from engine.games.world_wonders.components import Tracks
from engine.games.world_wonders.content import table
from engine.games.world_wonders.evolve import ahead
from engine.games.world_wonders.facts import (
    Bought,
    Completed,
    Fact,
    LoanRepaid,
    LoanTaken,
    Placed,
    SetUp,
    WentOut,
)
from engine.games.world_wonders.judge import refuse_place
from engine.games.world_wonders.market import can_borrow, can_repay, coins, purchases
from engine.games.world_wonders.model import (
    Action,
    AutomaDiscard,
    Buy,
    Leave,
    Options,
    Place,
    Purchase,
    RepayLoan,
    State,
    TakeLoan,
)
from engine.games.world_wonders.tracks import gain
from engine.kit import ranking, wire

TAKE_LOAN, REPAY_LOAN, LEAVE = TakeLoan(), RepayLoan(), Leave()
_ONE = tuple(frozenset({seat}) for seat in range(5))
_FIELDS = {"building": ["stack"], "pedestal": ["slot"], "monument": ["card"]}  # what such a purchase names


def start(seats: int, options: Options) -> Sequence[Fact]:
    """WW-20 to WW-29; a choice that this number of seats does not have is refused (chapter 16)."""
    solo = seats == 1
    if solo and (options.advanced or options.goal_rounding != "nearest" or options.start_order != "random"):
        raise Illegal("bad_option")
    if not solo and options.solo_mode != "easy":
        raise Illegal("bad_option")
    return [SetUp(seats, options)]


def to_act(state: State) -> frozenset[int]:
    """WW-6."""
    if state.awaits:
        return ONLY_CHANCE
    return NOBODY if state.phase == "over" else _ONE[state.active]


# --- what is legal ---------------------------------------------------------------------------------------


def legal(state: State, seat: int) -> Sequence[Action]:
    if seat != state.active or state.awaits:
        return []
    match state.phase:
        case "turn":
            return _turn(state, seat)
        case "placing":
            return _placements(state, seat)
        case "first_road":
            city = state.cities[seat]
            return placement.first_roads(table(state.data).board(city.map), city)
        case "automaton_choice" if state.asked is not None:
            return [AutomaDiscard(stack) for stack in state.asked.stacks]
    return []


def _turn(state: State, seat: int) -> list[Action]:
    """WW-41, WW-55, WW-57."""
    city = state.cities[seat]
    listed: list[Action] = [*purchases(state, seat)]
    leave = not listed or state.options.voluntary_leave
    if can_borrow(city):
        listed.append(TAKE_LOAN)
    if can_repay(table(state.data), city, state.fresh_loan):
        listed.append(REPAY_LOAN)
    if leave:
        listed.append(LEAVE)
    return listed


def _placements(state: State, seat: int) -> Sequence[Action]:
    """WW-58."""
    content, city, purchase = table(state.data), state.cities[seat], state.purchase
    assert purchase is not None
    board = content.board(city.map)
    match purchase.item:
        case "long_road":
            return placement.roads(board, city)
        case "short_roads":
            return placement.shorts(board, city, purchase.pieces)
        case "tower":
            return placement.towers(board, city)
        case "building":
            piece = board.building(content.stacks[content.stack_at[purchase.stack]].shape)
            return placement.buildings(board, city, piece, content.tiles[purchase.tile].number)
    card = content.cards[purchase.card]
    part = len(card.parts) - len(purchase.pieces)
    return wonders.monuments(board, city, card, part, purchase.cells)


# --- what follows ----------------------------------------------------------------------------------------


def parse(state: State, seat: int, raw: Any) -> Action:
    """Chapter 18, steps 1 and 2: `game_over`, then the shape."""
    if state.phase == "over":
        raise Illegal("game_over")
    try:
        action: Action = wire.parse(Action, raw)
    except Illegal as refusal:
        detail = refusal.params.get("detail") or refusal.params.get("type", "type")
        raise Illegal("malformed", detail=detail) from None
    if isinstance(action, Buy) and not _complete(action):
        raise Illegal("malformed", detail=action.item)
    return action


def _complete(action: Buy) -> bool:
    """Exactly the fields that this item has."""
    given = [field for field in ("stack", "slot", "card") if getattr(action, field) is not UNSET]
    return given == _FIELDS.get(action.item, [])


def decide(state: State, seat: int, action: Any) -> Sequence[Fact]:
    """One action and all that happens by itself until somebody or chance must act."""
    if seat == CHANCE and type(action) not in _DECIDE:  # nobody may speak for chance
        return draws.drawn(state, action)
    refusals.refuse_phase(state, seat, action)
    return _DECIDE[type(action)](state, seat, action)


def _take_loan(state: State, seat: int, action: TakeLoan) -> list[Fact]:
    """WW-80, WW-81."""
    refusals.refuse_loan(state, seat)
    taken = LoanTaken(seat, table(state.data).loan_coins)
    return [taken, *turns.go_on(ahead(state, taken), seat)]


def _repay_loan(state: State, seat: int, action: RepayLoan) -> list[Fact]:
    """WW-82: without coins there is no purchase either."""
    refusals.refuse_repayment(state, seat)
    repaid = LoanRepaid(seat, table(state.data).repayment)
    after = ahead(state, repaid)
    if coins(after.cities[seat]) > 0:
        return [repaid, *turns.go_on(after, seat)]
    return turns.end_turn(state, [repaid, WentOut(seat, "coins")])


def _leave(state: State, seat: int, action: Leave) -> list[Fact]:
    """WW-55."""
    refusals.refuse_leaving(state, seat)
    return turns.end_turn(state, [WentOut(seat, "left")])


def _automa_discard(state: State, seat: int, action: AutomaDiscard) -> list[Fact]:
    refusals.refuse_choice(state, action.stack)
    return automaton.chosen(state, action.stack)


def _buy(state: State, seat: int, action: Any) -> list[Fact]:
    """WW-50: paid at once; then it is placed, except for a pedestal (WW-53)."""
    match action.item:
        case "building":
            stack, tile = refusals.refuse_building(state, seat, action.stack)
            return [Bought(seat, "building", stack.price, ("building",), stack=stack.id, tile=tile)]
        case "monument":
            card = refusals.refuse_monument(state, seat, action.card)
            left = coins(state.cities[seat])
            return [Bought(seat, "monument", left, card.words, card=card.id)]
        case "pedestal":
            price = refusals.refuse_pedestal(state, seat, action.slot)
            return _paid(state, seat, price, [Bought(seat, "pedestal", price, slot=action.slot)])
    price = refusals.refuse_road(state, seat, action.item)
    pieces = table(state.data).short_set if action.item == "short_roads" else (action.item,)
    return [Bought(seat, action.item, price, pieces)]


def _place(state: State, seat: int, action: Place) -> list[Fact]:
    """WW-58: after the last piece come its effects, and the turn ends."""
    spot = refuse_place(state, seat, action)
    placed = Placed(seat, action.piece, action.x, action.y, action.rot, spot.cells)
    purchase = state.purchase
    if purchase is None:
        return [placed, *turns.go_on(ahead(state, placed), seat)]
    if len(purchase.pieces) > 1:
        return [placed]
    if purchase.item == "monument":
        return _monument(state, seat, placed, purchase)
    facts: list[Fact] = [placed]
    if purchase.item == "building":
        icons = table(state.data).tiles[purchase.tile].resources
        facts.append(gain(_tracks(state), seat, state.cities[seat], icons, 0))
    return _paid(state, seat, 0, facts)


def _monument(state: State, seat: int, placed: Placed, purchase: Purchase) -> list[Fact]:
    """WW-76; the slot is filled before the next turn begins."""
    card = table(state.data).cards[purchase.card]
    slot = state.slots.index(purchase.card)
    facts: list[Fact] = [
        placed,
        Completed(seat, card.id, slot, card.vp),
        gain(_tracks(state), seat, state.cities[seat], card.resources, card.population),
        WentOut(seat, "monument"),
    ]
    return facts if state.deck else turns.end_turn(state, facts)


def _paid(state: State, seat: int, price: int, facts: list[Fact]) -> list[Fact]:
    """WW-42: the purchase ends the turn; whoever has no coins left is out of the round."""
    if coins(state.cities[seat]) <= price:
        facts.append(WentOut(seat, "coins"))
    return turns.end_turn(state, facts)


def _tracks(state: State) -> Tracks:
    return table(state.data).tracks[state.options.resource_side]


_DECIDE: dict[type, Callable[[State, int, Any], list[Fact]]] = {
    Buy: _buy,
    Place: _place,
    TakeLoan: _take_loan,
    RepayLoan: _repay_loan,
    Leave: _leave,
    AutomaDiscard: _automa_discard,
}


# --- the end ---------------------------------------------------------------------------------------------


def result(state: State) -> Result | None:
    """WW-130; a solo player wins with more than the target (WW-170)."""
    if state.phase != "over":
        return None
    lines = scoring.score(state)
    scores = scoring.totals(lines)
    goal = scoring.target(state)
    if goal is not None:
        won = scores[0] > goal
        shown = (*lines[0], Line(f"target:{goal}", 0, "WW-170"))
        return Result(scores, (1,), (0,) if won else (), (shown,))
    places = ranking.places(scoring.standing(state))
    return Result(scores, places, ranking.winners(places), lines)
