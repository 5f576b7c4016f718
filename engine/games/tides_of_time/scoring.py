"""Section 8 of the rules: what two kingdoms are worth."""

from collections.abc import Sequence

from engine.games.tides_of_time.content import CARDS, NEST, ROOF, SUITS, Card
from engine.games.tides_of_time.model import Options

Counts = list[int]  # by suit


def score(kingdoms: Sequence[Sequence[str]], options: Options) -> tuple[dict[str, int], dict[str, int]]:
    """Points of every card, by seat. The order is TT-51's: card 18 last, when all others are known."""
    sides = [Side(kingdom, options) for kingdom in kingdoms]
    tables = tuple(_score_cards(sides[seat], sides[1 - seat]) for seat in (0, 1))
    best = [max(table.values(), default=0) for table in tables]
    for seat in (0, 1):
        _score_best_card(sides[seat], tables[seat], best[seat], best[1 - seat])
    return tables[0], tables[1]


class Side:
    """One kingdom with its counts: printed (TT-40), effective (TT-45) and single suits (TT-50)."""

    __slots__ = ("cards", "effective", "nest", "printed", "singles", "zero_ties")

    def __init__(self, kingdom: Sequence[str], options: Options) -> None:
        self.cards = [CARDS[card] for card in kingdom]
        self.nest = NEST in kingdom
        self.zero_ties = options.nest_wins_zero_ties
        self.printed = _printed(self.cards)
        self.effective = _doubled(self.printed) if ROOF in kingdom else self.printed
        counted = self.effective if options.roof_counts_for_singles else self.printed
        self.singles = counted.count(1)

    def beats(self, mine: int, theirs: int) -> bool:
        """A comparison on this side's card: ties go to the owner of King's Nest (TT-52, TT-53, TT-61)."""
        if mine != theirs:
            return mine > theirs
        return self.nest and (mine > 0 or self.zero_ties)


def _printed(cards: Sequence[Card]) -> Counts:
    counts = [0] * len(SUITS)
    for card in cards:
        if card.suit is not None:
            counts[card.suit] += 1
    return counts


def _doubled(printed: Counts) -> Counts:
    most = max(printed)
    return [2 * count if count == most else count for count in printed]


def _score_cards(own: Side, other: Side) -> dict[str, int]:
    return {card.id: _points(card, own, other) for card in own.cards}


def _points(card: Card, own: Side, other: Side) -> int:
    kind = card.kind
    if kind == "per_suit":  # TT-46
        return card.vp * own.effective[card.suits[0]]
    if kind == "majority":  # TT-49
        suit = card.suits[0]
        return card.vp if own.beats(own.effective[suit], other.effective[suit]) else 0
    if kind == "per_set":  # TT-47
        return card.vp * min([own.effective[suit] for suit in card.suits])
    if kind == "per_missing_suit":  # TT-48, TT-65
        return card.vp * own.printed.count(0)
    if kind == "majority_of_single_suits":  # TT-50
        return card.vp if own.beats(own.singles, other.singles) else 0
    return 0  # TT-54; card 18 is scored last


def _score_best_card(own: Side, table: dict[str, int], mine: int, theirs: int) -> None:
    for card in own.cards:
        if card.kind == "best_single_card" and own.beats(mine, theirs):  # TT-51
            table[card.id] = card.vp
