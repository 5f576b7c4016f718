"""What a seat of Tides of Time may not know (TT-57 to TT-60), told from the log alone.

Hidden are cards that were dealt or lie in the deck and were never shown to the seat, and choices that nobody
revealed: those that still wait and those that were replaced. This file does not know what a view shows.
"""

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import permutations
from random import Random
from typing import Any

from msgspec.structs import replace

from engine.games.tides_of_time.content import CARDS
from engine.games.tides_of_time.evolve import evolve
from engine.games.tides_of_time.model import (
    Action,
    Chosen,
    Dealt,
    Fact,
    Forced,
    Keep,
    Kept,
    Play,
    Revealed,
    State,
)


def exchange(log: Sequence[Any], seat: int | None, rng: Random) -> list[Any]:
    """Another log (actions, each before its facts) that this seat, or a spectator, must read alike."""
    return _choose_anew(_deal_anew(log, _unseen(log, seat), rng), seat, rng)


def _unseen(log: Sequence[Any], seat: int | None) -> list[str]:
    """Cards whose place the seat has never been shown; who is handed the other hand has seen all of it."""
    dealt: set[str] = set()
    seen: set[str] = set()
    for item in log:
        match item:
            case Dealt():
                dealt.add(item.card or "")
                seen |= {item.card or ""} if item.seat == seat else set()
            case Revealed():
                seen |= dealt if seat is not None else set(item.cards)
            case Forced():
                seen |= set(item.cards)
    return [card for card in CARDS if card not in seen]


def _deal_anew(log: Sequence[Any], unseen: list[str], rng: Random) -> list[Any]:
    """The same match with the unseen cards under other names."""
    names = dict(zip(unseen, rng.sample(unseen, len(unseen)), strict=True))
    return [_renamed(item, names) for item in log]


def _renamed(item: Any, names: dict[str, str]) -> Any:
    match item:
        case Dealt():
            return replace(item, card=names.get(item.card or "", item.card))
        case Chosen() if item.choice is not None:
            return replace(item, choice=_renamed(item.choice, names))
        case Play():
            return Play(names.get(item.card, item.card))
        case Keep():
            return Keep(names.get(item.relic, item.relic), names.get(item.discard, item.discard))
        case _:
            return item


def _choose_anew(log: list[Any], seat: int | None, rng: Random) -> list[Any]:
    """Other choices where none was shown; backwards, since a choice differs from the one that replaces it."""
    for other in (s for s in (0, 1) if s != seat):
        later: Action | None = None
        shown = False
        for at in reversed(range(len(log))):
            match log[at]:
                case Revealed() | Kept():
                    later, shown = None, True  # it shows the last choice before it
                case Chosen(seat=owner, choice=choice) if owner == other:
                    if later is not None or not shown:
                        choice = rng.choice([c for c in _choices(log, at, other) if c != later])
                        log[at - 1 : at + 1] = [choice, replace(log[at], choice=choice)]
                    later = choice
    return log


def _choices(log: Sequence[Any], at: int, seat: int) -> Iterator[Action]:
    """Everything that the seat could have chosen there (TT-22, TT-23, TT-26)."""
    state: Any = reduce(evolve, (item for item in log[:at] if isinstance(item, Fact)), None)
    assert isinstance(state, State)
    hand = state.players[seat].hand
    if state.phase == "draft":
        return (Play(card) for card in hand)
    return (Keep(*pair) for pair in permutations(hand, 2))
