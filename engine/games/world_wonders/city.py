"""Cities: a fresh one, and what a new object changes in its bit boards."""

from collections.abc import Sequence

from msgspec.structs import replace

from engine.games.world_wonders.content import Board, Table
from engine.games.world_wonders.grid import near, union
from engine.games.world_wonders.model import (
    Building,
    City,
    Monument,
)


def fresh(table: Table, key: str) -> City:
    """WW-28; the map may still have to be dealt."""
    city = City("", (0,) * len(table.resources), table.coins, by_kind=(0,) * len(table.kinds))
    return on_map(table, city, key) if key else city


def on_map(table: Table, city: City, key: str) -> City:
    """WW-61: from the start roads may join the sidewalk."""
    return replace(city, map=key, by_link=table.board(key).on.bottom)


def with_objects(
    table: Table,
    city: City,
    roads: Sequence[int],
    towers: Sequence[int],
    buildings: Sequence[Building],
    monuments: Sequence[Monument],
) -> City:
    """An empty city on its map with all its objects at once."""
    on = table.board(city.map).on
    road, link = union(roads), union(roads) | union(towers)
    houses = {kind: union(b.cells for b in buildings if b.kind == kind) for kind in table.kinds}
    return replace(
        city,
        roads=tuple(roads),
        towers=tuple(towers),
        buildings=tuple(buildings),
        monuments=tuple(monuments),
        covered=link | union(houses.values()) | union(monument.cells for monument in monuments),
        by_road=near(road, on.stride),
        by_link=near(link, on.stride) | on.bottom,
        by_kind=tuple(near(cells, on.stride) for cells in houses.values()),
    )


def with_road(board: Board, city: City, cells: int) -> City:
    beside = near(cells, board.on.stride)
    return replace(
        city,
        roads=(*city.roads, cells),
        covered=city.covered | cells,
        by_road=city.by_road | beside,
        by_link=city.by_link | beside,
    )


def with_tower(board: Board, city: City, cells: int) -> City:
    return replace(
        city,
        towers=(*city.towers, cells),
        covered=city.covered | cells,
        by_link=city.by_link | near(cells, board.on.stride),
    )


def with_building(table: Table, board: Board, city: City, building: Building) -> City:
    kind = table.kinds[building.kind]
    by_kind = list(city.by_kind)
    by_kind[kind] |= near(building.cells, board.on.stride)
    return replace(
        city,
        buildings=(*city.buildings, building),
        covered=city.covered | building.cells,
        by_kind=tuple(by_kind),
    )


def with_monument(city: City, monument: Monument) -> City:
    return replace(city, monuments=(*city.monuments, monument), covered=city.covered | monument.cells)


def cards(city: City) -> list[str]:
    """The monument cards that this seat has taken."""
    return [monument.card for monument in city.monuments if monument.card]
