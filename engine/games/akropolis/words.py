"""Akropolis in English and Czech."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from engine.game import Lang, Words
from engine.games.akropolis.content import DATA, TILES
from engine.games.akropolis.model import (
    Action,
    Built,
    Drawn,
    Fact,
    NextRound,
    Opened,
    Scored,
    Taken,
    View,
)
from engine.kit.text import LANGS, fill, plural

KINDS: dict[str, dict[str, Any]] = DATA["hex_types"]

TEXTS: Mapping[Lang, Mapping[str, str]] = {
    "en": {
        "label": "{price}: tile {tile} at {place}, rotation {rotation}",
        "free": "free",
        "opened": "{name} is the first Chief Architect.",
        "drawn": "The Construction Site gets {tile}.",
        "built": "{name} builds {tile} on level {level}{paid}{gained}.",
        "paid": ", pays {stones}",
        "gained": ", gains {stones} from covered quarries",
        "taken": "{name} takes {tile}{paid}.",
        "next_round": "Round {round}: {name} is Chief Architect.",
        "scored": "Final scoring: {scores}.",
        "architect": "The illustrious architect",
        "district": "{district}: value {value} × {stars}",
        "stones": "Stones",
        "integer": "an integer",
        "rotation": "an integer from 0 to 5",
        "nothing": "only slot, q, r and rotation",
    },
    "cs": {
        "label": "{price}: deska {tile} na {place}, otočení {rotation}",
        "free": "zdarma",
        "opened": "{name} začíná jako hlavní architekt.",
        "drawn": "Na staveniště přichází {tile}.",
        "built": "{name} staví do {level}. patra: {tile}{paid}{gained}.",
        "paid": ", platí {stones}",
        "gained": ", za zakryté lomy získává {stones}",
        "taken": "{name} si bere: {tile}{paid}.",
        "next_round": "{round}. kolo: hlavním architektem je {name}.",
        "scored": "Závěrečné bodování: {scores}.",
        "architect": "Slavný architekt",
        "district": "{district}: hodnota {value} × {stars}",
        "stones": "Kameny",
        "integer": "celé číslo",
        "rotation": "celé číslo od 0 do 5",
        "nothing": "jen slot, q, r a rotation",
    },
}

REFUSALS: Mapping[Lang, Mapping[str, str]] = {
    lang: {code: texts[lang] for code, texts in DATA["errors"].items()}
    | {
        "bad_options": {
            "en": "The option {option} does not fit this number of players.",
            "cs": "Volba {option} se nehodí k tomuto počtu hráčů.",
        }[lang]
    }
    for lang in LANGS
}

OPTIONS: Mapping[Lang, Mapping[str, str]] = {
    lang: {
        option: (raw.get("help") or raw["name"])[lang]
        for option, raw in DATA["options"].items()
        if option != "players"
    }
    for lang in LANGS
}


@cache
def tile_name(tile: int, lang: Lang) -> str:
    """A tile's number and what it shows: in a list of actions two tiles must not look the same."""
    return f"{tile} ({quarters(tile, lang)})"


@cache
def quarters(tile: int, lang: Lang) -> str:
    """What a tile shows: people know it by that, and see where it lies."""
    return ", ".join(KINDS[kind]["name"][lang] for kind in TILES[tile])


@cache
def _stones(count: int, lang: Lang) -> str:
    if lang == "cs":
        return f"{count} {plural(count, 'kámen', 'kameny', 'kamenů')}"
    return f"{count} {'stone' if count == 1 else 'stones'}"


def _stars(count: int, lang: Lang) -> str:
    if lang == "cs":
        return f"{count} {plural(count, 'hvězdička', 'hvězdičky', 'hvězdiček')}"
    return f"{count} {'star' if count == 1 else 'stars'}"


def label(action: Action, view: View, lang: Lang) -> str:
    slot = action.slot
    price = _stones(slot, lang) if slot else TEXTS[lang]["free"]
    return TEXTS[lang]["label"].format(
        price=price,
        tile=tile_name(view.site[slot].tile, lang),
        place=f"({action.q}, {action.r})",
        rotation=action.rotation,
    )


def sentence(fact: Fact, names: Sequence[str], lang: Lang) -> str:
    match fact:
        case Opened():
            return fill(TEXTS, "opened", lang, {"name": names[fact.chief]})
        case Drawn():
            return fill(TEXTS, "drawn", lang, {"tile": quarters(fact.tile, lang)})
        case Built():
            return _built(fact, names[fact.seat], lang)
        case Taken():
            paid = _part("paid", fact.paid, lang)
            gaps = {"name": TEXTS[lang]["architect"], "tile": quarters(fact.tile, lang), "paid": paid}
            return fill(TEXTS, "taken", lang, gaps)
        case NextRound():
            return fill(
                TEXTS, "next_round", lang, {"round": fact.round, "name": _side(fact.chief, names, lang)}
            )
        case Scored():
            return fill(TEXTS, "scored", lang, {"scores": _totals(fact, names, lang)})
        case _:
            return ""


def _built(fact: Built, name: str, lang: Lang) -> str:
    gaps = {
        "name": name,
        "tile": quarters(fact.tile, lang),
        "level": fact.level,
        "paid": _part("paid", fact.paid, lang),
        "gained": _part("gained", fact.gained, lang),
    }
    return fill(TEXTS, "built", lang, gaps)


def _part(key: str, stones: int, lang: Lang) -> str:
    """What is said of stones only if there are any."""
    return fill(TEXTS, key, lang, {"stones": _stones(stones, lang)}) if stones else ""


def _side(seat: int, names: Sequence[str], lang: Lang) -> str:
    """In a solo match the token goes to the architect, who is no seat (AK-S3)."""
    return names[seat] if seat < len(names) else TEXTS[lang]["architect"].lower()


def _totals(fact: Scored, names: Sequence[str], lang: Lang) -> str:
    totals = [f"{name} {score.total}" for name, score in zip(names, fact.scores, strict=False)]
    if fact.architect is not None:
        totals.append(f"{TEXTS[lang]['architect'].lower()} {fact.architect.total}")
    return ", ".join(totals)


def refusal(code: str, params: Mapping[str, Any], lang: Lang) -> str:
    shown = {k: TEXTS[lang][v] if k == "expected" else v for k, v in params.items()}
    return fill(REFUSALS, code, lang, shown)


def line(what: str, lang: Lang) -> str:
    """ "house:8:4" is a line of the score pad, "stones" the last one."""
    if what == "stones":
        return TEXTS[lang]["stones"]
    district, value, stars = what.split(":")
    gaps = {"district": KINDS[district]["plural"][lang], "value": value, "stars": _stars(int(stars), lang)}
    return fill(TEXTS, "district", lang, gaps)


def standing(view: Any) -> list[int]:
    """What the cities would count now."""
    return [player.score.total for player in view.players]


WORDS = Words(DATA["game"]["name"], label, sentence, refusal, line, OPTIONS, standing)
