"""The components as tables, read from data.json; rule cases bring entries of their own.

`table("")` is the game as shipped. Any other text is JSON with entries that replace or extend those of
data.json. Everything worked out for a table is kept with it, so a corrected file needs no change of code.
"""

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from engine.games.world_wonders.grid import Grid, grid
from engine.games.world_wonders.model import Await, Buy, Drawn, Item
from engine.games.world_wonders.pieces import Pattern, Piece, piece
from engine.kit import content

DATA: dict[str, Any] = content.load(__file__)


class Stack(NamedTuple):
    id: str
    board: str
    shape: str
    price: int
    tiles: tuple[str, ...]
    buy: Buy


class Tile(NamedTuple):
    kind: str
    number: int  # of the kind
    resources: tuple[int, ...]


class Need(NamedTuple):
    """What a monument must touch, and how many different ones (WW-72)."""

    name: str
    many: int
    kind: int  # number of the kind of building, -1 for anything else


class Card(NamedTuple):
    """A monument as printed (WW-70)."""

    id: str
    rigid: bool
    parts: tuple[Pattern, ...]
    words: tuple[str, ...]  # what `place` calls each part
    left: tuple[int, ...]  # cells still to come after each part
    needs: tuple[Need, ...]  # buildings first: without one there is nothing to look for
    checks: tuple[
        Need, ...
    ]  # those a position beside all it needs may still miss: it covers them, or needs two
    vp: int
    resources: tuple[int, ...]
    population: int
    buy: Buy


class Goal(NamedTuple):
    kind: int
    arg: str | None
    first: int
    second: int


class SoloItem(NamedTuple):
    """A thing that the automaton discards; a building may be named by stack or kind, or be any (WW-164)."""

    item: Item
    stack: str | None
    kind: str | None


class SoloCard(NamedTuple):
    reshuffle: bool
    sections: tuple[tuple[SoloItem, ...], ...]
    leftmost: bool


class Tracks(NamedTuple):
    """A side of the resource board (WW-90 to WW-93)."""

    top: int
    symbols: tuple[tuple[int, ...], ...]  # for each resource: how many symbols lie up to a space (WW-92)
    rings: tuple[int, ...]  # victory points with the marker on this space: all rings up to it (WW-121)
    final: int


class Setup(NamedTuple):
    long_roads: int
    short_roads: int
    towers: int
    monuments: int
    pedestals: int
    stacks: tuple[int, ...]  # numbers of those in play
    names: tuple[str, ...]  # and their ids
    turn_up: tuple[Await, ...]  # one tile of each stack in play, in id order


class Wonder(NamedTuple):
    """A monument's parts on one map, and the cells that any of them may cover."""

    parts: tuple[Piece, ...]
    area: int


class Offer(NamedTuple):
    """A stack in play, as a city on this map looks at it."""

    price: int
    piece: Piece
    buy: Buy


class Board:
    """A map with every piece that can lie on it."""

    def __init__(self, table: "Table", rows: tuple[str, ...]) -> None:
        self.rows = rows
        self.on: Grid = grid(rows)
        self.lane = self.on.stride * (self.on.height + table.longest)  # see placement.py
        self.long_road = piece("long_road", table.long_road, self.on)
        self.shorts = {word: piece(word, pattern, self.on) for word, pattern in table.shorts.items()}
        self.tower = piece("tower", table.tower, self.on)
        self._table = table
        self._shapes: dict[str, Piece] = {}
        self._wonders: dict[str, Wonder] = {}
        self._offers: dict[int, tuple[Offer, ...]] = {}

    def offers(self, seats: int) -> tuple[Offer, ...]:
        found = self._offers.get(seats)
        if found is None:
            stacks = [self._table.stacks[number] for number in self._table.setups[seats].stacks]
            found = tuple(Offer(stack.price, self.building(stack.shape), stack.buy) for stack in stacks)
            self._offers[seats] = found
        return found

    def building(self, shape: str) -> Piece:
        found = self._shapes.get(shape)
        if found is None:
            found = self._shapes[shape] = piece("building", self._table.shapes[shape], self.on)
        return found

    def wonder(self, card: str) -> Wonder:
        found = self._wonders.get(card)
        if found is None:
            printed = self._table.cards[card]
            parts = [
                piece(word, part, self.on) for word, part in zip(printed.words, printed.parts, strict=True)
            ]
            area = 0
            for part in parts:
                area |= part.area
            found = self._wonders[card] = Wonder(tuple(parts), area)
        return found


class Table:
    """Every figure of one data file."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data
        constants = data["constants"]
        self.rounds: int = constants["rounds"]
        self.coins: int = constants["coins_per_round"]
        self.loan_coins: int = constants["loan_coins"]
        self.repayment: int = constants["loan_repayment"]
        self.penalty: int = constants["loan_penalty_vp"]
        self.prices: Mapping[str, int] = constants["prices"]
        self.resources: tuple[str, ...] = tuple(raw["id"] for raw in data["resources"])
        self.kinds = {letter: number for number, letter in enumerate(data["kinds"])}
        self.tracks = {side: _tracks(raw, self.resources) for side, raw in data["resource_boards"].items()}
        self.shapes = {key: _solid(raw["pattern"]) for key, raw in data["shapes"].items()}
        self.tower = _solid(data["tower"]["pattern"])
        self.long_road = _bridge(data["roads"]["long"]["pattern"])
        short = data["roads"]["short_set"]["pieces"]
        self.shorts = {raw["piece"]: _solid(raw["pattern"]) for raw in short}
        self.short_set = tuple(raw["piece"] for raw in short for _ in range(raw["count"]))
        self.stacks = tuple(_stack(raw) for raw in data["stacks"])
        self.stack_at = {stack.id: number for number, stack in enumerate(self.stacks)}
        self.tiles = {
            raw["id"]: Tile(raw["kind"], self.kinds[raw["kind"]], _amounts(raw["resources"], self.resources))
            for stack in data["stacks"]
            for raw in stack["tiles"]
        }
        self.kind_of = {key: tile.number for key, tile in self.tiles.items()}
        self.cheapest = min(stack.price for stack in self.stacks)
        self.cards = {raw["id"]: _card(raw, self.resources, self.kinds) for raw in data["monuments"]}
        self.goals = {raw["id"]: _goal(raw) for raw in data["goals"]}
        self.solo_cards = {raw["id"]: _solo_card(raw) for raw in data["solo_cards"]}
        self.pedestals = tuple(Buy("pedestal", slot=raw["slot"]) for raw in data["pedestals"])
        self.longest = self._longest()
        self.sides: dict[str, tuple[str, ...]] = {
            side: tuple(raw["maps"]) for side, raw in data["map_sides"].items()
        }
        self._boards: dict[str, Board] = {}
        self.draws = {key: Drawn(key) for keys in self._drawable() for key in keys}
        self.setups = {int(seats): self._setup(raw) for seats, raw in data["setup"].items()}

    def board(self, key: str) -> Board:
        found = self._boards.get(key)
        if found is None:
            found = self._boards[key] = Board(self, tuple(self.data["maps"][key]["rows"]))
        return found

    def _longest(self) -> int:
        """The longest side of any piece: how far a shift may reach."""
        patterns = [self.tower, self.long_road, *self.shorts.values(), *self.shapes.values()]
        patterns += [part for card in self.cards.values() for part in card.parts]
        return max(len(side) for pattern in patterns for side in (pattern, pattern[0]))

    def _drawable(self) -> tuple[Mapping[str, Any], ...]:
        return self.tiles, self.cards, self.goals, self.solo_cards, self.data["maps"]

    def _setup(self, raw: Mapping[str, Any]) -> Setup:
        """WW-20, WW-23, WW-26."""
        stacks = tuple(n for n, stack in enumerate(self.stacks) if stack.board in raw["boards"])
        return Setup(
            raw["long_roads"],
            raw["short_roads"],
            raw["towers"],
            raw["monuments"],
            len(self.pedestals) if raw["pedestals"] else 0,
            stacks,
            tuple(self.stacks[number].id for number in stacks),
            tuple(Await("tile", at) for at in range(len(stacks))),
        )


def _solid(pattern: list[str]) -> Pattern:
    """WW-64, WW-66, WW-67: every cell on land."""
    return tuple(row.replace("#", "L") for row in pattern)


def _bridge(pattern: list[str]) -> Pattern:
    """WW-62: the two ends on land, water allowed between them."""
    text = "\n".join(pattern)
    first, last = text.index("#"), text.rindex("#")
    middle = text[first + 1 : last].replace("#", "A")
    return tuple((text[:first] + "L" + middle + "L" + text[last + 1 :]).split("\n"))


def _amounts(raw: Mapping[str, int], names: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(raw.get(name, 0) for name in names)


def _tracks(raw: Mapping[str, Any], names: tuple[str, ...]) -> Tracks:
    rings, top = raw["population_rings"], raw["track_max"]
    symbols = (raw["population_symbols"].get(name, ()) for name in names)
    return Tracks(
        top,
        tuple(tuple(sum(at <= space for at in own) for space in range(top + 1)) for own in symbols),
        tuple(sum(rings[: space + 1]) for space in range(len(rings))),
        raw.get("population_final", len(rings) - 1),
    )


def _stack(raw: Mapping[str, Any]) -> Stack:
    tiles = tuple(tile["id"] for tile in raw["tiles"])
    return Stack(raw["id"], raw["board"], raw["shape"], raw["price"], tiles, Buy("building", stack=raw["id"]))


def _needs(listed: list[str], kinds: Mapping[str, int]) -> tuple[Need, ...]:
    needs = [Need(name, count, kinds.get(name, -1)) for name, count in Counter(listed).items()]
    return tuple(sorted(needs, key=lambda need: need.kind < 0))


def _card(raw: Mapping[str, Any], names: tuple[str, ...], kinds: Mapping[str, int]) -> Card:
    rigid = raw["mode"] == "rigid"
    parts = tuple(tuple(part) for part in ([raw["pattern"]] if rigid else raw["parts"]))
    reward = raw["reward"]
    needs = _needs(raw["adjacent"], kinds)
    sizes = [sum(sign not in ".G" for row in part for sign in row) for part in parts]
    return Card(
        id=raw["id"],
        rigid=rigid,
        parts=parts,
        words=("monument",) if rigid else tuple(f"part{n}" for n in range(1, len(parts) + 1)),
        left=tuple(sum(sizes[number + 1 :]) for number in range(len(sizes))),
        needs=needs,
        checks=tuple(need for need in needs if need.many > 1 or need.name in ("natural", "water")),
        vp=reward["vp"],
        resources=_amounts(reward["resources"], names),
        population=reward["population"],
        buy=Buy("monument", card=raw["id"]),
    )


def _goal(raw: Mapping[str, Any]) -> Goal:
    return Goal(raw["kind"], raw["arg"], raw["vp"]["first"], raw["vp"]["second"])


def _solo_card(raw: Mapping[str, Any]) -> SoloCard:
    if raw.get("reshuffle"):
        return SoloCard(True, (), False)
    sections = (raw.get("top", ()), raw.get("middle", ()))
    return SoloCard(
        False, tuple(tuple(map(_solo_item, items)) for items in sections), raw["monument"] == "left"
    )


def _solo_item(raw: Mapping[str, Any]) -> SoloItem:
    return SoloItem(raw["item"], raw.get("stack"), raw.get("kind"))


def merged(data: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Data with some entries replaced or added: by key, or in lists by id."""
    result = dict(data)
    for part, entries in changes.items():
        old = data[part]
        result[part] = {**old, **entries} if isinstance(old, dict) else _merged_list(old, entries)
    return result


def _merged_list(old: list[dict[str, Any]], entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    new = {raw["id"]: raw for raw in entries}
    return [new.pop(raw["id"], raw) for raw in old] + list(new.values())


@lru_cache(maxsize=256)
def table(changes: str) -> Table:
    """The table for a state: the shipped one, or one with the entries that the state carries."""
    return Table(merged(DATA, msgspec.json.decode(changes)) if changes else DATA)
