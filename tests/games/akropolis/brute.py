"""The rules again, spelled out space by space from rules.md; nothing here is shared with the engine."""

from __future__ import annotations

import json
from pathlib import Path

import engine.games.akropolis as game

DATA = json.loads((Path(game.__file__).parent / "data.json").read_text())
TILES = {tile["id"]: tile["hexes"] for tile in DATA["tiles"]}
STARS = {name: kind["stars"] for name, kind in DATA["hex_types"].items()}
DISTRICTS = ["house", "market", "barracks", "temple", "garden"]
OFFSETS = [(0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)]
START = {(0, 0): "house_plaza", (0, -1): "quarry", (1, 0): "quarry", (-1, 1): "quarry"}

# a top view: space -> (level, hex, tile)
Top = dict[tuple[int, int], tuple[int, str, int]]


def start() -> Top:
    return {space: (1, kind, 0) for space, kind in START.items()}


def neighbours(space):
    return [(space[0] + dq, space[1] + dr) for dq, dr in OFFSETS]


def spaces(q, r, rotation):
    (dq, dr), (eq, er) = OFFSETS[rotation], OFFSETS[(rotation + 1) % 6]
    return [(q, r), (q + dq, r + dr), (q + eq, r + er)]


def refusal(top: Top, q, r, rotation):
    """The code of AK-62 for a placement, or None."""
    under = spaces(q, r, rotation)
    built = [space for space in under if space in top]
    if not built:
        beside = any(other in top for space in under for other in neighbours(space))
        return None if beside else "not_adjacent"
    if len(built) < 3:
        return "overhang"
    if len({top[space][0] for space in under}) > 1:
        return "uneven_ground"
    return "single_support" if len({top[space][2] for space in under}) == 1 else None


def area(top: Top, margin):
    qs, rs = [q for q, _ in top], [r for _, r in top]
    for q in range(min(qs) - margin, max(qs) + margin + 1):
        for r in range(min(rs) - margin, max(rs) + margin + 1):
            yield q, r


def placements(top: Top):
    """All of them, in ascending order."""
    return [(q, r, k) for q, r in area(top, 3) for k in range(6) if refusal(top, q, r, k) is None]


def build(top: Top, tile, q, r, rotation):
    """The top view after a legal build, the tile's level, and the stones gained."""
    under = spaces(q, r, rotation)
    level = top[under[0]][0] + 1 if under[0] in top else 1
    gained = sum(top[space][1] == "quarry" for space in under if space in top)
    hexes = {space: (level, kind, tile) for space, kind in zip(under, TILES[tile], strict=True)}
    return top | hexes, level, gained


def lakes(top: Top):
    empty = {space for space in area(top, 1) if space not in top}
    first = min(empty)  # a corner of the enlarged bounding box
    outside, todo = {first}, [first]
    while todo:
        for other in neighbours(todo.pop()):
            if other in empty and other not in outside:
                outside.add(other)
                todo.append(other)
    return empty - outside


def groups(top: Top, kind):
    left = {space for space, (_, hexkind, _) in top.items() if hexkind == kind}
    while left:
        group, todo = set(), [left.pop()]
        while todo:
            space = todo.pop()
            group.add(space)
            reached = left.intersection(neighbours(space))
            left -= reached
            todo += reached
        yield group


def values(top: Top, variants=()):
    """Value by district (AK-43 to AK-52)."""
    water = lakes(top)
    found = dict.fromkeys(DISTRICTS, 0)
    sizes = [(len(g), sum(top[s][0] for s in g)) for g in groups(top, "house")]
    if sizes:
        best = max(sizes)[1]
        found["house"] = 2 * best if "house" in variants and best >= 10 else best
    for space, (level, kind, _) in top.items():
        around = neighbours(space)
        shown = [top[s][1] for s in around if s in top]
        free = [s for s in around if s not in top and s not in water]
        counts, doubled = {
            "market": ("market" not in shown, "market_plaza" in shown),
            "barracks": (bool(free), len(free) in (3, 4)),
            "temple": (len(shown) == 6, level > 1),
            "garden": (True, any(s in water for s in around)),
        }.get(kind, (False, False))
        if counts:
            found[kind] += level * (2 if doubled and kind in variants else 1)
    return found


def stars(top: Top):
    return {
        district: sum(STARS[kind] for _, kind, _ in top.values() if kind == f"{district}_plaza")
        for district in DISTRICTS
    }


def districts(top: Top, variants=()):
    value, star = values(top, variants), stars(top)
    return {d: (value[d], star[d], value[d] * star[d]) for d in DISTRICTS}
