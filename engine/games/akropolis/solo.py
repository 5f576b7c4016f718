"""Section 11: the illustrious architect, who takes tiles and builds nothing."""

from collections import Counter
from collections.abc import Sequence

from engine.games.akropolis.content import (
    DISTRICTS,
    HAS_PLAZA,
    PLAZAS,
    QUARRY,
    STARS,
    START_HEXES,
    TILES,
)
from engine.games.akropolis.model import Architect, District, Score, SoloLevel, Taken
from engine.games.akropolis.scoring import BIG_GROUP, Variants

STONES = 2  # AK-S2
QUARRY_POINTS = 2  # AK-S6
NEAR_PLAZA = 3  # AK-S7: markets that one market plaza doubles


def take(architect: Architect, site: Sequence[int]) -> Taken:
    """AK-S5: the cheapest tile with a plaza that it can pay, else the first."""
    for slot, tile in enumerate(site[: architect.stones + 1]):
        if tile in HAS_PLAZA:
            return Taken(tile, slot)
    return Taken(site[0], 0)


def architect_score(architect: Architect, level: SoloLevel, chosen: Variants) -> Score:
    """AK-S6, AK-S7."""
    hexes = Counter(START_HEXES.values())
    for tile in architect.tiles:
        hexes.update(TILES[tile])
    doubled = dict(zip(DISTRICTS, chosen, strict=True))
    districts = {district: _district(district, hexes, level, doubled[district]) for district in DISTRICTS}
    quarries = QUARRY_POINTS * hexes[QUARRY] if level == "metagenes" else 0
    points = sum(district.points for district in districts.values())
    return Score(districts, architect.stones, points + quarries + architect.stones, quarries)


def _district(district: str, hexes: Counter[str], level: SoloLevel, variant: bool) -> District:
    plazas = hexes[PLAZAS[district]]
    stars = plazas * STARS[PLAZAS[district]]
    count = hexes[district]
    value = count + (_bonus(district, count, plazas, level) if variant else 0)
    if level == "callicrates":
        value *= 2
    return District(value, stars, value * stars)


def _bonus(district: str, count: int, plazas: int, level: SoloLevel) -> int:
    """AK-S7: how many of the districts count twice."""
    strict = level == "callicrates"
    match district:
        case "house":
            return count if count * (2 if strict else 1) >= BIG_GROUP else 0
        case "market":
            return min(count, NEAR_PLAZA * plazas)
        case "temple":
            return count if strict else 0
        case _:
            return count
