"""What a position is worth to a seat, for bots."""

from engine.games.akropolis.model import View


def value(view: View, seat: int) -> float:
    return view.players[seat].score.total
