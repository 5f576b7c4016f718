"""World Wonders once more, cell by cell and from the rules alone: slow, plain, and sharing no code with the engine.

It reads a view (as JSON values) and data.json, and answers what is legal and what a city is worth.
"""

from collections import Counter

LAND = ".*"


class Town:
    """One city of a view as dictionaries and sets of cells."""

    def __init__(self, seen):
        self.rows = seen["rows"]
        self.things = [
            (o["object"], o.get("kind", ""), [tuple(c) for c in o["cells"]]) for o in seen["objects"]
        ]
        self.cover = {cell: number for number, (_, _, cells) in enumerate(self.things) for cell in cells}
        self.seen = seen

    @property
    def size(self):
        return len(self.rows[0]), len(self.rows)

    def cells(self):
        width, height = self.size
        return [(x, y) for y in range(height) for x in range(width)]

    def terrain(self, cell):
        return self.rows[cell[1]][cell[0]]

    def free(self, signs):
        """Uncovered cells of these terrains (WW-13)."""
        return {cell for cell in self.cells() if self.terrain(cell) in signs and cell not in self.cover}

    def objects(self, *sorts):
        return [cells for sort, kind, cells in self.things if sort in sorts or kind in sorts]

    def put(self, sort, cells):
        """The same town with one object more."""
        thing = {"object": sort, "cells": [list(cell) for cell in cells]}
        return Town({**self.seen, "objects": [*self.seen["objects"], thing]})


def around(cells):
    cells = set(cells)
    return {(x + dx, y + dy) for x, y in cells for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))} - cells


def on_sidewalk(town, cells):
    return any(y == town.size[1] - 1 for _, y in cells)


def turn(pattern):
    height = len(pattern)
    return ["".join(pattern[height - 1 - c][r] for c in range(height)) for r in range(len(pattern[0]))]


def positions(town, pattern, taken=()):
    """WW-15, WW-16, WW-60, WW-71, WW-74: (x, y, rot, cells) for every way to lay the pattern down."""
    width, height = town.size
    found = {}
    for rot in range(4):
        for y in range(-4, height):
            for x in range(-4, width):
                letters = {
                    (x + c, y + r): sign
                    for r, row in enumerate(pattern)
                    for c, sign in enumerate(row)
                    if sign != "."
                }
                cells = frozenset(cell for cell, sign in letters.items() if sign != "G")
                if cells not in found and all(
                    _lies(town, cell, sign, taken) for cell, sign in letters.items()
                ):
                    found[cells] = (x, y, rot)
        pattern = turn(pattern)
    return [(*place, cells) for cells, place in found.items()]


def _lies(town, cell, sign, taken):
    width, height = town.size
    if not (0 <= cell[0] < width and 0 <= cell[1] < height):
        return False
    if sign == "G":
        return True
    wanted = {"L": LAND, "W": "~", "A": LAND + "~"}[sign]
    return cell not in town.cover and cell not in taken and town.terrain(cell) in wanted


def solid(pattern):
    return [row.replace("#", "L") for row in pattern]


def bridge(pattern):
    (row,) = pattern
    return ["L" + "A" * (len(row) - 2) + "L"]


# --- chapter 8 -------------------------------------------------------------------------------------------


def joins(town, cells):
    """WW-61."""
    joined = {cell for thing in town.objects("road", "tower") for cell in thing}
    return on_sidewalk(town, cells) or bool(around(cells) & joined)


def long_roads(data, town, first=False):
    pattern = bridge(data["roads"]["long"]["pattern"])
    return [p for p in positions(town, pattern) if (on_sidewalk if first else joins)(town, p[3])]


def short_pieces(data, town, words):
    """WW-65: (word, position) such that the others can follow."""
    patterns = {raw["piece"]: solid(raw["pattern"]) for raw in data["roads"]["short_set"]["pieces"]}
    found = []
    for word in sorted(set(words)):
        rest = list(words)
        rest.remove(word)
        for place in positions(town, patterns[word]):
            if joins(town, place[3]) and (not rest or short_set_fits(data, town.put("road", place[3]), rest)):
                found.append((word, place))
    return found


def short_set_fits(data, town, words):
    patterns = {raw["piece"]: solid(raw["pattern"]) for raw in data["roads"]["short_set"]["pieces"]}
    if not words:
        return True
    for word in sorted(set(words)):
        rest = list(words)
        rest.remove(word)
        for place in positions(town, patterns[word]):
            if joins(town, place[3]) and short_set_fits(data, town.put("road", place[3]), rest):
                return True
    return False


def towers(data, town):
    """WW-66."""
    return [p for p in positions(town, solid(data["tower"]["pattern"])) if around(p[3]) & set(town.cover)]


def buildings(data, town, pattern, kind):
    """WW-67."""
    beside = {cell for thing in town.objects("road", kind) for cell in thing}
    return [p for p in positions(town, solid(pattern)) if around(p[3]) & beside]


def lacks(town, cells, needs):
    """WW-72: requirements that a monument on these cells does not meet."""
    halo = around(cells)
    have = {
        "road": sum(bool(halo & set(thing)) for thing in town.objects("road")),
        "natural": len(halo & town.free("*")),
        "water": len(halo & town.free("~")),
        "sidewalk": sum(y == town.size[1] - 1 for _, y in cells),
    }
    for kind in "BFHMT":
        have[kind] = sum(bool(halo & set(thing)) for thing in town.objects(kind))
    return [need for need, count in Counter(needs).items() if have[need] < count]


def monument_parts(card, town, standing, number):
    """WW-73, WW-75: positions of this part that still let the monument be finished."""
    parts = [card["pattern"]] if card["mode"] == "rigid" else card["parts"]
    found = []
    for place in positions(town, parts[number], standing):
        if standing and not around(place[3]) & standing:
            continue
        cells = standing | place[3]
        if number + 1 < len(parts):
            fine = bool(monument_fits(card, town, cells, number + 1))
        else:
            fine = not lacks(town, cells, card["adjacent"])
        if fine:
            found.append(place)
    return found


def monument_fits(card, town, standing=frozenset(), number=0):
    parts = [card["pattern"]] if card["mode"] == "rigid" else card["parts"]
    for place in positions(town, parts[number], standing):
        if standing and not around(place[3]) & standing:
            continue
        cells = standing | place[3]
        if number + 1 == len(parts):
            if not lacks(town, cells, card["adjacent"]):
                return True
        elif monument_fits(card, town, cells, number + 1):
            return True
    return False


# --- chapter 7 -------------------------------------------------------------------------------------------


def legal(data, view):
    """The legal actions of the seat to act, as JSON values."""
    seat = view["active"]
    town = Town(view["cities"][seat])
    match view["phase"]:
        case "first_road":
            return [_place("long_road", p) for p in long_roads(data, town, first=True)]
        case "placing":
            return _placing(data, view, town)
        case "automaton_choice":
            return [{"type": "automa_discard", "stack": stack} for stack in _choice(data, view)]
        case "turn":
            return _turn(data, view, seat, town)
    return []


def _place(word, position):
    x, y, rot, _ = position
    return {"type": "place", "piece": word, "x": x, "y": y, "rot": rot}


def _placing(data, view, town):
    bought = view["purchase"]
    words = bought["pieces"]
    match bought["item"]:
        case "long_road":
            return [_place("long_road", p) for p in long_roads(data, town)]
        case "short_roads":
            return [_place(word, p) for word, p in short_pieces(data, town, words)]
        case "tower":
            return [_place("tower", p) for p in towers(data, town)]
        case "building":
            stack = next(raw for raw in data["stacks"] if raw["id"] == bought["stack"])
            tile = next(raw for raw in stack["tiles"] if raw["id"] == bought["tile"])
            pattern = data["shapes"][stack["shape"]]["pattern"]
            return [_place("building", p) for p in buildings(data, town, pattern, tile["kind"])]
    card = next(raw for raw in data["monuments"] if raw["id"] == bought["card"])
    standing = frozenset(tuple(cell) for cell in bought.get("cells", ()))
    number = 0 if card["mode"] == "rigid" else int(words[0].removeprefix("part")) - 1
    return [_place(words[0], p) for p in monument_parts(card, town, standing, number)]


def _choice(data, view):
    asked = view["asked"]
    card = next(raw for raw in data["solo_cards"] if raw["id"] == asked["card"])
    item = card[("top", "middle")[asked["section"]]][asked["item"]]
    shown = [offer for offer in view["buildings"] if offer["tile"]]
    return [o["stack"] for o in shown if item.get("any") or item.get("kind") == o["kind"]]


def _turn(data, view, seat, town):
    city = view["cities"][seat]
    coins = city["limit"] - city["spent"]
    prices = data["constants"]["prices"]
    bought = [{"type": "buy", **item} for item in _items(data, view, seat, town, coins, prices)]
    other = []
    if not city["loan"] and not city["loan_taken_this_round"]:
        other.append({"type": "take_loan"})
    fresh = view["loan_taken_this_turn"]
    if city["loan"] and not fresh and coins >= data["constants"]["loan_repayment"]:
        other.append({"type": "repay_loan"})
    if not bought or view["options"]["voluntary_leave"]:
        other.append({"type": "leave"})
    return bought + other


def _items(data, view, seat, town, coins, prices):
    words = [raw["piece"] for raw in data["roads"]["short_set"]["pieces"] for _ in range(raw["count"])]
    if view["long_roads"] and coins >= prices["long_road"] and long_roads(data, town):
        yield {"item": "long_road"}
    if view["short_roads"] and coins >= prices["short_roads"] and short_set_fits(data, town, words):
        yield {"item": "short_roads"}
    if view["towers"] and coins >= prices["tower"] and towers(data, town):
        yield {"item": "tower"}
    for offer in view["buildings"]:
        if offer["tile"] and coins >= offer["price"] and buildings(data, town, offer["shape"], offer["kind"]):
            yield {"item": "building", "stack": offer["stack"]}
    if coins >= prices["pedestal"] and seat not in view["pedestals"]:
        for slot, holder in enumerate(view["pedestals"], 1):
            if holder is None:
                yield {"item": "pedestal", "slot": slot}
    for key in view["monuments"]:
        if key and coins and monument_fits(next(raw for raw in data["monuments"] if raw["id"] == key), town):
            yield {"item": "monument", "card": key}


# --- chapters 12 and 14 ----------------------------------------------------------------------------------


def components(cells):
    """Connected groups of cells, by walking."""
    left, groups = set(cells), []
    while left:
        group, edge = set(), {left.pop()}
        while edge:
            group |= edge
            edge = around(edge) & left
            left -= edge
        groups.append(group)
    return groups


def districts(town):
    """WW-125: (kind, cells) of every enclosed building."""
    green = town.free(".")
    return [
        (kind, cells) for sort, kind, cells in town.things if sort == "building" and not around(cells) & green
    ]


def natural_wealth(town):
    """WW-124."""
    return sum(bool(around([cell]) & set(town.cover)) for cell in town.free("*"))


def goal_value(goal, town):
    """WW-150."""
    width, height = town.size
    houses = [(kind, cells) for sort, kind, cells in town.things if sort == "building"]
    match goal["kind"]:
        case 1:
            inner = [
                group
                for group in components(town.free("."))
                if not any(x in (0, width - 1) or y in (0, height - 1) for x, y in group)
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
            return town.seen["resources"][goal["arg"]]
        case 8:
            return _largest_row([set(cells) for kind, cells in houses if kind == goal["arg"]])
        case 9:
            return sum(any(x in (0, width - 1) or y == 0 for x, y in cells) for _, cells in houses)
        case 10:
            return len({kind for kind, _ in districts(town)})
    raise ValueError(goal["kind"])


def _largest_row(houses):
    """Houses that hang together by their sides, joined pair by pair."""
    groups = [[house] for house in houses]
    for house in houses:
        mine = [group for group in groups if any(around(house) & other or other is house for other in group)]
        groups = [group for group in groups if group not in mine] + [sum(mine, [])]
    return max(map(len, groups), default=0)
