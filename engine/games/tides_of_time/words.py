"""Tides of Time in English and Czech."""

from collections.abc import Mapping, Sequence
from typing import Any

from engine.game import Lang, Words
from engine.games.tides_of_time.content import DATA
from engine.games.tides_of_time.model import (
    Action,
    Chosen,
    Dealt,
    Fact,
    Forced,
    Kept,
    Play,
    Revealed,
    Scored,
    View,
)
from engine.kit.text import fill, why_not

NAMES = {card["id"]: card["name"] for card in DATA["cards"]}

TEXTS: Mapping[Lang, Mapping[str, str]] = {
    "en": {
        "play": "Play {card}",
        "keep": "Keep {relic} as a relic, remove {discard}",
        "dealt": "{name} draws {card}.",
        "dealt_hidden": "{name} draws a card.",
        "chosen": "{name} has chosen.",
        "revealed": "{first} plays {card0}, {second} plays {card1}; the hands change owners.",
        "forced": "The last cards: {first} plays {card0}, {second} plays {card1}.",
        "scored": "Round {round}: {first} {points0}, {second} {points1}.",
        "kept": "{first} keeps {relic0} and removes {discard0};"
        " {second} keeps {relic1} and removes {discard1}.",
        "line": "Round {round}: {card}",
    },
    "cs": {
        "play": "Zahrát {card}",
        "keep": "Ponechat {relic} jako monument, odstranit {discard}",
        "dealt": "{name} si bere {card}.",
        "dealt_hidden": "{name} si bere kartu.",
        "chosen": "{name} má vybráno.",
        "revealed": "{first} hraje {card0}, {second} hraje {card1}; karty v ruce si vyměňují.",
        "forced": "Poslední karty: {first} hraje {card0}, {second} hraje {card1}.",
        "scored": "{round}. kolo: {first} {points0}, {second} {points1}.",
        "kept": "{first} si ponechává {relic0} a odstraňuje {discard0};"
        " {second} si ponechává {relic1} a odstraňuje {discard1}.",
        "line": "{round}. kolo: {card}",
    },
}

REFUSALS: Mapping[Lang, Mapping[str, str]] = {
    "en": {
        "unknown_card": 'There is no card "{card}".',
        "not_in_hand": '"{card}" is not in your hand.',
        "same_card_twice": "Keep and discard two different cards.",
        "already_chosen": "You have already chosen.",
        "no_change": "That is already your choice.",
    },
    "cs": {
        "unknown_card": "Karta „{card}“ neexistuje.",
        "not_in_hand": "Kartu „{card}“ nemáš v ruce.",
        "same_card_twice": "Ponech a odstraň dvě různé karty.",
        "already_chosen": "Už máš vybráno.",
        "no_change": "To už máš vybráno.",
    },
}

OPTIONS: Mapping[Lang, Mapping[str, str]] = {
    "en": {
        "allow_change": "A choice may be changed until the other player has chosen",
        "nest_wins_zero_ties": "King's Nest wins ties at 0 : 0 too",
        "roof_counts_for_singles": "The Roof's doubled symbols count for the Molehill",
    },
    "cs": {
        "allow_change": "Volbu lze měnit, dokud nevybral soupeř",
        "nest_wins_zero_ties": "Útočiště králů vyhrává i shody 0 : 0",
        "roof_counts_for_singles": "Symboly zdvojené Střechou světa se počítají pro Štítovou horu",
    },
}


def card_name(card: str, lang: Lang) -> str:
    return str(NAMES[card].get(lang) or NAMES[card]["en"]) if card in NAMES else card


def label(action: Action, view: View, lang: Lang) -> str:
    if isinstance(action, Play):
        return fill(TEXTS, "play", lang, {"card": card_name(action.card, lang)})
    cards = {"relic": card_name(action.relic, lang), "discard": card_name(action.discard, lang)}
    return fill(TEXTS, "keep", lang, cards)


def sentence(fact: Fact, names: Sequence[str], lang: Lang) -> str:
    seats = {"first": names[0], "second": names[1]}
    match fact:
        case Dealt(card=None):
            return fill(TEXTS, "dealt_hidden", lang, {"name": names[fact.seat]})
        case Dealt():
            return fill(
                TEXTS, "dealt", lang, {"name": names[fact.seat], "card": card_name(str(fact.card), lang)}
            )
        case Chosen():
            return fill(TEXTS, "chosen", lang, {"name": names[fact.seat]})
        case Revealed() | Forced():
            key = "revealed" if isinstance(fact, Revealed) else "forced"
            return fill(TEXTS, key, lang, seats | _pair("card", fact.cards, lang))
        case Scored():
            points = {"round": fact.round, "points0": fact.totals[0], "points1": fact.totals[1]}
            return fill(TEXTS, "scored", lang, seats | points)
        case Kept():
            cards = _pair("relic", fact.relics, lang) | _pair("discard", fact.discards, lang)
            return fill(TEXTS, "kept", lang, seats | cards)
        case _:
            return ""


def _pair(key: str, cards: tuple[str, str], lang: Lang) -> dict[str, str]:
    return {f"{key}{seat}": card_name(card, lang) for seat, card in enumerate(cards)}


def refusal(code: str, params: Mapping[str, Any], lang: Lang) -> str:
    shown = {k: card_name(v, lang) if k == "card" else v for k, v in params.items()}
    return why_not(REFUSALS, code, lang, shown)


def line(what: str, lang: Lang) -> str:
    number, card = what.split(":")
    return fill(TEXTS, "line", lang, {"round": number, "card": card_name(card, lang)})


def standing(view: Any) -> list[int]:
    """Points of the rounds that are over."""
    return [sum(player.scores) for player in view.players]


WORDS = Words(DATA["name"], label, sentence, refusal, line, OPTIONS, standing)
