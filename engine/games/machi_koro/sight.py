"""Section 11: everything is public but the dice to come and the order of the deck, which does not exist."""

from random import Random
from typing import TypeVar

from engine.games.machi_koro.content import KINDS, LANDMARKS, NUMBER
from engine.games.machi_koro.masks import closed_to, offered, things
from engine.games.machi_koro.model import (
    Began,
    Counts,
    Fact,
    PlayerView,
    Rolled,
    State,
    Turned,
    View,
)

Item = TypeVar("Item")
_LANDMARKS = [tuple(things(mask << len(KINDS))) for mask in range(1 << len(LANDMARKS))]


def view(state: State, seat: int | None) -> View:
    """MK-75, MK-76: the same for every seat and for spectators."""
    return View(
        seat=seat,
        options=state.options,
        phase=state.phase,
        active=state.active,
        turn=state.turn,
        dice=state.dice,
        rerolled=state.rerolled,
        extra_turn=state.extra_turn,
        players=tuple(map(_player, state.coins, zip(*state.owned, strict=True), state.closed)),
        supply=_by_id(state.supply),
        deck=_by_id(state.deck),
        deck_size=sum(state.deck),
        winner=state.active if state.phase == "over" else None,
    )


def _player(coins: int, city: Counts, mask: int) -> PlayerView:
    return PlayerView(coins, _by_id(city), _LANDMARKS[mask >> len(KINDS)])


def _by_id(counts: Counts) -> dict[str, int]:
    return {kind: copies for kind, copies in zip(KINDS, counts) if copies}  # noqa: B905 - strict is slow


def redact(item: Item, seat: int | None) -> Item:
    """Nothing is hidden from anybody (MK-75)."""
    return item


def reveals(fact: Fact) -> bool:
    """A chance outcome became known."""
    return isinstance(fact, (Rolled, Turned, Began))


def determinise(view: View, rng: Random) -> State:
    """The state itself: what a view leaves out, no seat could guess and no rule asks for."""
    cities = [_counts(player.cards) for player in view.players]
    supply = _counts(view.supply)
    return State(
        options=view.options,
        phase=view.phase,
        active=view.active,
        turn=view.turn,
        draws=0,
        dice=view.dice,
        rerolled=view.rerolled,
        extra_turn=view.extra_turn,
        coins=tuple(player.coins for player in view.players),
        owned=tuple(zip(*cities, strict=True)),
        closed=tuple(
            closed_to(city, landmark_mask(player.landmarks), view.options.copy_limit)
            for city, player in zip(cities, view.players, strict=True)
        ),
        supply=supply,
        open=offered(supply),
        deck=_counts(view.deck) if view.options.supply == "ten" else (),
    )


def _counts(cards: dict[str, int]) -> Counts:
    return tuple([cards.get(kind, 0) for kind in KINDS])


def landmark_mask(landmarks: tuple[str, ...]) -> int:
    return sum(1 << NUMBER[landmark] for landmark in landmarks)
