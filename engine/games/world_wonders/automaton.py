"""Chapter 15: the automatic opponent of the solo game."""

from engine.games.world_wonders.components import SoloItem
from engine.games.world_wonders.content import Table, table
from engine.games.world_wonders.evolve import ahead
from engine.games.world_wonders.facts import (
    AutomatonAsked,
    AutomatonDiscarded,
    AutomatonPassed,
    AutomatonTook,
    Fact,
)
from engine.games.world_wonders.model import (
    State,
)
from engine.games.world_wonders.turns import begin_turn


def resolve(state: State, card: str) -> list[Fact]:
    """WW-161: the first section of the card that applies, else a monument."""
    content = table(state.data)
    for section in range(len(content.solo_cards[card].sections)):
        facts = _work_off(content, state, card, section, 0)
        if facts:
            return facts
    return _take_monument(content, state, card)


def chosen(state: State, stack: str) -> list[Fact]:
    """WW-164: the player's choice, then the rest of the section."""
    content, asked = table(state.data), state.asked
    assert asked is not None
    tile = state.tiles[content.setups[1].names.index(stack)]
    fact = AutomatonDiscarded("building", stack, str(tile))
    after = ahead(state, fact)
    rest = _work_off(content, after, asked.card, asked.section, asked.item + 1)
    return [fact, *(rest or begin_turn(after))]


def _work_off(content: Table, state: State, card: str, section: int, start: int) -> list[Fact]:
    """WW-163, WW-164: the items of a section from left to right, until the player must choose.

    Nothing, if none of them is on offer; otherwise the player's turn follows.
    """
    facts: list[Fact] = []
    for number, item in enumerate(content.solo_cards[card].sections[section][start:], start):
        found = _on_offer(content, state, item)
        if len(found) > 1:
            return [*facts, AutomatonAsked(card, section, number, tuple(fact.stack for fact in found))]
        for fact in found:
            facts.append(fact)
            state = ahead(state, fact)
    return facts + begin_turn(state) if facts else []


def _on_offer(content: Table, state: State, item: SoloItem) -> list[AutomatonDiscarded]:
    """What this item may discard: nothing, one thing, or one of several tiles."""
    match item.item:
        case "long_road":
            return [AutomatonDiscarded("long_road")] if state.long_roads > 0 else []
        case "short_roads":
            return [AutomatonDiscarded("short_roads")] if state.short_roads > 0 else []
        case "tower":
            return [AutomatonDiscarded("tower")] if state.towers > 0 else []
    return [
        AutomatonDiscarded("building", stack, tile)
        for stack, tile in zip(content.setups[1].names, state.tiles, strict=True)
        if tile is not None
        and (item.stack is None or item.stack == stack)
        and (item.kind is None or item.kind == content.tiles[tile].kind)
    ]


def _take_monument(content: Table, state: State, card: str) -> list[Fact]:
    """WW-162; the refill that follows is chance's."""
    slots = [slot for slot, key in enumerate(state.slots) if key is not None]
    if not slots:
        return [AutomatonPassed(), *begin_turn(state)]
    slot = slots[0] if content.solo_cards[card].leftmost else slots[-1]
    key = str(state.slots[slot])
    took = AutomatonTook(slot, key, content.cards[key].vp)
    return [took] if state.deck else [took, *begin_turn(ahead(state, took))]
