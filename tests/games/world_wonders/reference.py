"""World Wonders once more, cell by cell and from the rules alone: plain, and sharing no code with the engine.

It reads a view (as JSON values) and data.json, and answers what is legal and what a city is worth.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

Cell = tuple[int, int]
Cells = frozenset[Cell]
Position = tuple[int, int, int, Cells]  # x, y, rot, cells
Raw = dict[str, Any]
LAND = ".*"
NOTHING: Cells = frozenset()


class Town:
    """One city of a view as dictionaries and sets of cells."""

    def __init__(self, seen: Raw) -> None:
        self.seen = seen
        self.rows: list[str] = list(seen["rows"])
        self.width, self.height = len(self.rows[0]), len(self.rows)
        self.things = [
            (o["object"], o.get("kind", ""), frozenset(map(tuple, o["cells"]))) for o in seen["objects"]
        ]
        self.cover = {cell for _, _, cells in self.things for cell in cells}
        self._positions: dict[tuple[str, ...], list[Position]] = {}

    def terrain(self, cell: Cell) -> str:
        return self.rows[cell[1]][cell[0]]

    def on_map(self, cell: Cell) -> bool:
        return 0 <= cell[0] < self.width and 0 <= cell[1] < self.height

    @cache  # noqa: B019 - towns do not live long
    def free(self, signs: str) -> Cells:
        """Uncovered cells of these terrains (WW-13)."""
        cells = ((x, y) for y in range(self.height) for x in range(self.width))
        return frozenset(c for c in cells if self.terrain(c) in signs and c not in self.cover)

    def objects(self, *sorts: str) -> list[Cells]:
        return [cells for sort, kind, cells in self.things if sort in sorts or kind in sorts]

    def at_sidewalk(self, cells: Iterable[Cell]) -> int:
        return sum(y == self.height - 1 for _, y in cells)

    def positions(self, pattern: list[str], taken: Cells = NOTHING) -> list[Position]:
        """WW-15, WW-16, WW-60, WW-71, WW-74: every way to lay the pattern down."""
        key = tuple(pattern)
        if key not in self._positions:
            self._positions[key] = list(self._lay(pattern))
        return [position for position in self._positions[key] if not position[3] & taken]

    def _lay(self, pattern: list[str]) -> Iterator[Position]:
        known = set()
        for rot in range(4):
            for y in range(-4, self.height):
                for x in range(-4, self.width):
                    signs = {
                        (x + c, y + r): sign
                        for r, row in enumerate(pattern)
                        for c, sign in enumerate(row)
                        if sign != "."
                    }
                    cells = frozenset(cell for cell, sign in signs.items() if sign != "G")
                    if cells not in known and all(self._lies(cell, sign) for cell, sign in signs.items()):
                        known.add(cells)
                        yield x, y, rot, cells
            pattern = turn(pattern)

    def _lies(self, cell: Cell, sign: str) -> bool:
        if not self.on_map(cell):
            return False
        if sign == "G":
            return True
        wanted = {"L": LAND, "W": "~", "A": LAND + "~"}[sign]
        return cell not in self.cover and self.terrain(cell) in wanted


def turn(pattern: list[str]) -> list[str]:
    height = len(pattern)
    return ["".join(pattern[height - 1 - c][r] for c in range(height)) for r in range(len(pattern[0]))]


def around(cells: Iterable[Cell]) -> set[Cell]:
    cells = set(cells)
    return {(x + dx, y + dy) for x, y in cells for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))} - cells


def solid(pattern: list[str]) -> list[str]:
    return [row.replace("#", "L") for row in pattern]


# --- chapter 8 -------------------------------------------------------------------------------------------


def joins(town: Town, cells: Cells, more: Cells = NOTHING) -> bool:
    """WW-61; `more` are cells of road pieces of the same set."""
    joined = {cell for thing in town.objects("road", "tower") for cell in thing} | more
    return town.at_sidewalk(cells) > 0 or bool(around(cells) & joined)


def long_roads(data: Raw, town: Town) -> list[Position]:
    """WW-61, WW-62."""
    return [p for p in _bridges(data, town) if joins(town, p[3])]


def first_roads(data: Raw, town: Town) -> list[Position]:
    """WW-30."""
    return [p for p in _bridges(data, town) if town.at_sidewalk(p[3])]


def _bridges(data: Raw, town: Town) -> list[Position]:
    (row,) = data["roads"]["long"]["pattern"]
    return town.positions(["L" + "A" * (len(row) - 2) + "L"])


def short_pieces(
    data: Raw, town: Town, words: list[str], laid: Cells = NOTHING
) -> Iterator[tuple[str, Position]]:
    """WW-65: every piece and position such that the others can follow."""
    patterns = {raw["piece"]: solid(raw["pattern"]) for raw in data["roads"]["short_set"]["pieces"]}
    for word in sorted(set(words)):
        rest = list(words)
        rest.remove(word)
        for place in town.positions(patterns[word], laid):
            if joins(town, place[3], laid) and (
                not rest or any(short_pieces(data, town, rest, laid | place[3]))
            ):
                yield word, place


def towers(data: Raw, town: Town) -> list[Position]:
    """WW-66."""
    return [p for p in town.positions(solid(data["tower"]["pattern"])) if around(p[3]) & town.cover]


def buildings(town: Town, pattern: list[str], kind: str) -> list[Position]:
    """WW-67."""
    beside = {cell for thing in town.objects("road", kind) for cell in thing}
    return [p for p in town.positions(solid(pattern)) if around(p[3]) & beside]


def lacks(town: Town, cells: Cells, needs: list[str]) -> list[str]:
    """WW-72: requirements that a monument on these cells does not meet."""
    return [need for need, count in Counter(needs).items() if _touched(town, cells, need) < count]


def _touched(town: Town, cells: Cells, need: str) -> int:
    halo = around(cells)
    match need:
        case "sidewalk":
            return town.at_sidewalk(cells)
        case "natural" | "water":
            return len(halo & town.free("*" if need == "natural" else "~"))
    return sum(bool(halo & thing) for thing in town.objects(need))


def monument_parts(card: Raw, town: Town, standing: Cells = NOTHING, number: int = 0) -> Iterator[Position]:
    """WW-73, WW-75: positions of this part that still let the monument be finished."""
    parts = [card["pattern"]] if card["mode"] == "rigid" else card["parts"]
    for place in town.positions(parts[number], standing):
        if standing and not around(place[3]) & standing:
            continue
        cells = standing | place[3]
        if number + 1 == len(parts):
            if not lacks(town, cells, card["adjacent"]):
                yield place
        elif any(True for _ in monument_parts(card, town, cells, number + 1)):
            yield place


# --- chapter 7 -------------------------------------------------------------------------------------------


def legal(data: Raw, view: Raw) -> list[Raw]:
    """The legal actions of the seat to act, as JSON values."""
    town = Town(view["cities"][view["active"]])
    match view["phase"]:
        case "first_road":
            return [_place("long_road", p) for p in first_roads(data, town)]
        case "placing":
            return _placing(data, view["purchase"], town)
        case "automaton_choice":
            return [{"type": "automa_discard", "stack": stack} for stack in _choice(data, view)]
        case "turn":
            return _turn(data, view, town)
    return []


def _place(word: str, position: Position) -> Raw:
    x, y, rot, _ = position
    return {"type": "place", "piece": word, "x": x, "y": y, "rot": rot}


def _placing(data: Raw, bought: Raw, town: Town) -> list[Raw]:
    words = bought["pieces"]
    match bought["item"]:
        case "long_road":
            return [_place("long_road", p) for p in long_roads(data, town)]
        case "short_roads":
            return [_place(word, p) for word, p in short_pieces(data, town, words)]
        case "tower":
            return [_place("tower", p) for p in towers(data, town)]
        case "building":
            stack = _by_id(data["stacks"], bought["stack"])
            kind = _by_id(stack["tiles"], bought["tile"])["kind"]
            pattern = data["shapes"][stack["shape"]]["pattern"]
            return [_place("building", p) for p in buildings(town, pattern, kind)]
    standing = frozenset(map(tuple, bought.get("cells", ())))
    number = 0 if words[0] == "monument" else int(words[0].removeprefix("part")) - 1
    card = _by_id(data["monuments"], bought["card"])
    return [_place(words[0], p) for p in monument_parts(card, town, standing, number)]


def _by_id(entries: list[Raw], key: str) -> Raw:
    return next(raw for raw in entries if raw["id"] == key)


def _choice(data: Raw, view: Raw) -> list[str]:
    """WW-164."""
    asked = view["asked"]
    item = _by_id(data["solo_cards"], asked["card"])[("top", "middle")[asked["section"]]][asked["item"]]
    shown = [offer for offer in view["buildings"] if offer["tile"]]
    return [o["stack"] for o in shown if item.get("any") or item.get("kind") == o["kind"]]


def _turn(data: Raw, view: Raw, town: Town) -> list[Raw]:
    """WW-41, WW-55, WW-57, WW-80, WW-82."""
    city = view["cities"][view["active"]]
    coins = city["limit"] - city["spent"]
    bought = [{"type": "buy", **item} for item in _items(data, view, town, coins)]
    other = []
    if not city["loan"] and not city["loan_taken_this_round"]:
        other.append("take_loan")
    if city["loan"] and not view["loan_taken_this_turn"] and coins >= data["constants"]["loan_repayment"]:
        other.append("repay_loan")
    if not bought or view["options"]["voluntary_leave"]:
        other.append("leave")
    return bought + [{"type": word} for word in other]


def _items(data: Raw, view: Raw, town: Town, coins: int) -> Iterator[Raw]:
    """WW-50 to WW-54."""
    prices = data["constants"]["prices"]
    words = [raw["piece"] for raw in data["roads"]["short_set"]["pieces"] for _ in range(raw["count"])]
    if view["long_roads"] and coins >= prices["long_road"] and long_roads(data, town):
        yield {"item": "long_road"}
    if view["short_roads"] and coins >= prices["short_roads"] and any(short_pieces(data, town, words)):
        yield {"item": "short_roads"}
    if view["towers"] and coins >= prices["tower"] and towers(data, town):
        yield {"item": "tower"}
    for offer in view["buildings"]:
        if offer["tile"] and coins >= offer["price"] and buildings(town, offer["shape"], offer["kind"]):
            yield {"item": "building", "stack": offer["stack"]}
    if coins >= prices["pedestal"] and view["active"] not in view["pedestals"]:
        for slot, holder in enumerate(view["pedestals"], 1):
            if holder is None:
                yield {"item": "pedestal", "slot": slot}
    for key in view["monuments"]:
        if key and coins and any(monument_parts(_by_id(data["monuments"], key), town)):
            yield {"item": "monument", "card": key}


# --- chapters 12 and 14 ----------------------------------------------------------------------------------


def components(cells: Iterable[Cell]) -> list[set[Cell]]:
    """Connected groups of cells, by walking."""
    left, found = set(cells), []
    while left:
        group: set[Cell] = set()
        edge = {left.pop()}
        while edge:
            group |= edge
            edge = around(edge) & left
            left -= edge
        found.append(group)
    return found


def districts(town: Town) -> list[tuple[str, Cells]]:
    """WW-125: kind and cells of every enclosed building."""
    green = town.free(".")
    houses = [(kind, cells) for sort, kind, cells in town.things if sort == "building"]
    return [(kind, cells) for kind, cells in houses if not around(cells) & green]


def natural_wealth(town: Town) -> int:
    """WW-124."""
    return sum(bool(around([cell]) & town.cover) for cell in town.free("*"))


def goal_value(goal: Raw, town: Town) -> int:
    """WW-150."""
    houses = [(kind, cells) for sort, kind, cells in town.things if sort == "building"]
    match goal["kind"]:
        case 1:
            inner = [
                group for group in components(town.free(".")) if not any(_on_rim(town, c) for c in group)
            ]
            return max(map(len, inner), default=0)
        case 2:
            return max(map(len, components(c for road in town.objects("road") for c in road)), default=0)
        case 3:
            return len(town.seen["monuments"])
        case 4 | 5:
            wanted = town.free("*" if goal["kind"] == 4 else "~")
            return sum(bool(around(cells) & wanted) for _, cells in houses)
        case 6:
            return sum(kind == goal["arg"] for kind, _ in houses)
        case 7:
            return int(town.seen["resources"][goal["arg"]])
        case 8:
            return _largest_row([cells for kind, cells in houses if kind == goal["arg"]])
        case 9:
            return sum(any(x in (0, town.width - 1) or y == 0 for x, y in cells) for _, cells in houses)
    assert goal["kind"] == 10
    return len({kind for kind, _ in districts(town)})


def _on_rim(town: Town, cell: Cell) -> bool:
    return cell[0] in (0, town.width - 1) or cell[1] in (0, town.height - 1)


def _largest_row(houses: list[Cells]) -> int:
    """Houses that hang together by their sides, joined one after another."""
    groups: list[list[Cells]] = []
    for house in houses:
        mine = [group for group in groups if any(around(house) & other for other in group)]
        groups = [group for group in groups if group not in mine]
        groups.append([house, *(other for group in mine for other in group)])
    return max(map(len, groups), default=0)


def prizes(first: int, second: int, values: list[int], up: bool) -> list[int]:
    """WW-140 to WW-143, seat by seat."""
    won = []
    for own in values:
        better, equal = sum(other > own for other in values), values.count(own)
        leaders = values.count(max(values))
        if own == 0 or better > 1 or (better == 1 and leaders > 1):
            won.append(0)
        elif better == 1:
            won.append(second if equal == 1 else 1)
        elif equal == 1:
            won.append(first)
        else:
            exact = (first + second) / equal
            won.append(int(-(-exact // 1)) if up else int(exact + 0.5))
    return won
