"""Section 11: the only file that knows what is shown in Tides of Time."""

from random import Random
from typing import Any

from msgspec.structs import replace

from engine.games.tides_of_time.content import CARDS
from engine.games.tides_of_time.model import (
    Action,
    Chosen,
    Dealt,
    Fact,
    Forced,
    Keep,
    Kept,
    Play,
    Player,
    PlayerView,
    Revealed,
    Scored,
    State,
    View,
)


def view(state: State, seat: int | None) -> View:
    """TT-56 to TT-60, built up from what this seat may know."""
    first, second = state.players
    return View(
        seat=seat,
        options=state.options,
        phase=state.phase,
        round=state.round,
        pick=state.pick,
        deck_size=len(state.deck),
        players=(_player(state, first, seat == 0), _player(state, second, seat == 1)),
        discards=state.discards,
        opponent_known=None if seat is None else opponent_known(state, seat),
    )


def _player(state: State, player: Player, own: bool) -> PlayerView:
    return PlayerView(
        hand_size=len(player.hand),
        hand=player.hand if own or state.phase == "keep" else None,
        kingdom=player.kingdom,
        relics=player.relics,
        committed=player.committed is not None,
        choice=player.committed if own else None,
        scores=player.scores,
        breakdown=player.breakdown,
    )


def opponent_known(state: State, seat: int) -> tuple[str, ...]:
    """TT-60: the cards that this seat can prove to be in the other hand."""
    hand = state.players[1 - seat].hand
    if state.phase != "draft" or state.pick > 1 or state.round == 3:
        return tuple(sorted(hand, key=_number))
    if state.round == 1:
        return ()
    kept = state.players[1 - seat].breakdown[-1]  # scored, hence seen by everybody
    return tuple(sorted((card for card in hand if card in kept), key=_number))


def _number(card: str) -> int:
    return CARDS[card].number


def redact(item: Action | Fact, seat: int | None) -> Any:
    """An action or fact as somebody else reads it: emptied, never left out (TT-59)."""
    match item:
        case Play():
            return {"type": "play"}
        case Keep():
            return {"type": "keep"}
        case Dealt() if item.seat != seat:
            return replace(item, card=None)
        case Chosen() if item.seat != seat:
            return replace(item, choice=None)
        case _:
            return item


def reveals(fact: Fact) -> bool:
    """A hidden card or choice became known to anybody."""
    return isinstance(fact, (Dealt, Revealed, Forced, Scored, Kept))


def determinise(view: View, rng: Random) -> State:
    """A state that this seat cannot rule out: unseen cards are dealt anew, a hidden choice is guessed."""
    pool = _unseen(view)
    rng.shuffle(pool)
    players = tuple(_guess_player(view, seat, pool, rng) for seat in (0, 1))
    return State(
        options=view.options,
        phase=view.phase,
        round=view.round,
        pick=view.pick,
        draws=18 - view.deck_size,
        deck=tuple(sorted(pool, key=_number)),
        players=(players[0], players[1]),
        discards=view.discards,
    )


def _unseen(view: View) -> list[str]:
    seen = {discard.card for discard in view.discards} | set(view.opponent_known or ())
    for player in view.players:
        seen |= {*player.kingdom, *(player.hand or ())}
    return [card for card in CARDS if card not in seen]


def _guess_player(view: View, seat: int, pool: list[str], rng: Random) -> Player:
    seen = view.players[seat]
    hand = seen.hand
    if hand is None:
        known = () if view.seat is None else view.opponent_known or ()
        hand = known + tuple(pool.pop() for _ in range(seen.hand_size - len(known)))
    choice = seen.choice
    if seen.committed and choice is None:
        cards = rng.sample(hand, 2) if view.phase == "keep" else [rng.choice(hand)]
        choice = Keep(*cards) if view.phase == "keep" else Play(*cards)
    return Player(hand, seen.kingdom, seen.relics, choice, seen.scores, seen.breakdown)
