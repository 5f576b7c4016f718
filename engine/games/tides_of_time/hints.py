"""What a position is worth to a seat, for bots: the lead so far, and what the cards in sight promise.

The weights are learned by self-play (`turnlog learn tides-of-time`)."""

from typing import NamedTuple

from engine.games.tides_of_time import features as made
from engine.games.tides_of_time.content import CARDS
from engine.games.tides_of_time.model import View
from engine.kit.learned import Learned, dot

SEARCH = {"turns": 3}  # most often to the end of the round


MAX_TOTALS = 5000


class Cards(NamedTuple):
    """Weights of every card, and the sums that were asked for."""

    of: dict[str, list[float]]
    totals: dict[tuple[str, ...], list[float]]


class Weights(NamedTuple):
    """Of one stage of a match."""

    now: float
    kingdom: Cards
    hand: Cards


def _weights(row: list[float]) -> Weights:
    kingdom = _by_card(row[1 : made.HANDS], len(made.SPREAD))
    return Weights(row[0], kingdom, _by_card(row[made.HANDS :], len(made.REACH)))


def _by_card(row: list[float], each: int) -> Cards:
    return Cards({card: row[n * each : (n + 1) * each] for n, card in enumerate(CARDS)}, {})


LEARNED = Learned(__file__, made.STAGES, made.NAMES, _weights)


def value(view: View, seat: int) -> float:
    """The lead to be expected at the end: the weighted sum of the features, card by card."""
    known = made.known(view, seat)
    if view.phase == "over":
        return known
    weights = LEARNED.at[made.stage(view, seat)]
    own, other, coming, going = made.table(view, seat)
    counts = [made.suits(cards) for cards in (own, other, coming, going)]
    mine, theirs = made.spread(*counts), made.spread(*(counts[n] for n in (1, 0, 3, 2)))
    worth = known + weights.now * made.now(view, seat, (own, other))
    worth += dot(mine, _total(weights.kingdom, own)) - dot(theirs, _total(weights.kingdom, other))
    # a hand's features reach less far, so that only the first of the numbers count
    return worth + dot(mine, _total(weights.hand, coming)) - dot(theirs, _total(weights.hand, going))


def _total(weights: Cards, cards: tuple[str, ...]) -> list[float]:
    """Their weights added up; remembered, since most positions that are compared share most cards."""
    found = weights.totals.get(cards)
    if found is None:
        if len(weights.totals) >= MAX_TOTALS:
            weights.totals.clear()
        rows = [weights.of[card] for card in cards]
        found = weights.totals[cards] = [sum(column) for column in zip(*rows, strict=True)]
    return found
