"""A Machi Koro bot with a plan that fits on a page: cheap income first, then factories, then landmarks."""

from collections.abc import Sequence
from typing import Any

from bots.sdk import Action, Turn

LANDMARKS = ("train_station", "shopping_mall", "amusement_park", "radio_tower")  # in the order of building
PLAN = (  # (card, how many of it are worth having), the most urgent first
    ("ranch", 3),
    ("convenience_store", 2),
    ("bakery", 1),
    ("forest", 2),
    ("cheese_factory", 3),
    ("furniture_factory", 2),
    ("mine", 1),
    ("wheat_field", 2),
    ("cafe", 1),
)


class MachiKoro:
    def choose(self, turn: Turn) -> Action:
        me = turn.view["players"][turn.seat]
        match turn.view["phase"]:
            case "build":
                return _build(turn.legal, me["cards"])
            case "roll":
                factories = me["cards"].get("cheese_factory", 0) + me["cards"].get("furniture_factory", 0)
                return {"type": "roll", "dice": 2 if factories else 1}
            case "reroll":
                return {"type": "keep" if _pays(turn) else "reroll"}
            case "tv_station":
                return max(turn.legal, key=lambda action: turn.view["players"][action["target"]]["coins"])
            case _:
                return turn.legal[-1]  # trades are declined


def _build(legal: Sequence[Action], cards: dict[str, int]) -> Action:
    offered = [action.get("card") for action in legal]
    for landmark in LANDMARKS:
        if landmark in offered:
            return {"type": "build", "card": landmark}
    for card, enough in PLAN:
        if card in offered and cards.get(card, 0) < enough:
            return {"type": "build", "card": card}
    return {"type": "pass"}


def _pays(turn: Turn) -> bool:
    """Whether the dice on the table hit one of the cards that the plan is about."""
    total = sum(turn.view["dice"])
    cards: dict[str, Any] = turn.view["players"][turn.seat]["cards"]
    hits = {1: "wheat_field", 2: "ranch", 3: "bakery", 4: "convenience_store", 5: "forest"}
    hits |= {7: "cheese_factory", 8: "furniture_factory", 9: "mine"}
    return bool(cards.get(hits.get(total, ""), 0))
