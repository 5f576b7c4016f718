"""What a position is worth to a seat, for bots: points so far and what the cards on the table promise."""

from engine.games.tides_of_time.model import Keep, Play, View
from engine.games.tides_of_time.scoring import score

SEARCH = {"turns": 3}  # most often to the end of the round
FUTURE = 0.35  # a relic scores again in every later round


def value(view: View, seat: int) -> float:
    """Lead in points, counting the kingdoms as if they were scored now."""
    kingdoms = [list(player.kingdom) for player in view.players]
    own = view.players[seat]
    bonus = 0.0
    match own.choice:
        case Play(card=card):
            kingdoms[seat].append(card)
        case Keep(relic=relic, discard=discard):
            kingdoms[seat].append(relic)
            bonus = -_worth(view, discard) * FUTURE
        case _:
            pass
    totals = [sum(table.values()) for table in score(kingdoms, view.options)]
    scores = [sum(player.scores) for player in view.players]
    promise = sum(_worth(view, card) for card in kingdoms[seat]) * 0.1
    return scores[seat] - scores[1 - seat] + totals[seat] - totals[1 - seat] + promise + bonus


def _worth(view: View, card: str) -> float:
    """What a card earned when it was last scored, if it was."""
    earned = [table[card] for player in view.players for table in player.breakdown if card in table]
    return float(earned[-1]) if earned else 3.0
