"""Pig, PG-1 to PG-8: who may do what, and what follows."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from engine.game import CHANCE, NOBODY, ONLY_CHANCE, Illegal, Line, Odds, Result
from engine.games.pig.v1.content import FACES
from engine.games.pig.v1.model import Action, Fact, Held, Hold, Options, Roll, Rolled, Rolling, SetUp, State
from engine.kit import ranking, wire

ROLL, HOLD = Roll(), Hold()


def start(seats: int, options: Options) -> Sequence[Fact]:
    """PG-1"""
    return [SetUp(seats, options)]


def _is_over(state: State) -> bool:
    """PG-7"""
    return max(state.banked) >= state.options.goal


def to_act(state: State) -> frozenset[int]:
    """PG-2"""
    if state.rolling:
        return ONLY_CHANCE
    return NOBODY if _is_over(state) else frozenset({state.turn})


def legal(state: State, seat: int) -> Sequence[Action]:
    """PG-3"""
    if seat != state.turn or state.rolling or _is_over(state):
        return []
    return [ROLL, HOLD] if state.at_risk else [ROLL]


def odds(state: State) -> Odds[int]:
    return Odds(FACES)


def parse(state: State, seat: int, raw: Any) -> Action:
    action: Action = wire.parse(Action, raw)
    return action


def decide(state: State, seat: int, action: Any) -> Sequence[Fact]:
    if seat == CHANCE and state.rolling:
        return [Rolled(state.turn, state.draws, action)]
    refuse(state, seat, action)
    return [Held(seat, state.at_risk)] if action == HOLD else [Rolling(seat)]


def refuse(state: State, seat: int, action: Action) -> None:
    """PG-8"""
    if not 0 <= seat < len(state.banked):
        raise Illegal("not_a_player")
    if _is_over(state):
        raise Illegal("game_over")
    if seat != state.turn:
        raise Illegal("not_your_turn")
    if action == HOLD and not state.at_risk:
        raise Illegal("nothing_to_hold")


def evolve(state: State | None, fact: Fact) -> State:
    if isinstance(fact, SetUp):
        return State(fact.options, (0,) * fact.seats)
    assert state is not None
    match fact:
        case Rolling():
            return replace(state, rolling=True)
        case Rolled(n=n, face=1):  # PG-5, a rule in the fold: version 2 tells it
            return replace(_passed(state), draws=n + 1)
        case Rolled(n=n, face=face):  # PG-4
            return replace(state, rolling=False, draws=n + 1, at_risk=state.at_risk + face)
        case Held(seat=seat, points=points):  # PG-6
            banked = (*state.banked[:seat], state.banked[seat] + points, *state.banked[seat + 1 :])
            return _passed(replace(state, banked=banked))


def _passed(state: State) -> State:
    return replace(state, rolling=False, at_risk=0, turn=(state.turn + 1) % len(state.banked))


def result(state: State) -> Result | None:
    """PG-7"""
    if not _is_over(state):
        return None
    places = ranking.places(state.banked)
    lines = tuple((Line("banked", points, "PG-7"),) for points in state.banked)
    return Result(state.banked, places, ranking.winners(places), lines)
