"""The 15 establishments and 4 landmarks, as tables that a roll can be looked up in.

Everything that can be built has a number: establishments 0..14 in the order of data.json, then the landmarks.
Sets of such things are bit masks (bit = 1 << number).
"""

from typing import Any, NamedTuple

from engine.kit import content

DATA: dict[str, Any] = content.load(__file__)
_ESTABLISHMENTS: list[dict[str, Any]] = DATA["establishments"]
_LANDMARKS: list[dict[str, Any]] = DATA["landmarks"]

KINDS: tuple[str, ...] = tuple(raw["id"] for raw in _ESTABLISHMENTS)
LANDMARKS: tuple[str, ...] = tuple(raw["id"] for raw in _LANDMARKS)  # MK-7
THINGS: tuple[str, ...] = KINDS + LANDMARKS
LANDMARK = len(KINDS)  # the number of the first landmark
NUMBER: dict[str, int] = {thing: number for number, thing in enumerate(THINGS)}
COST: tuple[int, ...] = tuple(raw["cost"] for raw in _ESTABLISHMENTS + _LANDMARKS)
COPIES: tuple[int, ...] = tuple(raw["copies"] for raw in _ESTABLISHMENTS)  # MK-91: at any table

PURPLE: tuple[bool, ...] = tuple(raw["color"] == "purple" for raw in _ESTABLISHMENTS)
TRADABLE: tuple[int, ...] = tuple(kind for kind, purple in enumerate(PURPLE) if not purple)  # MK-43, MK-93

START_CARDS: dict[str, int] = DATA["starting_city"]["cards"]
START_COINS: int = DATA["starting_city"]["coins"]
FACES = range(1, DATA["dice"]["faces"] + 1)  # MK-8
MARKET = 10  # kinds face up in the limited market (MK-70)

STADIUM, TV_STATION, BUSINESS_CENTER = (NUMBER[kind] for kind in ("stadium", "tv_station", "business_center"))
MAJOR = 6  # the total that activates all three (MK-25 to MK-27)
STADIUM_TAKES: int = _ESTABLISHMENTS[STADIUM]["effect"]["coins"]
TV_TAKES: int = _ESTABLISHMENTS[TV_STATION]["effect"]["coins"]

STATION, MALL, PARK, TOWER = (
    1 << NUMBER[key] for key in ("train_station", "shopping_mall", "amusement_park", "radio_tower")
)
ALL_LANDMARKS = STATION | MALL | PARK | TOWER
ALL_KINDS = (1 << len(KINDS)) - 1

RICH = max(COST)  # more coins than this open nothing new
AFFORDABLE: tuple[int, ...] = tuple(
    sum(1 << thing for thing, cost in enumerate(COST) if cost <= coins) for coins in range(RICH + 1)
)


class Effect(NamedTuple):
    """What one copy of a kind pays."""

    kind: int
    coins: int
    mall: int  # more with the shopping mall (MK-58)
    per: tuple[int, ...]  # kinds of the symbol that multiplies it (MK-57); empty: nothing does


def _effect(color: str, total: int) -> Effect | None:
    """No total activates two kinds of one colour, purple apart."""
    for kind, raw in enumerate(_ESTABLISHMENTS):
        if raw["color"] == color and total in raw["activation"]:
            per = raw["effect"].get("symbol")
            symbol = tuple(k for k, other in enumerate(_ESTABLISHMENTS) if other["symbol"] == per)
            return Effect(kind, raw["effect"]["coins"], int(raw["mall_bonus"]), symbol)
    return None


TOTALS = range(2 * len(FACES) + 1)  # by total; 0 is never rolled
EFFECTS: tuple[tuple[Effect | None, Effect | None, Effect | None], ...] = tuple(
    (_effect("red", total), _effect("blue", total), _effect("green", total)) for total in TOTALS
)
