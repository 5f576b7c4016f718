"""Pig in English."""

from collections.abc import Mapping, Sequence
from typing import Any

from engine.game import Lang, Words
from engine.games.pig.content import DATA
from engine.games.pig.model import Action, Fact, Held, Roll, Rolled, View
from engine.kit.text import fill, why_not

TEXTS: Mapping[Lang, Mapping[str, str]] = {
    "en": {
        "roll": "Roll",
        "hold": "Hold and bank {points}",
        "rolled": "{name} rolls {face}.",
        "lost": "{name} rolls {face} and loses the turn.",
        "held": "{name} banks {points}.",
        "banked": "Banked",
    },
}
REFUSALS: Mapping[Lang, Mapping[str, str]] = {
    "en": {
        "nothing_to_hold": "There is nothing to hold yet: roll first.",
    },
}
OPTIONS: Mapping[Lang, Mapping[str, str]] = {"en": {"goal": "Points that win"}}


def label(action: Action, view: View, lang: Lang) -> str:
    key = "roll" if isinstance(action, Roll) else "hold"
    return fill(TEXTS, key, lang, {"points": view.at_risk})


def sentence(fact: Fact, names: Sequence[str], lang: Lang) -> str:
    match fact:
        case Rolled(seat=seat, face=face, lost=lost):
            return fill(TEXTS, "lost" if lost else "rolled", lang, {"name": names[seat], "face": face})
        case Held(seat=seat, points=points):
            return fill(TEXTS, "held", lang, {"name": names[seat], "points": points})
        case _:
            return ""


def refusal(code: str, params: Mapping[str, Any], lang: Lang) -> str:
    return why_not(REFUSALS, code, lang, params)


def line(what: str, lang: Lang) -> str:
    return fill(TEXTS, what, lang, {})


WORDS = Words(DATA["name"], label, sentence, refusal, line, OPTIONS)
