"""Chapter 6: what happens by itself between two decisions."""

from engine.games.world_wonders import scoring
from engine.games.world_wonders.content import table
from engine.games.world_wonders.evolve import ahead
from engine.games.world_wonders.facts import (
    AutomatonBegan,
    Ended,
    Fact,
    RoundBegan,
    TurnBegan,
    WentOut,
)
from engine.games.world_wonders.market import any_purchase, can_borrow, can_repay
from engine.games.world_wonders.model import (
    State,
)


def end_turn(state: State, facts: list[Fact]) -> list[Fact]:
    """What ended a turn, and how the game goes on after it."""
    for fact in facts:
        state = ahead(state, fact)
    return facts + proceed(state)


def proceed(state: State) -> list[Fact]:
    """The turn is over: the next begins by itself (WW-100), in a solo game with the automaton's (WW-160)."""
    if len(state.cities) == 1 and not state.cities[0].out:
        return [AutomatonBegan()]
    return begin_turn(state)


def begin_turn(state: State) -> list[Fact]:
    """WW-40, WW-56: the next seat that can do anything; those that cannot leave the round."""
    facts: list[Fact] = []
    while (seat := _following(state)) is not None:
        if can_act(state, seat):
            facts.append(TurnBegan(seat, not state.cities[seat].settled))
            return facts
        leaving = WentOut(seat, "stuck")
        facts.append(leaving)
        state = ahead(state, leaving)
    return facts + _end_round(state)


def go_on(state: State, seat: int) -> list[Fact]:
    """WW-56, after a free action: the same turn, unless nothing can be done any more."""
    if can_act(state, seat, state.fresh_loan):
        return []
    leaving = WentOut(seat, "stuck")
    return [leaving, *proceed(ahead(state, leaving))]


def can_act(state: State, seat: int, fresh_loan: bool = False) -> bool:
    """Whether anything but leaving is legal in this seat's turn."""
    city = state.cities[seat]
    return (
        not city.settled
        or can_borrow(city)
        or can_repay(table(state.data), city, fresh_loan)
        or any_purchase(state, seat)
    )


def _following(state: State) -> int | None:
    """The next seat in turn order that is not out."""
    order, cities = state.order, state.cities
    after = order.index(state.active) + 1 if state.active >= 0 else 0
    for seat in order[after:] + order[:after]:
        if not cities[seat].out:
            return seat
    return None


def _end_round(state: State) -> list[Fact]:
    """WW-3, WW-43, WW-110."""
    content = table(state.data)
    final = content.tracks[state.options.resource_side].final
    full = any(city.population >= final for city in state.cities)
    if full or state.round >= content.rounds:
        lines, target = scoring.score(state), scoring.target(state)
        return [Ended("population" if full else "rounds", lines, target)]
    setup = content.setups[len(state.cities)]
    begun = RoundBegan(
        state.round + 1,
        next_order(state),
        content.coins,
        max(state.long_roads, setup.long_roads),
        max(state.short_roads, setup.short_roads),
        max(state.towers, setup.towers),
    )
    after = ahead(state, begun)
    return [begun] if after.awaits else [begun, *proceed(after)]  # without tiles there is no draw


def next_order(state: State) -> tuple[int, ...]:
    """WW-44: pedestals take their places, the others fill up by population, monuments, old order."""
    cities = state.cities
    others = [seat for seat in state.order if seat not in state.pedestals]
    others.sort(key=lambda seat: (cities[seat].population, len(cities[seat].monuments)))
    order: list[int] = []
    for holder in state.pedestals:
        if holder is not None:
            order.append(holder)
        elif others:
            order.append(others.pop(0))
    return (*order, *others)
