"""Section 8 of the rules: what two kingdoms are worth."""

from collections.abc import Callable, Sequence

from engine.games.tides_of_time.content import CARDS, NEST, ROOF, SUITS, Card
from engine.games.tides_of_time.model import Options

NONE = (0,) * len(SUITS)
SUIT = {card.id: card.suit for card in CARDS.values() if card.suit is not None}


def score(kingdoms: Sequence[Sequence[str]], options: Options) -> tuple[dict[str, int], dict[str, int]]:
    """Points of every card, by seat. The order is TT-51's: card 18 last, when all others are known."""
    first, second = Side(kingdoms[0], options), Side(kingdoms[1], options)
    one = {card: POINTS[card](first, second) for card in kingdoms[0]}
    two = {card: POINTS[card](second, first) for card in kingdoms[1]}
    best = max(one.values(), default=0), max(two.values(), default=0)
    if PORT in one and first.beats(best[0], best[1]):
        one[PORT] = CARDS[PORT].vp
    if PORT in two and second.beats(best[1], best[0]):
        two[PORT] = CARDS[PORT].vp
    return one, two


class Side:
    """One kingdom with its counts: printed (TT-40), effective (TT-45) and single suits (TT-50)."""

    __slots__ = ("effective", "nest", "printed", "singles", "zero_ties")

    def __init__(self, kingdom: Sequence[str], options: Options) -> None:
        self.nest = NEST in kingdom
        self.zero_ties = options.nest_wins_zero_ties
        self.printed = self.effective = _printed(kingdom)
        if ROOF in kingdom:
            self.effective = _doubled(self.printed)
        counted = self.effective if options.roof_counts_for_singles else self.printed
        self.singles = counted.count(1)

    def beats(self, mine: int, theirs: int) -> bool:
        """A comparison on this side's card: ties go to its own King's Nest (TT-52, TT-53, TT-61, TT-68)."""
        if mine != theirs:
            return mine > theirs
        return self.nest and (mine > 0 or self.zero_ties)


def _printed(kingdom: Sequence[str]) -> list[int]:
    counts = list(NONE)
    for card in kingdom:
        if card in SUIT:
            counts[SUIT[card]] += 1
    return counts


def _doubled(printed: list[int]) -> list[int]:
    most = max(printed)
    return [2 * count if count == most else count for count in printed]


Points = Callable[[Side, Side], int]


def _points(card: Card) -> Points:
    """What a card is worth to its own side against the other, before card 18 is looked at."""
    vp, suits = card.vp, card.suits
    suit = suits[0] if suits else 0
    match card.kind:
        case "per_suit":  # TT-46
            return lambda own, _: vp * own.effective[suit]
        case "majority":  # TT-49
            return lambda own, other: vp if own.beats(own.effective[suit], other.effective[suit]) else 0
        case "per_set":  # TT-47, TT-63, TT-64
            return lambda own, _: vp * min([own.effective[s] for s in suits])
        case "per_missing_suit":  # TT-48, TT-65
            return lambda own, _: vp * own.printed.count(0)
        case "majority_of_single_suits":  # TT-50
            return lambda own, other: vp if own.beats(own.singles, other.singles) else 0
    return lambda _own, _other: 0  # TT-54, and card 18 until the others are known


POINTS = {card.id: _points(card) for card in CARDS.values()}
_TOLD = {
    "per_suit": "TT-46",
    "per_set": "TT-47",
    "per_missing_suit": "TT-48",
    "majority": "TT-49",
    "majority_of_single_suits": "TT-50",
    "best_single_card": "TT-51",
}
RULE = {card.id: _TOLD.get(card.kind, "TT-54") for card in CARDS.values()}  # where a card's points are told
PORT = next(card.id for card in CARDS.values() if card.kind == "best_single_card")  # TT-51
