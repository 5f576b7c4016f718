"""What a position is worth to a seat, for bots: points so far, what is in sight, stones, and the rivals.

The weights were found by letting bots that look one step ahead play each other: against one that only
counts points so far, this one scores a third more.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from engine.games.akropolis.content import DISTRICTS, PLAZAS, QUARRY, SETUPS, STARS, TILES
from engine.games.akropolis.model import Build, City, District, Score, State, View
from engine.games.akropolis.plan import Plan, plan_of
from engine.games.akropolis.rules import final_scoring

# A tile, what is taken then, and the tile after that: height is planned two tiles ahead.
SEARCH = {"turns": 2, "sample": 20, "depth": 2, "breadth": 24, "widen": 0.3}
DISTRICT_A_TURN = {"house": 0.96, "market": 0.8, "barracks": 0.72, "temple": 0.56, "garden": 0.48}
STARS_A_TURN = {district: 0.15 * STARS[PLAZAS[district]] for district in DISTRICTS}
STONE = 0.1  # beyond its point, for each turn in which it may still buy a choice
QUARRIES = 0.25  # a quarry brings a stone once it is covered
TERRACE = 3.0  # three quarries on one level: the next tile climbs and loses nothing
NEAR_TERRACE = 1.0  # two of them, and a district to lose
MAX_TERRACES = 8
DENIAL = 0.15  # of what the next seat could take


def value(view: View, seat: int) -> float:
    """The seat's prospects beyond those of its best rival."""
    sides = [Side(player.city, player.score) for player in view.players]
    rival = None if view.architect is None else view.architect.score
    tiles = None if view.to_act is None else [offer.tile for offer in view.site]
    return _lead(view.rounds, sides, rival, tiles, seat)


def judge(state: State, seat: int) -> float:
    """The same from a state, without its view: nothing but the order of the tiles to come is hidden."""
    pads = state.final or final_scoring(state)
    sides = [Side(*side) for side in zip(state.cities, pads.scores, strict=True)]
    rounds = SETUPS[len(sides), state.options.long_game].rounds
    return _lead(rounds, sides, pads.architect, state.site if state.phase == "build" else None, seat)


def prior(view: View, seat: int, action: Build) -> float:
    """Roughly how promising an action is: its tile and its price, and height before breadth."""
    player = view.players[seat]
    below = plan_of(player.city).top.get((action.q, action.r))
    height = 0 if below is None else below.level
    turns = turns_left(view.rounds, len(view.players), player.city)
    offer = view.site[action.slot]
    return _bringing(Side(player.city, player.score), turns, offer.tile) - offer.price + 3.0 * height


class Side(NamedTuple):
    """A city, and its score pad as if the game ended now."""

    city: City
    score: Score


def _lead(
    rounds: int, sides: Sequence[Side], architect: Score | None, tiles: Sequence[int] | None, seat: int
) -> float:
    seats = len(sides)
    worth = [_prospects(side, turns_left(rounds, seats, side.city)) for side in sides]
    mine = worth.pop(seat)
    if architect is not None:
        worth.append(architect.total)
    if seats == 1 or tiles is None:
        return mine - max(worth)
    rival = sides[(seat + 1) % seats]
    return mine - max(worth) - DENIAL * _temptation(rival, turns_left(rounds, seats, rival.city), tiles)


def turns_left(rounds: int, seats: int, city: City) -> int:
    """AK-03: every seat has the same number of turns."""
    sides = max(2, seats)
    return rounds * (sides + 1) // sides - len(city.builds)


def _prospects(side: Side, turns: int) -> float:
    """Kept with the plan, since most actions leave most cities as they are."""
    kept, stones = plan_of(side.city).kept, side.score.stones
    found: float | None = kept.get(("prospects", turns, stones))
    if found is None:
        found = kept["prospects", turns, stones] = _promise(side, turns) if turns else side.score.total
    return found


def _promise(side: Side, turns: int) -> float:
    """Points at the end if every type grows by what a turn usually brings: stars multiply values to come."""
    points = side.score.stones * (1 + STONE * turns)
    for name, district in side.score.districts.items():
        value = district.value + turns * DISTRICT_A_TURN[name]
        points += value * (district.stars + turns * STARS_A_TURN[name])
    return points + _ground(plan_of(side.city), turns)


def _ground(plan: Plan, turns: int) -> float:
    """What can still be built upon: quarries, and the more so where they lie together on one level."""
    best, good = _terraces(plan)
    quarries = plan.hexes.get(QUARRY, 0).bit_count()
    climbs = TERRACE * best + NEAR_TERRACE * good
    return min(climbs, TERRACE * MAX_TERRACES, TERRACE * turns) + QUARRIES * min(quarries, 1.5 * turns)


def _terraces(plan: Plan) -> tuple[int, int]:
    """Triangles of three quarries, and of two with a district, on one level; each counts its level."""
    found = plan.kept.get("terraces")
    if found is None:
        found = plan.kept["terraces"] = _count_terraces(plan)
    return found


def _count_terraces(plan: Plan) -> tuple[int, int]:
    plazas = 0
    for plaza in PLAZAS.values():
        plazas |= plan.hexes.get(plaza, 0)
    best = good = 0
    for level, spots in enumerate(plan.levels):
        quarries = spots & plan.hexes.get(QUARRY, 0)
        if quarries:
            three, two = _triangles(quarries, spots ^ (spots & plazas), plan.frame.stride)
            best += level * three
            good += level * two
    return best, good


def _triangles(quarries: int, spots: int, stride: int) -> tuple[int, int]:
    """Triangles within `spots` with three and with exactly two quarries, in both orientations."""
    north, east, south = quarries << 1, quarries >> stride - 1, quarries >> stride
    with_north, with_east, with_south = quarries & north, quarries & east, quarries & south
    two_up = with_north & spots >> stride - 1 | with_east & spots << 1 | north & east & spots
    two_down = with_east & spots >> stride | with_south & spots >> stride - 1 | east & south & spots
    three = (with_north & east).bit_count() + (with_east & south).bit_count()
    return three, two_up.bit_count() + two_down.bit_count() - three


def _temptation(rival: Side, turns: int, tiles: Sequence[int]) -> float:
    """The most that the next seat could make of a tile still on the site."""
    reach = tiles[: rival.score.stones + 1]
    return max([_bringing(rival, turns, tile) - price for price, tile in enumerate(reach)])


def _bringing(side: Side, turns: int, tile: int) -> float:
    """What a tile's hexes would add to a city at their best."""
    kept = plan_of(side.city).kept
    found: float | None = kept.get((tile, turns))
    if found is None:
        districts = side.score.districts
        found = kept[tile, turns] = sum([_hex(districts, kind, turns) for kind in TILES[tile]])
    return found


def _hex(districts: Mapping[str, District], kind: str, turns: int) -> float:
    if kind in districts:
        return districts[kind].stars + turns * STARS_A_TURN[kind]
    if kind == QUARRY:
        return 0.0
    name = kind.removesuffix("_plaza")
    return STARS[kind] * (districts[name].value + turns * DISTRICT_A_TURN[name])
