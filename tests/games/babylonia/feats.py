"""What a recorded match shows: how it ended, and which ziggurat cards made a difference in it."""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from engine.events import Acted, Started, reader
from engine.games.babylonia import GAME
from engine.games.babylonia.content import CELLS, FARMER
from engine.games.babylonia.facts import (
    CardTaken,
    CityResolved,
    Ended,
    ExtraTurnDecided,
    Placed,
    PlacingEnded,
)
from engine.games.babylonia.model import State
from engine.games.babylonia.scoring import city

Feat = str | int  # a reason of BA-61, or the number of a card
ALL: set[Feat] = {"stand", "cities", *range(1, 10)}


def feats(lines: Sequence[bytes]) -> set[Feat]:
    """Everything of the above in a log."""
    return {feat for before, fact in _steps(lines) for feat in _of(before, fact)}


def _steps(lines: Sequence[bytes]) -> Iterator[tuple[Any, Any]]:
    """(state before, fact) for every fact of a log."""
    decode = reader(GAME.key).decode
    state: State | None = None
    for line in lines:
        event = decode(line)
        if isinstance(event, (Started, Acted)):
            for fact in event.facts:
                yield state, fact
                state = GAME.evolve(state, fact)


def _of(state: State, fact: Any) -> Iterator[Feat]:
    match fact:
        case Ended():
            yield fact.reason
        case CardTaken(card=1):
            yield 1
        case ExtraTurnDecided(use=True):
            yield 2
        case Placed():
            if sum(state.players[fact.seat].stand) > 5:
                yield 3
            if fact.field and fact.token != "farmer":
                yield 6
        case PlacingEnded():
            yield from _set(state.played)
        case CityResolved():
            yield from (card for card in (7, 8, 9) if _without(state, card, fact) != fact)


def _set(played: Sequence[int]) -> Iterator[Feat]:
    """BA-84, BA-85."""
    nobles = sum(kind != FARMER for kind in played)
    if len(played) > 2 and nobles:
        yield 4 if nobles == 3 else 5


def _without(state: State, card: int, fact: CityResolved) -> CityResolved:
    """What the city would have paid if nobody owned the card."""
    players = [replace(player, cards=player.cards & ~(1 << card)) for player in state.players]
    return city(replace(state, players=tuple(players)), CELLS[fact.hex])
