"""The 61 city tiles and the table of setups, read from data.json."""

from typing import Any, NamedTuple

from engine.kit import content

DATA: dict[str, Any] = content.load(__file__)

HEXES: tuple[str, ...] = tuple(DATA["hex_types"])
DISTRICTS: tuple[str, ...] = tuple(name for name in HEXES if DATA["hex_types"][name]["kind"] == "district")
PLAZAS: dict[str, str] = {district: f"{district}_plaza" for district in DISTRICTS}
STARS: dict[str, int] = {name: DATA["hex_types"][name]["stars"] for name in HEXES}  # AK-10
QUARRY = "quarry"

TILES: dict[int, tuple[str, str, str]] = {raw["id"]: tuple(raw["hexes"]) for raw in DATA["tiles"]}  # AK-11
START_TILE = 0  # AK-12: a tile like any other, with an id of its own
START_HEXES: dict[tuple[int, int], str] = {
    (raw["q"], raw["r"]): raw["hex"] for raw in DATA["starting_tile"]["hexes"]
}
HAS_PLAZA: frozenset[int] = frozenset(
    tile for tile, hexes in TILES.items() if not set(PLAZAS.values()).isdisjoint(hexes)
)


class Setup(NamedTuple):
    """One column of the setup table (section 3)."""

    tiles: tuple[int, ...]  # AK-15, ascending
    site: int  # AK-16: tiles on the Construction Site
    stack: int  # tiles that a refill brings
    rounds: int  # AK-36, AK-A6
    stones: tuple[int, ...]  # AK-18, in turn order


def _setup(raw: dict[str, Any]) -> Setup:
    used = tuple(tile["id"] for tile in DATA["tiles"] if tile["players"] in raw["tile_marks_used"])
    stones = tuple(raw["starting_stones_in_turn_order"])
    return Setup(used, raw["site_size"], raw["stack_size"], raw["rounds"], stones)


SETUPS: dict[tuple[int, bool], Setup] = {
    (raw["players"], raw["long_game"]): _setup(raw) for raw in DATA["setup"].values()
}
SETUPS[4, True] = SETUPS[4, False]  # AK-55: with four nothing changes
SETUPS[1, False], SETUPS[1, True] = SETUPS[2, False], SETUPS[2, True]  # AK-S1: solo is set up as for two
