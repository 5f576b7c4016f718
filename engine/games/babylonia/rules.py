"""Babylonia, BA-10 to BA-110: who may do what, and what follows."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any

from engine.game import CHANCE, NOBODY, ONLY_CHANCE, Illegal, Line, Odds, Result
from engine.games.babylonia.content import (
    BASIC,
    BITS,
    CARDS,
    CELLS,
    HEXES,
    ON_OFFER,
    PLAYERS,
    TEN_POINTS,
    TILE_KINDS,
    card_numbers,
    spots,
    union,
)
from engine.games.babylonia.evolve import TEN
from engine.games.babylonia.facts import (
    CardsOffered,
    CardTaken,
    Drew,
    ExtraTurnDecided,
    Fact,
    FirstSeat,
    SetUp,
    TileLaid,
    TurnBegan,
)
from engine.games.babylonia.flow import (
    end_placing,
    follow,
    location_left,
    next_turn,
    placing_over,
    resolve,
    turn_over,
)
from engine.games.babylonia.listing import listed
from engine.games.babylonia.model import (
    PARTS,
    Action,
    Counts,
    Done,
    Draw,
    ExtraTurn,
    First,
    Lay,
    Offer,
    Options,
    Place,
    Player,
    Resolve,
    State,
    TakeCard,
)
from engine.games.babylonia.placement import fields, hexes, may_end, must_end, put
from engine.games.babylonia.supply import named, refill
from engine.kit import ranking, wire

_ONE = tuple(frozenset({seat}) for seat in range(max(PLAYERS)))
_DONE = Done()
_EXTRA = (ExtraTurn(True), ExtraTurn(False))
_TAKES = {card: TakeCard(card) for card in CARDS}

_FIRSTS = {players: [First(seat) for seat in range(players)] for players in PLAYERS}
_LAYS = [Lay(tile) for tile in TILE_KINDS]
_OFFERS = [Offer(cards) for cards in combinations(CARDS, ON_OFFER)]


def start(seats: int, options: Options) -> Sequence[Fact]:
    """Section 3; what is random comes from chance, in the order of BA-17."""
    facts: list[Fact] = [SetUp(seats, options)]
    if options.first_player == "random":
        return facts
    if not 0 <= options.first_player < seats:
        raise Illegal("bad_options", option="first_player")
    return [*facts, FirstSeat(options.first_player)]


def to_act(state: State) -> frozenset[int]:
    """Section 5: always one; in `take_card` the winner of the ziggurat."""
    phase = state.phase
    if phase == "place" or phase == "resolve" or phase == "extra_turn":
        return _ONE[state.seat]
    if phase == "refill" or phase == "setup":
        return ONLY_CHANCE
    return NOBODY if state.chooser is None else _ONE[state.chooser]


def legal(state: State, seat: int) -> Sequence[Action]:
    """Section 11."""
    if seat not in to_act(state) or seat == CHANCE:
        return []
    if state.phase == "place":
        return _placements(state, state.players[seat])
    if state.phase == "resolve":
        return [Resolve(at) for at in spots(state.pending)]
    if state.phase == "take_card":
        return [_TAKES[card] for card in card_numbers(state.offer)]
    return _EXTRA


def _placements(state: State, player: Player) -> list[Action]:
    held, kinds = _held(player.stand)
    if len(state.placed) < 2:  # any kind on any free hex, and some on fields
        found = listed(kinds, state.free)
        where = fields
    else:
        found, where = [], hexes
    for kind in held:
        if more := where(state, player, kind):
            found += listed(1 << kind, more)
    if may_end(state, player):
        found.append(_DONE)
    return found


@lru_cache(maxsize=1024)
def _held(stand: Counts) -> tuple[tuple[int, ...], int]:
    """The kinds on a stand, and the same as a set."""
    kinds = tuple(kind for kind, count in enumerate(stand) if count)
    return kinds, union(1 << kind for kind in kinds)


def odds(state: State) -> Odds[Any]:
    """BA-17: the draws of the setup in their order, and the refill of a stand (BA-60)."""
    if state.phase == "refill":
        return refill(state, state.seat)
    if state.seat < 0:
        return Odds(_FIRSTS[len(state.players)])
    if any(state.bag):
        return Odds(_LAYS, state.bag)
    if not state.offer:
        return Odds(_OFFERS)
    return refill(state, next(seat for seat, player in enumerate(state.players) if not any(player.stand)))


def parse(state: State, seat: int, raw: Any) -> Action:
    """Shape: `malformed`, `unknown_action`."""
    action: Action = wire.parse(Action, raw)
    return action


def decide(state: State, seat: int, action: Any) -> Sequence[Fact]:
    """What follows from an action, or Illegal in the order of section 16."""
    if seat == CHANCE and type(action) in _CHANCE:
        told: Sequence[Fact] = _CHANCE[type(action)](state, action)
        return told
    if state.phase == "over":
        raise Illegal("game_over")
    if seat not in to_act(state):
        raise Illegal("not_your_turn")
    phase, decision = _DECIDE[type(action)]
    if state.phase != phase:
        raise Illegal("wrong_phase")
    facts: Sequence[Fact] = decision(state, seat, action)
    return facts


def _place(state: State, seat: int, action: Place) -> Sequence[Fact]:
    placed = put(state, seat, action)
    return end_placing(state, placed) if must_end(state, placed) else [placed]


def _done(state: State, seat: int, action: Done) -> Sequence[Fact]:
    if not may_end(state, state.players[seat]):
        raise Illegal("set_incomplete")
    return follow(state, [placing_over(state, state.free)])


def _resolve(state: State, seat: int, action: Resolve) -> Sequence[Fact]:
    number = CELLS.get(action.hex)
    if number is None or not BITS[number] & state.pending:
        raise Illegal("not_pending")
    return follow(state, [resolve(state, number)])


def _take_card(state: State, seat: int, action: TakeCard) -> Sequence[Fact]:
    """BA-55, BA-81."""
    if action.card not in card_numbers(state.offer):
        raise Illegal("card_not_available", card=action.card)
    return follow(state, [CardTaken(seat, action.card, TEN_POINTS if action.card == TEN else 0)])


def _extra_turn(state: State, seat: int, action: ExtraTurn) -> Sequence[Fact]:
    """BA-62, BA-63."""
    begun = TurnBegan(seat, state.turn_number + 1) if action.use else next_turn(state)
    return [ExtraTurnDecided(seat, action.use), begun]


_DECIDE: dict[type, tuple[str, Any]] = {
    Place: ("place", _place),
    Done: ("place", _done),
    Resolve: ("resolve", _resolve),
    TakeCard: ("take_card", _take_card),
    ExtraTurn: ("extra_turn", _extra_turn),
}


def _draw(state: State, outcome: Draw) -> Sequence[Fact]:
    """BA-15, BA-60; then the turn is over, or in the setup the first one begins."""
    drew = Drew(outcome.seat, state.draws, sum(outcome.tokens), named(outcome.tokens))
    if state.phase == "refill":
        return [drew, turn_over(state, True)]
    if outcome.seat < len(state.players) - 1:
        return [drew]
    return [drew, TurnBegan(state.seat, 0)]


def _lay(state: State, outcome: Lay) -> Sequence[Fact]:
    """BA-12; after the last tile the basic cards lie open (BA-14)."""
    laid = TileLaid(state.draws, HEXES[location_left(state)], outcome.tile)
    if sum(state.bag) > 1 or state.options.ziggurat_cards == "random7":
        return [laid]
    return [laid, CardsOffered(BASIC)]


def _offer(state: State, outcome: Offer) -> Sequence[Fact]:
    """BA-91."""
    return [CardsOffered(outcome.cards, state.draws)]


def _first(state: State, outcome: First) -> Sequence[Fact]:
    """BA-16."""
    return [FirstSeat(outcome.seat, state.draws)]


_CHANCE: dict[type, Any] = {Draw: _draw, Lay: _lay, Offer: _offer, First: _first}


_RULES = ("BA-39", "BA-40", "BA-51", "BA-53", "BA-81")  # where each of the PARTS is told


def result(state: State) -> Result | None:
    """BA-71."""
    if state.phase != "over":
        return None
    places = ranking.places([(player.score, len(player.city_tiles)) for player in state.players])
    scores = tuple(player.score for player in state.players)
    return Result(scores, places, ranking.winners(places), tuple(map(_lines, state.players)))


def _lines(player: Player) -> tuple[Line, ...]:
    parts = zip(PARTS, player.points, _RULES, strict=True)
    return tuple(Line(part, points, rule) for part, points, rule in parts)
