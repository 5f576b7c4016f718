"""BA-31 to BA-34: which tokens make a turn. What is already placed is a short tuple of kinds, or AFLOAT."""

from enum import Enum
from functools import lru_cache

from engine.games.babylonia.content import FARMER, KINDS, RIVER, card_bits

AFLOAT = len(KINDS)  # stands for a token on a river, whatever its kind
THREE_NOBLES = card_bits([4])
NOBLE_WITH_FARMERS = card_bits([5])
WIDENING = THREE_NOBLES | NOBLE_WITH_FARMERS  # the cards that matter here

Played = tuple[int, ...]


def as_played(kind: int, bit: int) -> int:
    """A token as this file sees it: its kind on land, or just that it lies on a river."""
    return AFLOAT if bit & RIVER else kind


class Status(Enum):
    BEGUN = "begun"  # may not end yet, anything may follow
    COMPLETE = "complete"
    OPEN = "open"  # card 5: a noble and two farmers, another farmer must follow
    WRONG = "wrong"


BEGUN, COMPLETE, OPEN, WRONG = Status


@lru_cache(maxsize=4096)
def status(turn_number: int, cards: int, played: Played) -> Status:
    """BA-32, BA-34. Turns from 2 on are all alike; only the WIDENING cards matter."""
    count = len(played)
    if turn_number < 2:
        quota = turn_number + 1
        return BEGUN if count < quota else COMPLETE if count == quota else WRONG
    if count < 2:
        return BEGUN
    return COMPLETE if count == 2 else _large(cards, played)


def _large(cards: int, played: Played) -> Status:
    """Three tokens and more: all on land, farmers but for what the cards allow."""
    if AFLOAT in played:
        return WRONG
    farmers = played.count(FARMER)
    nobles = len(played) - farmers
    if nobles == 0:
        return COMPLETE
    if cards & THREE_NOBLES and farmers == 0 and nobles == 3 and len(set(played)) == 3:  # BA-84
        return COMPLETE
    if cards & NOBLE_WITH_FARMERS and nobles == 1:  # BA-85
        return COMPLETE if farmers >= 3 else OPEN
    return WRONG


@lru_cache(maxsize=4096)
def following(turn_number: int, cards: int, played: Played) -> tuple[tuple[int, Status], ...]:
    """The kinds that may still be added on land to two or more tokens, with what the set is then."""
    found = ((kind, status(turn_number, cards, (*played, kind))) for kind in range(len(KINDS)))
    return tuple((kind, then) for kind, then in found if then is not WRONG)
