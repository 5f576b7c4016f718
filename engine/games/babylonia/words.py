"""Babylonia in English and Czech: what actions, facts and refusals are called."""

from collections.abc import Mapping, Sequence
from typing import Any

from engine.game import Lang, Words
from engine.games.babylonia.content import BITS, CELLS, DATA, LABELS, RIVER, Hex
from engine.games.babylonia.facts import (
    CardsOffered,
    CardTaken,
    CityResolved,
    Drew,
    Ended,
    ExtraTurnDecided,
    ExtraTurnOffered,
    Fact,
    FirstSeat,
    Placed,
    PlacingEnded,
    SetUp,
    TileLaid,
    TurnBegan,
    ZigguratResolved,
)
from engine.games.babylonia.model import (
    Action,
    Done,
    ExtraTurn,
    Place,
    Resolve,
    TakeCard,
    View,
)
from engine.games.babylonia.texts import LINES, OPTIONS, REFUSALS, TEXTS
from engine.kit.text import fill, plural

_TOKENS = {token["kind"]: token["name"] for token in DATA["tokens"]}
_TILES = {tile["kind"]: tile["name"] for tile in DATA["location_tiles"]}
_CARDS = {card["number"]: card["name"] for card in DATA["ziggurat_cards"]}


def _text(key: str, lang: Lang, **gaps: Any) -> str:
    return fill(TEXTS, key, lang, gaps)


def _name(names: Mapping[Any, Mapping[Lang, str]], key: Any, lang: Lang) -> str:
    return names[key].get(lang) or names[key]["en"]


def _at(at: Hex) -> str:
    return LABELS[CELLS[at]]


def _list(hexes: Sequence[Hex]) -> str:
    return ", ".join(map(_at, hexes))


def points(count: int, lang: Lang) -> str:
    if lang == "cs":
        return f"{count} {plural(count, 'bod', 'body', 'bodů')}"
    return f"{count} point" if count == 1 else f"{count} points"


def _tokens(count: int, lang: Lang) -> str:
    if lang == "cs":
        return f"{count} {plural(count, 'žeton', 'žetony', 'žetonů')}"
    return f"{count} token" if count == 1 else f"{count} tokens"


# --- actions ----------------------------------------------------------------------------------------------


def label(action: Action, view: View, lang: Lang) -> str:
    match action:
        case Place():
            return _place_label(action, view, lang)
        case Done():
            return _text("done", lang)
        case Resolve():
            return _resolve_label(action, view, lang)
        case TakeCard():
            return _text("take_card", lang, number=action.card, card=_name(_CARDS, action.card, lang))
        case ExtraTurn():
            return _text("extra_use" if action.use else "extra_keep", lang)


def _place_label(action: Place, view: View, lang: Lang) -> str:
    gaps = {"token": _name(_TOKENS, action.token, lang), "at": _at(action.hex)}
    if BITS[CELLS[action.hex]] & RIVER:
        return _text("place_down", lang, **gaps)
    tile = _tile_on(view, action.hex)
    if tile is None:
        return _text("place", lang, **gaps)
    return _text("place_field", lang, **gaps, tile=_name(_TILES, tile, lang))


def _resolve_label(action: Resolve, view: View, lang: Lang) -> str:
    tile = _tile_on(view, action.hex)
    if tile is None:
        return _text("resolve_ziggurat", lang, at=_at(action.hex))
    return _text("resolve_city", lang, at=_at(action.hex), tile=_name(_TILES, tile, lang))


def _tile_on(view: View, at: Hex) -> str | None:
    return next((tile.tile for tile in view.tiles if tile.hex == at), None)


# --- facts ------------------------------------------------------------------------------------------------


def sentence(fact: Fact, names: Sequence[str], lang: Lang) -> str:
    match fact:
        case SetUp():
            return ""
        case FirstSeat():
            return _text("first_seat", lang, name=names[fact.seat])
        case TileLaid():
            return _text("tile_laid", lang, at=_at(fact.hex), tile=_name(_TILES, fact.tile, lang))
        case CardsOffered():
            cards = ", ".join(_name(_CARDS, card, lang) for card in fact.cards)
            return _text("cards_offered", lang, cards=cards)
        case Drew():
            return _drew(fact, names[fact.seat], lang)
        case TurnBegan():
            return _text("turn_began", lang, turn=fact.turn_number + 1, name=names[fact.seat])
        case Placed():
            return _placed(fact, names[fact.seat], lang)
        case PlacingEnded():
            return _text("surrounded", lang, at=_list(fact.pending)) if fact.pending else ""
        case _:
            return _later(fact, names, lang)


def _later(fact: Fact, names: Sequence[str], lang: Lang) -> str:
    match fact:
        case CityResolved():
            return _city(fact, names, lang)
        case ZigguratResolved():
            gaps = {"at": _at(fact.hex), "tokens": _contest(fact.tokens)}
            if fact.winner is None:
                return _text("ziggurat_tied", lang, **gaps)
            return _text("ziggurat_won", lang, **gaps, name=names[fact.winner])
        case CardTaken():
            return _card_taken(fact, names[fact.seat], lang)
        case ExtraTurnOffered():
            return _text("extra_turn_offered", lang, name=names[fact.seat])
        case ExtraTurnDecided():
            return _text("extra_turn_used" if fact.use else "extra_turn_kept", lang, name=names[fact.seat])
        case Ended():
            return _text(f"ended_{fact.reason}", lang, name=names[fact.seat])
    raise TypeError(fact)


def _drew(fact: Drew, name: str, lang: Lang) -> str:
    if fact.tokens is None:
        return _text("drew_hidden", lang, name=name, count=_tokens(fact.count, lang))
    tokens = ", ".join(_name(_TOKENS, token, lang) for token in fact.tokens)
    return _text("drew", lang, name=name, tokens=tokens)


def _placed(fact: Placed, name: str, lang: Lang) -> str:
    text = _token_placed(fact, name, lang)
    if fact.field is not None:
        tile = _name(_TILES, fact.field, lang)
        text += _text("field", lang, tile=tile, points=points(fact.field_points, lang))
    if count := len(fact.ziggurats):
        gaps = {"count": count, "at": _list(fact.ziggurats), "points": points(count, lang)}
        text += _text("touched", lang, **gaps)
    return text


def _token_placed(fact: Placed, name: str, lang: Lang) -> str:
    at = _at(fact.hex)
    if fact.token is None:
        return _text("placed_hidden", lang, name=name, at=at)
    token = _name(_TOKENS, fact.token, lang)
    return _text("placed_down" if fact.face_down else "placed", lang, name=name, at=at, token=token)


def _city(fact: CityResolved, names: Sequence[str], lang: Lang) -> str:
    text = _text("city", lang, tile=_name(_TILES, fact.tile, lang), at=_at(fact.hex))
    if any(fact.noble_points):
        text += _text("nobles", lang, points=_by_seat(fact.noble_points, names, fact.nobles))
    tokens = _contest(fact.tokens)
    if fact.winner is None:
        return text + _text("tied", lang, tokens=tokens)
    earned = _by_seat(fact.tile_points, names)
    return text + _text("took", lang, name=names[fact.winner], tokens=tokens, points=earned)


def _by_seat(earned: Sequence[int], names: Sequence[str], where: Sequence[Sequence[Hex]] = ()) -> str:
    """Who got how much, and for the nobles on which hexes: `Adam 4 (H9, G10), Nora 2 (I9)`."""
    parts = []
    for seat, count in enumerate(earned):
        if count:
            parts.append(f"{names[seat]} {count}" + (f" ({_list(where[seat])})" if where else ""))
    return ", ".join(parts)


def _contest(counts: Sequence[int]) -> str:
    return " : ".join(map(str, counts))


def _card_taken(fact: CardTaken, name: str, lang: Lang) -> str:
    gaps = {"name": name, "number": fact.card, "card": _name(_CARDS, fact.card, lang)}
    if fact.points:
        return _text("card_points", lang, **gaps, points=points(fact.points, lang))
    return _text("card_taken", lang, **gaps)


# --- the rest ---------------------------------------------------------------------------------------------


def refusal(code: str, params: Mapping[str, Any], lang: Lang) -> str:
    return fill(REFUSALS, code, lang, params)


def line(what: str, lang: Lang) -> str:
    return fill(LINES, what, lang, {})


def standing(view: Any) -> list[int]:
    """Points so far."""
    return [player.score for player in view.players]


WORDS = Words(DATA["name"], label, sentence, refusal, line, OPTIONS, standing)
