"""Tides of Time, TT-1 to TT-34: who may do what, and what follows."""

from collections.abc import Sequence
from itertools import permutations
from typing import Any

from engine.game import CHANCE, NOBODY, ONLY_CHANCE, Illegal, Line, Odds, Result
from engine.games.tides_of_time.content import CARDS, HAND, ROUNDS
from engine.games.tides_of_time.evolve import without
from engine.games.tides_of_time.model import (
    Action,
    Chosen,
    Dealt,
    Fact,
    Forced,
    Keep,
    Kept,
    Options,
    Play,
    Player,
    Revealed,
    Scored,
    SetUp,
    State,
)
from engine.games.tides_of_time.scoring import RULE, score
from engine.kit import ranking, wire

BOTH = frozenset({0, 1})
PLAYS = {card: Play(card) for card in CARDS}
KEEPS = {pair: Keep(*pair) for pair in permutations(CARDS, 2)}


def start(seats: int, options: Options) -> Sequence[Fact]:
    """TT-7, TT-8: the cards themselves come from chance."""
    return [SetUp(options)]


def to_act(state: State) -> frozenset[int]:
    """TT-20: the seats that have not committed."""
    if state.phase == "deal":
        return ONLY_CHANCE
    if state.phase == "over":
        return NOBODY
    first, second = state.players
    if first.committed is None:
        return BOTH if second.committed is None else _ONE[0]
    return _ONE[1]


_ONE = (frozenset({0}), frozenset({1}))


def legal(state: State, seat: int) -> Sequence[Action]:
    """TT-22, TT-23, TT-34."""
    if state.phase not in ("draft", "keep") or seat not in BOTH:
        return []
    player = state.players[seat]
    choices = _choices(state.phase, player.hand)
    if player.committed is None:
        return choices
    return [c for c in choices if c != player.committed] if state.options.allow_change else []


def _choices(phase: str, hand: Sequence[str]) -> Sequence[Action]:
    if phase == "draft":
        return [PLAYS[card] for card in hand]
    return [KEEPS[pair] for pair in permutations(hand, 2)]


def odds(state: State) -> Odds[str]:
    """TT-7, TT-27: any card left in the deck is equally likely to be on top."""
    return Odds(state.deck)


def parse(state: State, seat: int, raw: Any) -> Action:
    """Shape: `malformed`, `unknown_action`."""
    action: Action = wire.parse(Action, raw)
    return action


def decide(state: State, seat: int, action: Any) -> Sequence[Fact]:
    """What follows from a choice: nothing visible, or for the second one the reveal and all after it."""
    if seat == CHANCE and state.phase == "deal":
        return [Dealt(_receiver(state), state.draws, action)]
    if not _is_first_play(state, seat, action):
        refuse(state, seat, action)
    other = state.players[1 - seat].committed
    if other is None:
        return [Chosen(seat, action)]
    choices = (action, other) if seat == 0 else (other, action)
    return [Chosen(seat, action), *(_reveal(state, choices) if state.phase == "draft" else _upkeep(choices))]


def _is_first_play(state: State, seat: int, action: Any) -> bool:
    """By far the most common action, and plainly legal: the long way would find nothing to refuse."""
    if state.phase != "draft" or type(action) is not Play or seat not in BOTH:
        return False
    player = state.players[seat]
    return player.committed is None and action.card in player.hand


def refuse(state: State, seat: int, action: Action) -> None:
    """Section 12, in its order. Never depends on what the other seat hides."""
    if seat not in BOTH:
        raise Illegal("not_a_player")
    if state.phase == "over":
        raise Illegal("game_over")
    if (state.phase == "draft") is not isinstance(action, Play):
        raise Illegal("wrong_phase")
    player = state.players[seat]
    cards = (action.card,) if isinstance(action, Play) else (action.relic, action.discard)
    for card in cards:
        if card not in CARDS:
            raise Illegal("unknown_card", card=card)
    for card in cards:
        if card not in player.hand:
            raise Illegal("not_in_hand", card=card)
    if isinstance(action, Keep) and action.relic == action.discard:
        raise Illegal("same_card_twice")
    if player.committed is not None:
        _refuse_change(state, player, action)


def _refuse_change(state: State, player: Player, action: Action) -> None:
    if not state.options.allow_change:
        raise Illegal("already_chosen")
    if action == player.committed:
        raise Illegal("no_change")


def _receiver(state: State) -> int:
    """TT-7, TT-27, TT-67: seat 0 is served first."""
    return 0 if len(state.players[0].hand) < HAND else 1


def _reveal(state: State, choices: Sequence[Any]) -> list[Fact]:
    """TT-24: cards are shown, hands swapped; a last card follows by itself and the round is scored."""
    cards = (choices[0].card, choices[1].card)
    facts: list[Fact] = [Revealed(cards)]
    if len(state.players[0].hand) > 2:
        return facts
    left = [without(player.hand, card)[0] for player, card in zip(state.players, cards, strict=True)]
    forced = (left[1], left[0])  # the hands were swapped
    kingdoms = [(*p.kingdom, c, f) for p, c, f in zip(state.players, cards, forced, strict=True)]
    return [*facts, Forced(forced), _scored(state, kingdoms)]


def _scored(state: State, kingdoms: Sequence[Sequence[str]]) -> Scored:
    """TT-25 to TT-28."""
    breakdown = score(kingdoms, state.options)
    totals = (sum(breakdown[0].values()), sum(breakdown[1].values()))
    return Scored(state.round, totals, breakdown, "keep" if state.round < ROUNDS else "over")


def _upkeep(choices: Sequence[Any]) -> list[Fact]:
    """TT-27; the draw that follows is chance's."""
    return [Kept((choices[0].relic, choices[1].relic), (choices[0].discard, choices[1].discard))]


def result(state: State) -> Result | None:
    """TT-29, TT-30; King's Nest does not help here (TT-55)."""
    if state.phase != "over":
        return None
    scores = tuple(sum(player.scores) for player in state.players)
    places = ranking.places(scores)
    return Result(scores, places, ranking.winners(places), tuple(map(_lines, state.players)))


def _lines(player: Player) -> tuple[Line, ...]:
    """In the order of the cards: that of a table is another one in memory than read back from a log."""
    return tuple(
        Line(f"{number}:{card}", table[card], RULE[card])
        for number, table in enumerate(player.breakdown, 1)
        for card in CARDS
        if card in table
    )
