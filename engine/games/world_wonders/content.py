"""The components as tables, read from data.json; rule cases bring entries of their own.

`table("")` is the game as shipped. Any other text is JSON with entries that replace or extend those of
data.json. Everything worked out for a table is kept with it, so a corrected file needs no change of code.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from engine.games.world_wonders import components
from engine.games.world_wonders.components import Setup, Tile
from engine.games.world_wonders.grid import Grid, grid
from engine.games.world_wonders.model import Await, Buy, Drawn
from engine.games.world_wonders.pieces import Piece, piece
from engine.kit import content

DATA: dict[str, Any] = content.load(__file__)


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
        self.tracks = {
            side: components.tracks(raw, self.resources) for side, raw in data["resource_boards"].items()
        }
        self.shapes = {key: components.solid(raw["pattern"]) for key, raw in data["shapes"].items()}
        self.tower = components.solid(data["tower"]["pattern"])
        self.long_road = components.bridge(data["roads"]["long"]["pattern"])
        short = data["roads"]["short_set"]["pieces"]
        self.shorts = {raw["piece"]: components.solid(raw["pattern"]) for raw in short}
        self.short_set = tuple(raw["piece"] for raw in short for _ in range(raw["count"]))
        self.stacks = tuple(components.stack(raw) for raw in data["stacks"])
        self.stack_at = {stack.id: number for number, stack in enumerate(self.stacks)}
        self.tiles = {
            raw["id"]: Tile(
                raw["kind"], self.kinds[raw["kind"]], components.amounts(raw["resources"], self.resources)
            )
            for stack in data["stacks"]
            for raw in stack["tiles"]
        }
        self.kind_of = {key: tile.number for key, tile in self.tiles.items()}
        self.cheapest = min(stack.price for stack in self.stacks)
        self.cards = {
            raw["id"]: components.card(raw, self.resources, self.kinds) for raw in data["monuments"]
        }
        self.goals = {raw["id"]: components.goal(raw) for raw in data["goals"]}
        self.solo_cards = {raw["id"]: components.solo_card(raw) for raw in data["solo_cards"]}
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


def merged(data: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Data with some entries replaced or added by key; in lists changed or added by id."""
    result = dict(data)
    for part, entries in changes.items():
        old = data[part]
        if isinstance(old, dict):
            result[part] = {**old, **{key: _merged_entry(old.get(key), new) for key, new in entries.items()}}
        else:
            result[part] = _merged_list(old, entries)
    return result


def _merged_entry(old: Any, new: Any) -> Any:
    """An entry may name only what changes; the final space of a population track follows from its rings."""
    if not isinstance(old, dict) or not isinstance(new, dict):
        return new
    kept = {
        key: one for key, one in old.items() if key != "population_final" or "population_rings" not in new
    }
    return {**kept, **new}


def _merged_list(old: list[dict[str, Any]], entries: Any) -> list[dict[str, Any]]:
    if isinstance(entries, dict):
        entries = [{"id": key, **raw} for key, raw in entries.items()]
    new = {raw["id"]: raw for raw in entries}
    return [{**raw, **new.pop(raw["id"], {})} for raw in old] + list(new.values())


@lru_cache(maxsize=256)
def table(changes: str) -> Table:
    """The table for a state: the shipped one, or one with the entries that the state carries."""
    return Table(merged(DATA, msgspec.json.decode(changes)) if changes else DATA)
