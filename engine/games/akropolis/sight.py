"""Section 9: the only secret is the order of the tiles to come, and not even the state knows it."""

from collections import Counter
from functools import lru_cache
from random import Random

from engine.games.akropolis.content import HEXES, SETUPS, TILES
from engine.games.akropolis.model import (
    Action,
    Architect,
    ArchitectView,
    Drawn,
    Fact,
    Offer,
    Opened,
    PlayerView,
    Scored,
    State,
    View,
)
from engine.games.akropolis.plan import plan_of
from engine.games.akropolis.rules import final_scoring

OFFERS = [{tile: Offer(price, tile, hexes) for tile, hexes in TILES.items()} for price in range(6)]


def view(state: State, seat: int | None) -> View:
    """AK-58, AK-59; of the tiles to come their number and ids, no backs (AK-A8)."""
    pads = state.final or final_scoring(state)
    setup = SETUPS[len(state.cities), state.options.long_game]
    return View(
        seat=seat,
        options=state.options,
        phase=state.phase,
        round=state.round,
        rounds=setup.rounds,
        chief=state.chief,
        to_act=state.turn if state.phase == "build" else None,
        site=tuple([OFFERS[price][tile] for price, tile in enumerate(state.site)]),
        stacks_left=len(state.deck) // setup.stack,
        unseen=state.deck,
        unseen_hexes=_hexes(state.deck),
        players=tuple([_player(state, pads, seat) for seat in range(len(state.cities))]),
        architect=_architect(state, pads),
    )


def _player(state: State, pads: Scored, seat: int) -> PlayerView:
    city = state.cities[seat]
    return PlayerView(state.stones[seat], city, tuple(plan_of(city).top.values()), pads.scores[seat])


def _architect(state: State, pads: Scored) -> ArchitectView | None:
    if state.architect is None or pads.architect is None:
        return None
    return ArchitectView(state.architect.stones, state.architect.tiles, pads.architect)


@lru_cache(maxsize=256)
def _hexes(tiles: tuple[int, ...]) -> dict[str, int]:
    """How many hexes of each kind these tiles show."""
    found = Counter(kind for tile in tiles for kind in TILES[tile])
    return {kind: found[kind] for kind in HEXES}


def redact(item: Action | Fact, seat: int | None) -> Action | Fact:
    """No action and no fact has anything to hide."""
    return item


def reveals(fact: Fact) -> bool:
    """A chance outcome became known."""
    return isinstance(fact, Drawn) or (isinstance(fact, Opened) and fact.n is not None)


def determinise(view: View, rng: Random) -> State:
    """The state itself: tiles are drawn when they are needed, so no order has to be guessed."""
    seen = view.architect
    used = SETUPS[len(view.players), view.options.long_game].tiles
    first_drawn = view.options.first_seat is None
    return State(
        options=view.options,
        phase=view.phase,
        draws=len(used) - len(view.unseen) + first_drawn,
        round=view.round,
        chief=view.chief,
        turn=_turn(view),
        deck=view.unseen,
        site=tuple([offer.tile for offer in view.site]),
        stones=tuple([player.stones for player in view.players]),
        cities=tuple([player.city for player in view.players]),
        architect=None if seen is None else Architect(seen.stones, seen.tiles),
        final=_final(view),
    )


def _turn(view: View) -> int:
    """When it is over nobody is to act, but turn order has gone on by one."""
    if view.to_act is not None:
        return view.to_act
    return (view.chief + 1) % max(2, len(view.players))


def _final(view: View) -> Scored | None:
    if view.phase != "over":
        return None
    rival = None if view.architect is None else view.architect.score
    return Scored(tuple(player.score for player in view.players), rival)
