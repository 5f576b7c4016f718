"""Chance: what may come up, and what follows once the last draw is made (chapter 4, WW-43, WW-76, WW-161)."""

from collections.abc import Sequence
from functools import cache
from itertools import permutations
from typing import Any

from engine.game import Odds
from engine.games.world_wonders import automaton, turns
from engine.games.world_wonders.content import Table, table
from engine.games.world_wonders.evolve import ahead
from engine.games.world_wonders.facts import (
    Fact,
    GoalShown,
    MapDealt,
    MonumentShown,
    OrderDrawn,
    SoloCardShown,
    TileShown,
)
from engine.games.world_wonders.model import (
    Await,
    Shuffled,
    State,
)


def odds(state: State) -> Odds[Any]:
    """Whatever is left is equally likely to be on top."""
    content, due = table(state.data), state.awaits[0]
    if due.kind == "order":
        return Odds(_orders(len(state.cities)))
    known = content.draws
    return Odds([known[key] for key in _pile(content, state, due)])


def _pile(content: Table, state: State, due: Await) -> Sequence[str]:
    match due.kind:
        case "tile":
            return state.stacks[due.at]
        case "solo":
            return state.solo_deck or tuple(content.solo_cards)
        case "monument":
            return state.deck
        case "goal":
            return [goal for goal in content.goals if goal not in state.goals]
    dealt = [city.map for city in state.cities]
    return [key for key in content.sides[state.options.map_side] if key not in dealt]


@cache
def _orders(seats: int) -> tuple[Shuffled, ...]:
    """WW-22."""
    return tuple(map(Shuffled, permutations(range(seats))))


def drawn(state: State, outcome: Any) -> Sequence[Fact]:
    """The draw as a fact; after the last one that is due, the game goes on by itself."""
    fact = _shown(state, state.awaits[0], outcome)
    if len(state.awaits) > 1:
        return [fact]
    if isinstance(fact, SoloCardShown):
        return [fact] if fact.reshuffle else [fact, *automaton.resolve(ahead(state, fact), fact.card)]
    if state.phase == "automaton":
        return [fact, *turns.begin_turn(ahead(state, fact))]
    return [fact, *turns.proceed(ahead(state, fact))]


def _shown(state: State, due: Await, outcome: Any) -> Fact:
    n, content = state.draws, table(state.data)
    match due.kind:
        case "tile":
            return TileShown(n, content.setups[len(state.cities)].names[due.at], outcome.id)
        case "solo":
            return SoloCardShown(n, outcome.id, content.solo_cards[outcome.id].reshuffle)
        case "monument":
            return MonumentShown(n, due.at, outcome.id)
        case "goal":
            return GoalShown(n, outcome.id)
        case "map":
            return MapDealt(n, due.at, outcome.id)
    return OrderDrawn(n, outcome.order)
