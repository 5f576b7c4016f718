"""Machi Koro in English and Czech."""

from collections.abc import Mapping, Sequence
from typing import Any

from engine.game import Lang, Words
from engine.games.machi_koro.content import COST, DATA, EFFECTS, KINDS, NUMBER, TV_TAKES
from engine.games.machi_koro.model import (
    Action,
    Began,
    Build,
    Built,
    Declined,
    Fact,
    Keep,
    Kept,
    Pass,
    Passed,
    Payout,
    Reroll,
    Roll,
    Rolled,
    SkipTrade,
    Threw,
    Took,
    Trade,
    Traded,
    Turned,
    TvStation,
    View,
)
from engine.games.machi_koro.texts import OPTIONS, REFUSALS, TEXTS
from engine.kit.text import fill, plural, why_not

NAMES = {card["id"]: card["name"] for card in DATA["establishments"] + DATA["landmarks"]}
LABELS = {Keep: "keep", Reroll: "reroll", SkipTrade: "skip_trade", Pass: "pass"}


def card_name(card: str, lang: Lang) -> str:
    return str(NAMES[card].get(lang) or NAMES[card]["en"]) if card in NAMES else card


def coins(n: int, lang: Lang) -> str:
    if lang == "cs":
        return f"{n} {plural(n, 'minci', 'mince', 'mincí')}"
    return f"{n} {'coin' if n == 1 else 'coins'}"


def label(action: Action, view: View, lang: Lang) -> str:
    match action:
        case Roll():
            return fill(TEXTS, "roll_one" if action.dice == 1 else "roll_two", lang, {})
        case TvStation():
            taken = min(TV_TAKES, view.players[action.target].coins)
            return fill(TEXTS, "tv", lang, {"coins": coins(taken, lang), "player": action.target + 1})
        case Trade():
            cards = {"give": card_name(action.give, lang), "take": card_name(action.take, lang)}
            return fill(TEXTS, "trade", lang, cards | {"player": action.target + 1})
        case Build():
            return fill(TEXTS, "build", lang, _built(action.card, COST[NUMBER[action.card]], lang))
        case _:
            return fill(TEXTS, LABELS[type(action)], lang, {})


def _built(card: str, cost: int, lang: Lang) -> dict[str, str]:
    sort = fill(TEXTS, "establishment" if card in KINDS else "landmark", lang, {})
    return {"sort": sort, "card": card_name(card, lang), "cost": coins(cost, lang)}


def sentence(fact: Fact, names: Sequence[str], lang: Lang) -> str:
    match fact:
        case Rolled() | Kept():
            return _roll(fact, names, lang)
        case Built():
            key = "won" if fact.then == "over" else "built"
            return fill(TEXTS, key, lang, {"name": names[fact.seat]} | _built(fact.card, fact.cost, lang))
        case Passed() | Declined():
            key = "passed" if isinstance(fact, Passed) else "declined"
            return fill(TEXTS, key, lang, {"name": names[fact.seat]})
        case Took():
            moved = {fact.target: -fact.coins, fact.seat: fact.coins}
            return _account("tv_station", moved, names, lang)
        case Threw(again=True):
            return fill(TEXTS, "again", lang, {"name": names[fact.seat]})
        case Traded():
            cards = {"give": card_name(fact.give, lang), "take": card_name(fact.take, lang)}
            people = {"name": names[fact.seat], "other": names[fact.target]}
            return fill(TEXTS, "traded", lang, cards | people)
        case Turned():
            return fill(TEXTS, "turned", lang, {"card": card_name(fact.card, lang)})
        case Began():
            return fill(TEXTS, "began", lang, {"name": names[fact.next]})
        case _:
            return ""  # the set-up and the number of dice show in what follows


def _roll(fact: Rolled | Kept, names: Sequence[str], lang: Lang) -> str:
    """The dice and, card by card, who gained or lost what."""
    key = "rolled" if isinstance(fact, Rolled) else "kept"
    parts = [fill(TEXTS, key, lang, {"name": names[fact.seat], "dice": _dice(fact.dice)})]
    if fact.payout is not None:
        moves = _moves(fact.payout, fact.seat, sum(fact.dice))
        parts += [_account(card, moved, names, lang) for card, moved in moves]
    if fact.extra:
        parts.append(fill(TEXTS, "extra", lang, {}))
    if fact.next is not None:
        parts.append(fill(TEXTS, "nothing", lang, {}))
    return " ".join(parts)


def _dice(faces: Sequence[int]) -> str:
    return str(faces[0]) if len(faces) == 1 else f"{' + '.join(map(str, faces))} = {sum(faces)}"


def _moves(payout: Payout, active: int, total: int) -> list[tuple[str, dict[int, int]]]:
    """By card, what each seat gained or lost: in the order of MK-23 to MK-25."""
    red, blue, green = (KINDS[effect.kind] if effect else "" for effect in EFFECTS[total])
    moves = []
    if payout.red:
        moves.append((red, dict(enumerate(payout.red)) | {active: -sum(payout.red)}))
    if payout.blue:
        moves.append((blue, dict(enumerate(payout.blue))))
    if payout.green:
        moves.append((green, {active: payout.green}))
    if payout.stadium:
        taken = {seat: -lost for seat, lost in enumerate(payout.stadium)}
        moves.append(("stadium", taken | {active: sum(payout.stadium)}))
    return moves


def _account(card: str, moved: Mapping[int, int], names: Sequence[str], lang: Lang) -> str:
    """A card, and who gained or lost how much by it."""
    changes = ", ".join(f"{names[seat]} {_signed(n)}" for seat, n in moved.items() if n) or "0"
    return _sentence(f"{card_name(card, lang)}: {changes}.")


def _sentence(text: str) -> str:
    """Czech card names are lower-case, sentences are not."""
    return text[:1].upper() + text[1:]


def _signed(n: int) -> str:
    return f"+{n}" if n > 0 else f"−{-n}"


def refusal(code: str, params: Mapping[str, Any], lang: Lang) -> str:
    shown = {k: card_name(v, lang) if k == "card" else v for k, v in params.items()}
    return _sentence(why_not(REFUSALS, code, lang, shown))


def line(what: str, lang: Lang) -> str:
    """A landmark that was built."""
    return _sentence(card_name(what, lang))


def standing(view: Any) -> list[int]:
    """Landmarks: who has all of them wins."""
    return [len(player.landmarks) for player in view.players]


WORDS = Words(DATA["name"], label, sentence, refusal, line, OPTIONS, standing)
