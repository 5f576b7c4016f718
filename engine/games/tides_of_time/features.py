"""A position of Tides of Time as numbers, from what one seat sees.

What a card is worth depends on the suits around it: those of its kingdom, of the other one, and of the
hands that are still to be chosen from. So every card of a kingdom is counted together with these suits, and
every card of a hand with the suits of both kingdoms. Whatever is good for one seat is bad for the other.
"""

from collections.abc import Sequence
from functools import lru_cache
from operator import add, sub

from engine.games.tides_of_time.content import CARDS, HAND, ROUNDS, SUITS
from engine.games.tides_of_time.model import Keep, Play, View
from engine.games.tides_of_time.scoring import SUIT, score

TARGET = "lead"  # what is learned: the lead at the end
BEFORE = True  # positions count before a choice as well as after it
DIGITS = 2  # of a weight: hundredths of a point

CARD = [CARDS[card].id for card in CARDS]
NUMBER = {card: number for number, card in enumerate(CARD)}
SPREAD = ("", *(f"{where} {suit}" for where in ("own", "other", "coming", "going") for suit in SUITS))
REACH = ("", *(f"{where} {suit}" for where in ("own", "other") for suit in SUITS))
NAMES = (
    "lead if scored now",
    *(f"{card} {what}".strip() for card in CARD for what in SPREAD),
    *(f"hand {card} {what}".strip() for card in CARD for what in REACH),
)
STEPS = HAND  # decisions of a round: its picks but for the last, which is forced, and what to keep
STAGES = 2 * ROUNDS * STEPS

Hand = tuple[str, ...]


def stage(view: View, seat: int) -> int:
    """Round and pick, before and after this seat has chosen."""
    pick = STEPS if view.phase == "keep" else min(view.pick, STEPS - 1)
    at: int = 2 * (STEPS * (view.round - 1) + pick - 1)
    return at if view.players[seat].choice is None else at + 1


def known(view: View, seat: int) -> float:
    """The lead that nobody can take away."""
    return float(sum(view.players[seat].scores) - sum(view.players[1 - seat].scores))


def table(view: View, seat: int) -> tuple[Hand, Hand, Hand, Hand]:
    """Both kingdoms, and the cards coming to this seat and going to the other, as if a choice lay there."""
    own, other = view.players[seat], view.players[1 - seat]
    kingdom, hand = list(own.kingdom), list(own.hand or ())
    match own.choice:
        case Play(card=card):
            kingdom.append(card)
            hand.remove(card)
        case Keep(relic=relic, discard=discard):
            kingdom.append(relic)
            hand.remove(relic)
            hand.remove(discard)
        case _:
            pass
    rival = other.hand if other.hand is not None else view.opponent_known or ()
    return tuple(kingdom), other.kingdom, rival, tuple(hand)


@lru_cache(maxsize=4096)
def suits(cards: tuple[str, ...]) -> list[int]:
    counts = [0] * len(SUITS)
    for card in cards:
        if card in SUIT:
            counts[SUIT[card]] += 1
    return counts


def now(view: View, seat: int, kingdoms: Sequence[Hand]) -> int:
    """The lead of this round if it were scored now."""
    pair = kingdoms if seat == 0 else kingdoms[::-1]
    tables = score(pair, view.options)
    return sum(tables[seat].values()) - sum(tables[1 - seat].values())


def features(view: View, seat: int) -> list[float]:
    own, other, coming, going = table(view, seat)
    counts = [suits(cards) for cards in (own, other, coming, going)]
    mine, theirs = spread(*counts), spread(*(counts[n] for n in (1, 0, 3, 2)))
    numbers = [0.0] * len(NAMES)
    numbers[0] = now(view, seat, (own, other))
    for cards, each, first, way in (
        (own, mine, 1, 1),
        (other, theirs, 1, -1),
        (coming, mine[: len(REACH)], HANDS, 1),
        (going, theirs[: len(REACH)], HANDS, -1),
    ):
        for card in cards:
            at = first + NUMBER[card] * len(each)
            old = numbers[at : at + len(each)]
            numbers[at : at + len(each)] = map(add if way > 0 else sub, old, each)
    return numbers


HANDS = 1 + len(CARD) * len(SPREAD)


def spread(*counts: Sequence[int]) -> list[int]:
    own, other, coming, going = counts
    return [1, *own, *other, *coming, *going]
