"""What a position is worth to a seat, for bots: how many rounds each city still needs for its landmarks."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from engine.games.machi_koro.content import ALL_LANDMARKS, COST, DATA, FACES, KINDS, LANDMARKS, NUMBER
from engine.games.machi_koro.masks import things
from engine.games.machi_koro.model import (
    Action,
    Build,
    Keep,
    Pass,
    PlayerView,
    Reroll,
    Roll,
    State,
    Trade,
    TvStation,
    View,
)

SEARCH = {"turns": 4, "sample": 20, "depth": 3}  # far ahead, everybody building by `prior`
WON = 1000.0
RIVAL = 0.5  # how much the fastest opponent's delay counts beside one's own speed
STEP = 0.7  # rounds that every missing landmark costs besides its coins: only one build a turn
TWO_DICE = 0.5  # how often opponents are taken to roll two dice
PARK = 7 / 6  # what the amusement park multiplies an income from two dice by
TOWER = 1.3  # and the radio tower any
MAJORS = {"stadium": 4.0, "tv_station": 4.0, "business_center": 2.0}  # what a 6 is worth on average
LEAST = 0.1  # nobody earns nothing for ever

ONE = {face: 1 / len(FACES) for face in FACES}
TWO = {
    total: sum(a + b == total for a in FACES for b in FACES) / len(FACES) ** 2
    for total in range(2, 2 * len(FACES) + 1)
}
COSTS = {landmark: COST[NUMBER[landmark]] for landmark in LANDMARKS}
ALL_COSTS = sum(COSTS.values())
SYMBOLS: dict[str, list[str]] = {symbol["id"]: symbol["cards"] for symbol in DATA["symbols"]}

Cards = tuple[tuple[str, int], ...]
Rate = tuple[float, float, float]  # what a copy brings: own roll of one die, of two, an opponent's roll


def _worth(raw: dict[str, Any], mall: bool) -> float:
    """Coins of one copy when it works."""
    return float(MAJORS.get(raw["id"], raw["effect"].get("coins")) + (mall and raw["mall_bonus"]))


def _rate(raw: dict[str, Any], mall: bool) -> Rate:
    coins = _worth(raw, mall)
    one = coins * sum(ONE.get(total, 0.0) for total in raw["activation"])
    two = coins * sum(TWO.get(total, 0.0) for total in raw["activation"])
    other = (1 - TWO_DICE) * one + TWO_DICE * two
    if raw["color"] == "red":
        return 0.0, 0.0, other
    return one, two, other if raw["color"] == "blue" else 0.0


COINS = [{raw["id"]: _worth(raw, mall) for raw in DATA["establishments"]} for mall in (False, True)]
OWN = {  # the totals of an own roll on which a kind pays
    raw["id"]: frozenset(raw["activation"] if raw["color"] != "red" else ()) for raw in DATA["establishments"]
}
RATES = [{raw["id"]: _rate(raw, mall) for raw in DATA["establishments"]} for mall in (False, True)]
FACTORIES: Mapping[str, list[str]] = {  # kinds that pay for each of these kinds (MK-57)
    raw["id"]: SYMBOLS[raw["effect"]["symbol"]] for raw in DATA["establishments"] if "symbol" in raw["effect"]
}


def value(view: View, seat: int) -> float:
    """Rounds ahead of the fastest opponent."""
    if view.winner is not None:
        return WON if view.winner == seat else -WON
    opponents = len(view.players) - 1
    needs = [_rounds(player, opponents) for player in view.players]
    mine = needs.pop(seat)
    return RIVAL * min(needs) - mine


def judge(state: State, seat: int) -> float:
    """The same from a state, without its view: everybody sees everything."""
    if state.phase == "over":
        return WON if state.active == seat else -WON
    opponents = len(state.coins) - 1
    cities = zip(state.coins, zip(*state.owned, strict=True), state.closed, strict=True)
    needs = [_needs_of(coins, _city(counts, mask), opponents) for coins, counts, mask in cities]
    mine = needs.pop(seat)
    return RIVAL * min(needs) - mine


def prior(view: View, seat: int, action: Action) -> float:
    """What to try first, without playing it: for a build the city's own speed afterwards."""
    player, opponents = view.players[seat], len(view.players) - 1
    cards, landmarks = tuple(player.cards.items()), player.landmarks
    match action:
        case Build(card=card):
            return -_rounds_with(card, player.coins, cards, landmarks, opponents)
        case Pass():
            return -_needs(player.coins, cards, landmarks, opponents)
        case Roll(dice=dice):
            return _roll(cards, landmarks)[dice - 1]
        case Keep():
            return _pays(sum(view.dice), cards, landmarks)
        case Reroll():
            return _roll(cards, landmarks)[len(view.dice) - 1]
        case TvStation(target=target):
            return float(view.players[target].coins)
        case Trade():
            return -1.0
    return 0.0


@lru_cache(maxsize=16384)
def _rounds_with(thing: str, coins: int, cards: Cards, landmarks: tuple[str, ...], opponents: int) -> float:
    """Rounds that a city needs once this is built."""
    if thing in COSTS:
        return _needs(coins - COSTS[thing], cards, (*landmarks, thing), opponents)
    city = dict(cards)
    city[thing] = city.get(thing, 0) + 1
    return _needs(coins - COST[NUMBER[thing]], tuple(city.items()), landmarks, opponents)


@lru_cache(maxsize=4096)
def _roll(cards: Cards, landmarks: tuple[str, ...]) -> tuple[float, float]:
    """Coins that an own roll of one die and of two brings on average."""
    means = [
        sum([share * _pays(total, cards, landmarks) for total, share in odds.items()]) for odds in (ONE, TWO)
    ]
    return means[0], means[1]


def _pays(total: int, cards: Cards, landmarks: tuple[str, ...]) -> float:
    """Coins that this total brings in an own turn."""
    mall = "shopping_mall" in landmarks
    city = dict(cards)
    return sum([copies * _coins(card, mall, city) for card, copies in cards if total in OWN[card]])


def _coins(card: str, mall: bool, city: Mapping[str, int]) -> float:
    coins = COINS[mall][card]
    return coins * sum([city.get(kind, 0) for kind in FACTORIES[card]]) if card in FACTORIES else coins


def _rounds(player: PlayerView, opponents: int) -> float:
    return _needs(player.coins, tuple(player.cards.items()), player.landmarks, opponents)


City = tuple[Cards, tuple[str, ...]]


@lru_cache(maxsize=16384)
def _city(counts: tuple[int, ...], mask: int) -> City:
    """A city as its view names it."""
    cards = tuple((kind, copies) for kind, copies in zip(KINDS, counts, strict=True) if copies)
    return cards, tuple(things(mask & ALL_LANDMARKS))


def _needs_of(coins: int, city: City, opponents: int) -> float:
    return _needs(coins, *city, opponents)


def _needs(coins: int, cards: Cards, landmarks: tuple[str, ...], opponents: int) -> float:
    """How many rounds a city needs to pay for what it lacks, at its present income."""
    missing = ALL_COSTS - sum([COSTS[landmark] for landmark in landmarks]) - coins
    waiting = max(0.0, missing / income(cards, landmarks, opponents))
    return waiting + STEP * (len(LANDMARKS) - len(landmarks))


@lru_cache(maxsize=4096)
def income(cards: Cards, landmarks: tuple[str, ...], opponents: int) -> float:
    """Coins that a round brings on average. Remembered: most actions leave most cities as they are."""
    city, rates = dict(cards), RATES["shopping_mall" in landmarks]
    own_one = own_two = others = 0.0
    for card, copies in cards:
        one, two, other = rates[card]
        if card in FACTORIES:
            copies *= sum(city.get(kind, 0) for kind in FACTORIES[card])
        own_one += copies * one
        own_two += copies * two
        others += copies * other
    return _own(own_one, own_two, landmarks) + opponents * others + LEAST


def _own(one: float, two: float, landmarks: tuple[str, ...]) -> float:
    """An own turn, with what the landmarks make of it."""
    own = one
    if "train_station" in landmarks:
        own = max(one, two * (PARK if "amusement_park" in landmarks else 1))
    return own * (TOWER if "radio_tower" in landmarks else 1)
