"""What a position of Pig is worth to a seat, for bots."""

from engine.games.pig.model import View

SURE = 0.8  # points at risk are worth less than banked ones


def value(view: View, seat: int) -> float:
    """The lead over the best of the others."""
    risk = view.at_risk * SURE if view.turn == seat else 0.0
    others = [points for other, points in enumerate(view.banked) if other != seat]
    return view.banked[seat] + risk - max(others)
