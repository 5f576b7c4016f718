"""World Wonders in English and Czech; names and refusals come from data.json."""

from collections.abc import Mapping, Sequence
from typing import Any

from engine.game import Lang, Words
from engine.games.world_wonders.content import DATA, table
from engine.games.world_wonders.facts import (
    AutomatonAsked,
    AutomatonDiscarded,
    AutomatonPassed,
    AutomatonTook,
    Bought,
    Completed,
    Ended,
    Fact,
    Gained,
    GoalShown,
    LoanRepaid,
    LoanTaken,
    MapDealt,
    MonumentShown,
    OrderDrawn,
    Placed,
    RoundBegan,
    SoloCardShown,
    TileShown,
    WentOut,
)
from engine.games.world_wonders.model import (
    Action,
    AutomaDiscard,
    Buy,
    Leave,
    Place,
    RepayLoan,
    TakeLoan,
)
from engine.games.world_wonders.scoring import totals
from engine.games.world_wonders.texts import LINES, OPTIONS, TEXTS
from engine.games.world_wonders.views import (
    View,
)
from engine.kit.text import LANGS, fill, plural

TILES = {tile["id"]: (tile, stack["shape"]) for stack in DATA["stacks"] for tile in stack["tiles"]}
NAMES: dict[str, Mapping[Lang, str]] = {
    **{raw["id"]: raw["name"] for raw in DATA["monuments"] + DATA["goals"] + DATA["resources"]},
    **{key: raw["name"] for key, raw in DATA["maps"].items()},
}
REFUSALS: Mapping[Lang, Mapping[str, str]] = {
    lang: {code: texts[lang] for code, texts in DATA["errors"].items()} for lang in LANGS
}


def name(key: str, lang: Lang) -> str:
    """A card, goal, map or resource; the key itself where a rule case brings its own."""
    return NAMES[key][lang] if key in NAMES else key


def coins(n: int, lang: Lang) -> str:
    if lang == "cs":
        return f"{n} {plural(n, 'mince', 'mince', 'mincí')}"
    return f"{n} {'coin' if n == 1 else 'coins'}"


def points(n: int, lang: Lang) -> str:
    return f"{n} {'VB' if lang == 'cs' else 'VP'}"


def cell(x: int, y: int) -> str:
    """Columns are letters from the left, rows numbers from the top.

    >>> cell(0, 0), cell(11, 10), cell(26, 0)
    ('A1', 'L11', '27/1')
    """
    return f"{chr(ord('A') + x)}{y + 1}" if 0 <= x < 26 else f"{x + 1}/{y + 1}"


def building(tile: str, lang: Lang, exact: bool = True) -> str:
    """A tile by its kind and icons; in a list of actions also by its shape, so that no two look the same."""
    if tile not in TILES:
        return fill(TEXTS, "building", lang, {})
    raw, shape = TILES[tile]
    kind = DATA["kinds"][raw["kind"]]["name"][lang].lower()
    return f"{kind}{f' {shape}' if exact else ''} ({_amounts(raw['resources'], lang)})"


def _amounts(amounts: Mapping[str, int], lang: Lang) -> str:
    shown = {"population": fill(TEXTS, "population", lang, {})}
    return ", ".join(f"{shown.get(key) or _short(key, lang)} +{n}" for key, n in amounts.items() if n)


def _short(resource: str, lang: Lang) -> str:
    return name(resource, lang).split(" (")[0].lower()


def thing(item: str, tile: str, slot: int, card: str, lang: Lang, exact: bool = True) -> str:
    """What somebody buys or discards."""
    if item == "building":
        return building(tile, lang, exact)
    if item == "monument":
        return name(card, lang)
    return fill(TEXTS, item, lang, {"slot": slot})


def piece(word: str, lang: Lang) -> str:
    if word.startswith("part"):
        return fill(TEXTS, "part", lang, {"number": word.removeprefix("part")})
    return fill(TEXTS, word, lang, {})


# --- labels ----------------------------------------------------------------------------------------------


def label(action: Action, view: View, lang: Lang) -> str:
    content = table(view.data)
    match action:
        case Buy():
            return _buy(action, view, lang)
        case Place():
            text = piece(action.piece, lang)
            where = {"piece": text[0].upper() + text[1:], "cell": cell(action.x, action.y)}
            key = "place_turned" if action.rot else "place"
            return fill(TEXTS, key, lang, where | {"degrees": 90 * action.rot})
        case TakeLoan():
            return fill(TEXTS, "take_loan", lang, {"coins": coins(content.loan_coins, lang)})
        case RepayLoan():
            return fill(TEXTS, "repay_loan", lang, {"coins": coins(content.repayment, lang)})
        case Leave():
            return fill(TEXTS, "leave", lang, {})
        case AutomaDiscard():
            offers = {offer.stack: offer.tile for offer in view.buildings}
            return fill(TEXTS, "automa_discard", lang, {"thing": building(str(offers[action.stack]), lang)})


def _buy(action: Buy, view: View, lang: Lang) -> str:
    offers = {offer.stack: offer for offer in view.buildings}
    tile, slot, card = "", 0, ""
    if action.item == "building":
        offer = offers[str(action.stack)]
        price, tile = offer.price, str(offer.tile)
    elif action.item == "monument":
        price, card = view.cities[view.active].coins, str(action.card)
    else:
        price = table(view.data).prices[action.item]
        slot = action.slot if isinstance(action.slot, int) else 0
    what = thing(action.item, tile, slot, card, lang)
    return fill(TEXTS, "buy", lang, {"thing": what, "coins": coins(price, lang)})


# --- sentences -------------------------------------------------------------------------------------------


def sentence(fact: Fact, names: Sequence[str], lang: Lang) -> str:
    """One line of the log; turns that merely begin are not worth one."""
    told = _told(fact, names, lang)
    return fill(TEXTS, told[0], lang, told[1]) if told else ""


def _told(fact: Fact, names: Sequence[str], lang: Lang) -> tuple[str, dict[str, Any]] | None:
    """The text and what fills its gaps."""
    match fact:
        case Bought() | Placed() | Gained() | Completed() | LoanTaken() | LoanRepaid() | WentOut():
            return _told_of_seat(fact, names[fact.seat], lang)
        case OrderDrawn() | RoundBegan():
            order = ", ".join(names[seat] for seat in fact.order)
            if isinstance(fact, OrderDrawn):
                return "order_drawn", {"names": order}
            return "round_began", {"round": fact.round, "names": order}
        case MapDealt():
            return "map_dealt", {"name": names[fact.seat], "map": name(fact.map, lang)}
        case TileShown():
            return "tile_shown", {"thing": building(fact.tile, lang, exact=False)}
        case MonumentShown():
            return "monument_shown", {"card": name(fact.card, lang)}
        case GoalShown():
            return "goal_shown", {"goal": name(fact.goal, lang)}
        case SoloCardShown():
            return "reshuffled" if fact.reshuffle else "solo_card_shown", {"card": fact.card}
        case AutomatonAsked():
            return "automaton_asked", {"card": fact.card}
        case AutomatonDiscarded():
            return "automaton_discarded", {"thing": thing(fact.item, fact.tile, 0, "", lang, exact=False)}
        case AutomatonTook():
            return "automaton_took", {"card": name(fact.card, lang), "points": points(fact.vp, lang)}
        case AutomatonPassed():
            return "automaton_passed", {}
        case Ended():
            return f"ended_{fact.why}", {"scores": _scores(fact, names, lang)}
    return None


def _told_of_seat(fact: Any, who: str, lang: Lang) -> tuple[str, dict[str, Any]] | None:
    seat = {"name": who}
    match fact:
        case Bought():
            what = thing(fact.item, fact.tile, fact.slot, fact.card, lang, exact=False)
            return "bought", seat | {"thing": what, "coins": coins(fact.price, lang)}
        case Placed():
            cells = ", ".join(cell(x, y) for x, y in fact.cells)
            return "placed", seat | {"cell": cells, "piece": piece(fact.piece, lang)}
        case Gained():
            gains = _amounts(_gains(fact), lang)
            return ("gained", seat | {"gains": gains}) if gains else None
        case Completed():
            return "completed", seat | {"card": name(fact.card, lang), "points": points(fact.vp, lang)}
        case LoanTaken():
            return "loan_taken", seat | {"coins": coins(fact.coins, lang)}
        case LoanRepaid():
            return "loan_repaid", seat | {"coins": coins(fact.coins, lang)}
    return f"out_{fact.why}", seat


def _gains(fact: Gained) -> dict[str, int]:
    resources = [raw["id"] for raw in DATA["resources"]]
    return dict(zip(resources, fact.resources, strict=False)) | {"population": fact.population}


def _scores(fact: Ended, names: Sequence[str], lang: Lang) -> str:
    shown = [f"{who}: {points(own, lang)}" for who, own in zip(names, totals(fact.scores), strict=False)]
    if fact.target is not None:
        shown.append(fill(TEXTS, "target", lang, {"target": fact.target}))
    return ", ".join(shown)


def refusal(code: str, params: Mapping[str, Any], lang: Lang) -> str:
    shown = dict(params)
    if "missing" in shown:
        needs = DATA["requirements"]
        shown["missing"] = ", ".join(needs[need][lang] for need in params["missing"])
    return fill(REFUSALS, code, lang, shown)


def line(what: str, lang: Lang) -> str:
    key, _, detail = what.partition(":")
    if key == "goal":
        return name(detail, lang)
    return fill(LINES, key, lang, {"number": detail})


def standing(view: Any) -> list[int]:
    """What the cities would count now."""
    return [sum(line.points for line in city.score) for city in view.cities]


WORDS = Words(DATA["game"]["name"], label, sentence, refusal, line, OPTIONS, standing)
