"""Random small maps with random objects: every piece and every count beside the plain reference."""

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.games.world_wonders import city as cities
from engine.games.world_wonders import placement, scoring, wonders
from engine.games.world_wonders.content import DATA, Board, table
from engine.games.world_wonders.grid import to_mask
from engine.games.world_wonders.model import (
    Building,
    City,
    Place,
)
from tests.games.world_wonders import reference

CONTENT = table("")
CARDS = {raw["id"]: raw for raw in DATA["monuments"]}
TWIN_NEEDS = {  # what no shipped monument asks for, but a corrected file may
    "id": "t_twins",
    "mode": "free",
    "parts": [["LA"], ["G", "L"]],
    "adjacent": ["road", "road", "sidewalk", "sidewalk"],
    "reward": {"vp": 1, "resources": {}, "population": 0},
}
SHAPES = [
    [(0, 0)],
    [(0, 0), (1, 0)],
    [(0, 0), (0, 1)],
    [(0, 0), (1, 0), (0, 1)],
    [(0, 0), (0, 1), (0, 2)],
    [(0, 0), (1, 0), (2, 0), (3, 0)],
]
SORTS = ["road", "road", "tower", "monument", *"BFHMT"]
EXAMPLES = settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
FEW = settings(EXAMPLES, max_examples=40)


def towns(most: int = 8, sorts: Sequence[str] = SORTS) -> st.SearchStrategy[reference.Town]:
    """Seeds rather than drawn cells: hypothesis likes empty maps too much."""
    return st.integers(0, 10**9).map(lambda seed: random_town(Random(seed), most, sorts))


def random_town(rng: Random, most: int, sorts: Sequence[str]) -> reference.Town:
    """A map of a few rows, and objects of these sorts dropped wherever they fit."""
    width, height = rng.randint(3, most), rng.randint(2, most - 1)
    signs = rng.choice(["....*~", "...**~~", "......~"])
    rows = ["".join(rng.choices(signs, k=width)) for _ in range(height)]
    objects: list[dict[str, Any]] = []
    taken: set[tuple[int, int]] = set()
    for _ in range(rng.randint(0, width * height // 4)):
        x, y = rng.randrange(width), rng.randrange(height)
        cells = [(x + dx, y + dy) for dx, dy in rng.choice(SHAPES)]
        if taken & set(cells) or any(x >= width or y >= height for x, y in cells):
            continue
        taken |= set(cells)
        sort = rng.choice(sorts)
        kind = {"kind": sort} if len(sort) == 1 else {}
        objects.append({"object": "building" if kind else sort, "cells": cells, **kind})
    resources = {name: rng.randint(0, 15) for name in CONTENT.resources}
    return reference.Town({"rows": rows, "objects": objects, "resources": resources, "monuments": []})


def both(town: reference.Town) -> tuple[Board, City]:
    """The same town for the engine."""
    board = Board(CONTENT, tuple(town.rows))
    city = City("T", (0, 0, 0), 7, by_kind=(0,) * 5, by_link=board.on.bottom)
    for sort, kind, cells in town.things:
        mask = to_mask(cells, board.on.stride)
        if sort == "road":
            city = cities.with_road(board, city, mask)
        elif sort == "tower":
            city = cities.with_tower(board, city, mask)
        elif sort == "building":
            city = cities.with_building(CONTENT, board, city, Building(kind, "", mask))
        else:
            city = msgspec.structs.replace(city, covered=city.covered | mask)
    return board, city


def listed(actions: list[Place]) -> list[tuple[int, int, int]]:
    assert len(set(actions)) == len(actions)
    return sorted((action.x, action.y, action.rot) for action in actions)


def plain(positions: Any) -> list[tuple[int, int, int]]:
    return sorted(position[:3] for position in positions)


@EXAMPLES
@given(towns())
def test_roads_and_towers(town: reference.Town) -> None:
    """WW-30, WW-61, WW-62, WW-66."""
    board, city = both(town)
    assert listed(placement.roads(board, city)) == plain(reference.long_roads(DATA, town))
    assert listed(placement.first_roads(board, city)) == plain(reference.first_roads(DATA, town))
    assert listed(placement.towers(board, city)) == plain(reference.towers(DATA, town))
    assert placement.road_fits(board, city) == bool(reference.long_roads(DATA, town))
    assert placement.tower_fits(board, city) == bool(reference.towers(DATA, town))


@EXAMPLES
@given(towns(), st.sampled_from("BFHMT"))
def test_buildings(town: reference.Town, kind: str) -> None:
    """WW-67, every shape of data.json."""
    board, city = both(town)
    for shape, raw in DATA["shapes"].items():
        piece, number = board.building(shape), CONTENT.kinds[kind]
        expected = plain(reference.buildings(town, raw["pattern"], kind))
        assert listed(placement.buildings(board, city, piece, number)) == expected
        assert placement.building_fits(board, city, piece, number) == bool(expected)


@settings(EXAMPLES, max_examples=40)
@given(
    towns(5), st.sampled_from([CONTENT.short_set, ("short2", "short2"), ("short2", "short1"), ("short1",)])
)
def test_sets_of_short_roads(town: reference.Town, pieces: tuple[str, ...]) -> None:
    """WW-65: tight maps, where the pieces hinder each other."""
    board, city = both(town)
    expected = sorted((word, *p[:3]) for word, p in reference.short_pieces(DATA, town, list(pieces)))
    found = placement.shorts(board, city, pieces)
    assert sorted((a.piece, a.x, a.y, a.rot) for a in found) == expected
    assert placement.set_fits(board, city.covered, city.by_link, pieces) == bool(expected)


@pytest.mark.parametrize("key", [key for key, raw in CARDS.items() if raw["mode"] == "rigid"])
def test_rigid_monuments(key: str) -> None:
    """WW-70 to WW-74."""
    fitting = []

    @EXAMPLES
    @given(towns(sorts=useful(key)))
    def check(town: reference.Town) -> None:
        board, city = both(town)
        card = CONTENT.cards[key]
        expected = plain(reference.monument_parts(CARDS[key], town))
        assert listed(wonders.monuments(board, city, card, 0, 0)) == expected
        assert wonders.monument_fits(board, city, card) == bool(expected)
        fitting.append(bool(expected))

    check()
    assert set(fitting) == {False, True}


@pytest.mark.parametrize("key", [key for key, raw in CARDS.items() if raw["mode"] == "free"])
def test_free_monuments(key: str) -> None:
    """WW-73, WW-75: the first part, and the second after each first one."""
    fitting = []

    @FEW
    @given(towns(6, useful(key)))
    def check(town: reference.Town) -> None:
        fitting.append(check_parts(town, CONTENT.cards[key], CARDS[key]))

    check()
    assert set(fitting) == {False, True}


def useful(key: str) -> list[str]:
    """Sorts of objects that this monument may want to touch, and one in its way."""
    return [*(need for need in CARDS[key]["adjacent"] if len(need) == 1), "road", "tower"]


def check_parts(town: reference.Town, card: Any, raw: dict[str, Any]) -> bool:
    board, city = both(town)
    first = list(reference.monument_parts(raw, town))
    assert listed(wonders.monuments(board, city, card, 0, 0)) == plain(first)
    assert wonders.monument_fits(board, city, card) == bool(first)
    for position in first[:4]:
        standing = to_mask(position[3], board.on.stride)
        second = plain(reference.monument_parts(raw, town, position[3], 1))
        assert listed(wonders.monuments(board, city, card, 1, standing)) == second
    return bool(first)


@EXAMPLES
@given(towns(5, ["road"]))
def test_what_no_shipped_monument_asks_for(town: reference.Town) -> None:
    """WW-72: a requirement listed twice; gaps in parts; water under the last cell."""
    own = table(msgspec.json.encode({"monuments": [TWIN_NEEDS]}).decode())
    board, city = both(town)
    board = Board(own, board.rows)
    first = list(reference.monument_parts(TWIN_NEEDS, town))
    assert listed(wonders.monuments(board, city, own.cards["t_twins"], 0, 0)) == plain(first)


@settings(EXAMPLES, max_examples=150)
@given(towns())
def test_scores_and_goals(town: reference.Town) -> None:
    """WW-124, WW-125, WW-150."""
    board, city = both(town)
    own = table(msgspec.json.encode({"maps": {"T": {"rows": town.rows}}}).decode())
    city = msgspec.structs.replace(city, resources=tuple(town.seen["resources"].values()))
    assert scoring.natural_wealth(board, city) == reference.natural_wealth(town)
    assert len(scoring.districts(board, city)) == len(reference.districts(town))
    for raw in DATA["goals"]:
        if raw["kind"] != 3:
            assert scoring.value(own, own.goals[raw["id"]], city) == reference.goal_value(raw, town), raw


@EXAMPLES
@given(
    st.lists(st.integers(0, 4), min_size=2, max_size=5), st.sampled_from(["nearest", "up"]), st.integers(1, 2)
)
def test_prizes(values: list[int], rounding: str, second: int) -> None:
    """WW-140 to WW-143."""
    goal = CONTENT.goals["g01"]._replace(second=second)
    expected = reference.prizes(goal.first, second, values, rounding == "up")
    assert scoring.prizes(goal, values, rounding) == expected
