"""What happens by itself (section 11): one fact after the other until somebody, or chance, has to act."""

from engine.games.babylonia.content import (
    BITS,
    BOARDS,
    CELLS,
    LAST_CITIES,
    card_bits,
    cells,
    spots,
)
from engine.games.babylonia.evolve import evolve
from engine.games.babylonia.facts import Ended, ExtraTurnOffered, Fact, Placed, PlacingEnded, TurnBegan
from engine.games.babylonia.model import State
from engine.games.babylonia.scoring import city, majority, surrounded, tokens_near, ziggurat
from engine.games.babylonia.supply import wanting

EXTRA_TURN = card_bits([2])


def follow(state: State, facts: list[Fact]) -> list[Fact]:
    """The facts, and everything that follows from them without a decision."""
    for fact in facts:
        state = evolve(state, fact)
    while (more := _next(state)) is not None:
        facts.append(more)
        state = evolve(state, more)
    return facts


def _next(state: State) -> Fact | None:
    if state.phase == "resolve":
        return _resolve_by_itself(state)
    if state.phase == "refill" and not wanting(state.players[state.seat]):
        return turn_over(state, any(state.players[state.seat].stand))
    return None


def end_placing(state: State, placed: Placed) -> list[Fact]:
    """The turn's last token and what follows; most often nothing is surrounded and only a refill is due."""
    ended = placing_over(state, state.free & ~BITS[CELLS[placed.hex]])
    facts: list[Fact] = [placed, ended]
    if not ended.pending and wanting(state.players[state.seat], 1):
        return facts  # chance is next
    return follow(state, facts)


def placing_over(state: State, free: int) -> PlacingEnded:
    """BA-50: what is surrounded now is pending."""
    found = surrounded(state, free)
    return PlacingEnded(state.seat, spots(found) if found else ())


def _resolve_by_itself(state: State) -> Fact | None:
    """BA-50, BA-92: the last one pending, or the next in the automatic order."""
    pending = list(cells(state.pending))
    if len(pending) == 1:
        return resolve(state, pending[0])
    if state.options.resolve_order == "choose":
        return None
    return resolve(state, min(pending, key=lambda number: _class(state, number)))


def resolve(state: State, number: int) -> Fact:
    """Section 7 for one hex."""
    if BITS[number] & state.cities:
        return city(state, number)
    return ziggurat(state, number)


def _class(state: State, number: int) -> int:
    """BA-92; `min` keeps the canonical order within a class."""
    winner = majority(tokens_near(state.players, number))
    ranks = (2, 3, 4) if BITS[number] & state.cities else (0, 1, 5)
    return ranks[0 if winner == state.seat else 1 if winner is None else 2]


def turn_over(state: State, holds_tokens: bool) -> Fact:
    """BA-61 to BA-63, after the refill."""
    seat = state.seat
    if not holds_tokens:
        return Ended(seat, "stand")
    if state.cities.bit_count() <= LAST_CITIES:
        return Ended(seat, "cities")
    player = state.players[seat]
    if player.cards & ~player.spent & EXTRA_TURN:
        return ExtraTurnOffered(seat)
    return next_turn(state)


def next_turn(state: State) -> TurnBegan:
    """BA-63."""
    return TurnBegan((state.seat + 1) % len(state.players), state.turn_number + 1)


def location_left(state: State) -> int:
    """BA-12: the next location space without a tile."""
    return BOARDS[len(state.players)].locations[len(state.layout)]
