"""The 18 cards, as tables that scoring can use without looking twice."""

from typing import Any, NamedTuple

from engine.kit import content

DATA: dict[str, Any] = content.load(__file__)
SUITS: tuple[str, ...] = tuple(suit["id"] for suit in DATA["suits"])


class Card(NamedTuple):
    id: str
    number: int
    suit: int | None  # index into SUITS
    kind: str
    vp: int
    suits: tuple[int, ...]  # the suits that the effect looks at


def _card(raw: dict[str, Any]) -> Card:
    effect = raw["effect"]
    looks_at = effect.get("suits") or ([effect["suit"]] if "suit" in effect else [])
    return Card(
        raw["id"],
        raw["number"],
        None if raw["suit"] is None else SUITS.index(raw["suit"]),
        effect["kind"],
        effect.get("vp", 0),
        tuple(SUITS.index(suit) for suit in looks_at),
    )


CARDS: dict[str, Card] = {raw["id"]: _card(raw) for raw in DATA["cards"]}  # TT-5
HAND = DATA["setup"]["deal_per_seat"]
ROUNDS = DATA["rounds"]


def _by_effect(kind: str) -> str:
    return next(card.id for card in CARDS.values() if card.kind == kind)


NEST = _by_effect("win_ties")
ROOF = _by_effect("double_most_numerous")
