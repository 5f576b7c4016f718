"""Facts are folded, never judged."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from engine.games.tides_of_time.content import CARDS, HAND
from engine.games.tides_of_time.model import (
    Chosen,
    Dealt,
    Discard,
    Fact,
    Forced,
    Kept,
    Player,
    Revealed,
    Scored,
    SetUp,
    State,
)


def evolve(state: State | None, fact: Fact) -> State:
    return _EVOLVE[type(fact)](state, fact)


def _set_up(_: None, fact: SetUp) -> State:
    return State(fact.options, "deal", 1, 1, 0, tuple(CARDS), (Player(), Player()), ())


def _dealt(state: State, fact: Dealt) -> State:
    assert fact.card is not None
    player = state.players[fact.seat]
    player = replace(player, hand=(*player.hand, fact.card))
    players = (player, state.players[1]) if fact.seat == 0 else (state.players[0], player)
    return replace(
        state,
        deck=without(state.deck, fact.card),
        players=players,
        draws=fact.n + 1,
        phase="draft" if fact.seat == 1 and len(player.hand) == HAND else "deal",
    )


def _chosen(state: State, fact: Chosen) -> State:
    player = replace(state.players[fact.seat], committed=fact.choice)
    players = (player, state.players[1]) if fact.seat == 0 else (state.players[0], player)
    return replace(state, players=players)


def _revealed(state: State, fact: Revealed) -> State:
    first, second = state.players
    mine, theirs = fact.cards
    passed = without(first.hand, mine)
    players = (
        replace(first, hand=without(second.hand, theirs), kingdom=(*first.kingdom, mine), committed=None),
        replace(second, hand=passed, kingdom=(*second.kingdom, theirs), committed=None),
    )
    return replace(state, players=players, pick=state.pick + 1)


def _forced(state: State, fact: Forced) -> State:
    first, second = state.players
    players = (
        replace(first, hand=(), kingdom=(*first.kingdom, fact.cards[0])),
        replace(second, hand=(), kingdom=(*second.kingdom, fact.cards[1])),
    )
    return replace(state, players=players)


def _scored(state: State, fact: Scored) -> State:
    first, second = (_with_score(p, fact, seat) for seat, p in enumerate(state.players))
    return replace(state, players=(first, second), phase=fact.then)


def _with_score(player: Player, fact: Scored, seat: int) -> Player:
    scored = replace(
        player,
        scores=(*player.scores, fact.totals[seat]),
        breakdown=(*player.breakdown, fact.breakdown[seat]),
    )
    if fact.then == "over":
        return scored
    played = len(player.relics)  # TT-26, TT-66: relics stay, the five cards of this round come back
    return replace(scored, hand=player.kingdom[played:], kingdom=player.kingdom[:played])


def _kept(state: State, fact: Kept) -> State:
    first, second = (
        _after_upkeep(p, fact.relics[seat], fact.discards[seat]) for seat, p in enumerate(state.players)
    )
    discards = tuple(Discard(state.round, seat, card) for seat, card in enumerate(fact.discards))
    return replace(
        state,
        players=(first, second),
        discards=state.discards + discards,
        round=state.round + 1,
        pick=1,
        phase="deal",
    )


def _after_upkeep(player: Player, relic: str, discard: str) -> Player:
    return replace(
        player,
        hand=tuple(card for card in player.hand if card not in (relic, discard)),
        kingdom=(*player.kingdom, relic),
        relics=(*player.relics, relic),
        committed=None,
    )


_EVOLVE: dict[type, Callable[[Any, Any], State]] = {
    SetUp: _set_up,
    Dealt: _dealt,
    Chosen: _chosen,
    Revealed: _revealed,
    Forced: _forced,
    Scored: _scored,
    Kept: _kept,
}


def without(hand: tuple[str, ...], card: str) -> tuple[str, ...]:
    at = hand.index(card)
    return hand[:at] + hand[at + 1 :]
