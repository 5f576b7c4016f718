"""Facts are folded, never judged: what each of them does to a state."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from engine.games.babylonia.content import BITS, BOARDS, CELLS, KIND, TILE_KINDS, TILES, card_bits, mask
from engine.games.babylonia.facts import (
    CardsOffered,
    CardTaken,
    CityResolved,
    Drew,
    Ended,
    ExtraTurnDecided,
    ExtraTurnOffered,
    Fact,
    FirstSeat,
    Placed,
    PlacingEnded,
    SetUp,
    TileLaid,
    TurnBegan,
    ZigguratResolved,
)
from engine.games.babylonia.model import PARTS, Counts, Player, State
from engine.games.babylonia.sets import as_played

FIELDS, ZIGGURATS, NOBLES, CITY_TILES, CARDS = range(len(PARTS))
TEN, EXTRA = 1, 2  # the cards that are spent


def evolve(state: State | None, fact: Fact) -> State:
    return _EVOLVE[type(fact)](state, fact)


def _set_up(_: None, fact: SetUp) -> State:
    board = BOARDS[fact.seats]
    return State(
        options=fact.options,
        phase="setup",
        seat=-1,
        turn_number=0,
        draws=0,
        players=(Player(),) * fact.seats,
        bag=board.tiles,
        layout=(),
        cities=0,
        fields=0,
        free=board.free,
        resolved=0,
        offer=0,
        discarded=(),
        placed=(),
        played=(),
        pending=0,
        chooser=None,
        ziggurat=None,
    )


def _first_seat(state: State, fact: FirstSeat) -> State:
    return replace(state, seat=fact.seat, draws=_drawn(state, fact.n))


def _drawn(state: State, n: int | None) -> int:
    return state.draws if n is None else n + 1


def _tile_laid(state: State, fact: TileLaid) -> State:
    bit = BITS[CELLS[fact.hex]]
    is_city = TILES[fact.tile].symbols != ()
    return replace(
        state,
        draws=fact.n + 1,
        bag=_plus(state.bag, TILE_KINDS.index(fact.tile), -1),
        layout=(*state.layout, fact.tile),
        cities=state.cities | bit if is_city else state.cities,
        fields=state.fields if is_city else state.fields | bit,
    )


def _cards_offered(state: State, fact: CardsOffered) -> State:
    return replace(state, offer=card_bits(fact.cards), draws=_drawn(state, fact.n))


def _drew(state: State, fact: Drew) -> State:
    assert fact.tokens is not None
    player = state.players[fact.seat]
    stand, supply = list(player.stand), list(player.supply)
    for token in fact.tokens:
        stand[KIND[token]] += 1
        supply[KIND[token]] -= 1
    player = replace(player, stand=tuple(stand), supply=tuple(supply))
    return replace(state, draws=fact.n + 1, players=_seated(state, fact.seat, player))


def _turn_began(state: State, fact: TurnBegan) -> State:
    return replace(state, phase="place", seat=fact.seat, turn_number=fact.turn_number, placed=(), played=())


def _placed(state: State, fact: Placed) -> State:
    assert fact.token is not None
    kind = KIND[fact.token]
    number = CELLS[fact.hex]
    bit = BITS[number]
    player = state.players[fact.seat]
    points = player.points
    if fact.ziggurats:
        points = _plus(points, ZIGGURATS, len(fact.ziggurats))
    if fact.field is not None:
        points = _plus(points, FIELDS, fact.field_points)
        state = replace(state, fields=state.fields & ~bit, discarded=(*state.discarded, fact.field))
    player = replace(
        player,
        stand=_plus(player.stand, kind, -1),
        boards=_plus(player.boards, kind, bit),
        tokens=player.tokens | bit,
        points=points,
    )
    return replace(
        state,
        players=_seated(state, fact.seat, player),
        free=state.free & ~bit,
        placed=(*state.placed, number),
        played=(*state.played, as_played(kind, bit)),
    )


def _placing_ended(state: State, fact: PlacingEnded) -> State:
    return _pending(state, mask(fact.pending))


def _pending(state: State, pending: int) -> State:
    return replace(state, pending=pending, phase="resolve" if pending else "refill")


def _city_resolved(state: State, fact: CityResolved) -> State:
    bit = BITS[CELLS[fact.hex]]
    players = [_paid(player, fact, seat) for seat, player in enumerate(state.players)]
    state = replace(
        state,
        players=tuple(players),
        cities=state.cities & ~bit,
        free=state.free | bit,
        discarded=state.discarded if fact.winner is not None else (*state.discarded, fact.tile),
    )
    return _pending(state, state.pending & ~bit)


def _paid(player: Player, fact: CityResolved, seat: int) -> Player:
    points = _plus(player.points, NOBLES, fact.noble_points[seat])
    points = _plus(points, CITY_TILES, fact.tile_points[seat])
    if seat == fact.winner:
        return replace(player, points=points, city_tiles=(*player.city_tiles, fact.tile))
    return replace(player, points=points)


def _ziggurat_resolved(state: State, fact: ZigguratResolved) -> State:
    number = CELLS[fact.hex]
    state = replace(state, resolved=state.resolved | BITS[number])
    state = _pending(state, state.pending & ~BITS[number])
    if fact.winner is None:
        return state
    return replace(state, phase="take_card", chooser=fact.winner, ziggurat=number)


def _card_taken(state: State, fact: CardTaken) -> State:
    card = 1 << fact.card
    player = state.players[fact.seat]
    player = replace(
        player,
        cards=player.cards | card,
        spent=player.spent | card if fact.card == TEN else player.spent,
        points=_plus(player.points, CARDS, fact.points),
    )
    players = _seated(state, fact.seat, player)
    state = replace(state, players=players, offer=state.offer & ~card, chooser=None, ziggurat=None)
    return _pending(state, state.pending)


def _extra_turn_offered(state: State, _: ExtraTurnOffered) -> State:
    return replace(state, phase="extra_turn")


def _extra_turn_decided(state: State, fact: ExtraTurnDecided) -> State:
    if not fact.use:
        return state
    player = state.players[fact.seat]
    player = replace(player, spent=player.spent | 1 << EXTRA)
    return replace(state, players=_seated(state, fact.seat, player))


def _ended(state: State, _: Ended) -> State:
    return replace(state, phase="over")


def _plus(counts: Counts, at: int, more: int) -> Counts:
    changed = list(counts)
    changed[at] += more
    return tuple(changed)


def _seated(state: State, seat: int, player: Player) -> tuple[Player, ...]:
    players = list(state.players)
    players[seat] = player
    return tuple(players)


_EVOLVE: dict[type, Callable[[Any, Any], State]] = {
    SetUp: _set_up,
    FirstSeat: _first_seat,
    TileLaid: _tile_laid,
    CardsOffered: _cards_offered,
    Drew: _drew,
    TurnBegan: _turn_began,
    Placed: _placed,
    PlacingEnded: _placing_ended,
    CityResolved: _city_resolved,
    ZigguratResolved: _ziggurat_resolved,
    CardTaken: _card_taken,
    ExtraTurnOffered: _extra_turn_offered,
    ExtraTurnDecided: _extra_turn_decided,
    Ended: _ended,
}
