"""Exact numbers of ways to a small depth; at every node the list is compared with the reference's.

Chance always takes its first outcome, so a leaf is one sequence of decisions.
"""

from typing import Any

import msgspec
import pytest

from engine.game import play
from engine.games.world_wonders import GAME
from engine.games.world_wonders.content import table
from engine.games.world_wonders.model import (
    State,
)
from engine.games.world_wonders.position import build, opened, prepared
from tests.games.world_wonders import reference
from tests.games.world_wonders.test_reference import ordered

ROAD = {"object": "road", "cells": [[0, 3], [1, 3]]}
FARM = {"object": "building", "kind": "F", "cells": [[0, 2]]}
MARKET = {"object": "building", "kind": "M", "cells": [[4, 2]]}
ROWS = ["*..~.", ".....", "..~..", "....."]
TILES = {"s1": "s1-03", "s3": "s3-07"}


def position(offer: dict[str, Any], city: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Two small cities; the second seat can only buy a pedestal or leave."""
    cities = [{"map": "T", **city}, {"map": "T", "spent": 6}]
    return {"seats": 2, "data": {"maps": {"T": {"rows": ROWS}}}, "offer": offer, "cities": cities, **more}


POSITIONS: dict[str, tuple[dict[str, Any], list[int]]] = {
    "roads": (position({"long_roads": 1, "short_roads": 1}, {"objects": [ROAD]}), [5, 28, 216]),
    "first road": (position({"towers": 1}, {"first_road_placed": False}, round=1), [6, 24, 71]),
    "buildings": (position({"buildings": TILES, "towers": 1}, {"objects": [ROAD, FARM]}), [6, 19, 54]),
    "free monument": (position({"monuments": ["great_wall"]}, {"objects": [FARM, MARKET]}), [4, 22, 61]),
    "loan": (position({"long_roads": 1}, {"objects": [ROAD], "loan": True}), [4, 14, 45]),
}


def leaves(state: State, given: dict[str, Any], depth: int) -> int:
    if depth == 0 or not GAME.to_act(state):
        return 1
    legal = GAME.legal(state, state.active)
    view = msgspec.to_builtins(GAME.view(state, None))
    raw = [msgspec.to_builtins(action) for action in legal]
    assert ordered(raw) == ordered(reference.legal(table(state.data).data, view))
    pick = prepared(state, given)
    return sum(leaves(play(GAME, state, state.active, a, pick)[0], given, depth - 1) for a in legal)


@pytest.mark.parametrize("name", POSITIONS)
def test_perft(name: str) -> None:
    given, counts = POSITIONS[name]
    state = opened(build(given), given)
    assert [leaves(state, given, depth) for depth in range(1, len(counts) + 1)] == counts
