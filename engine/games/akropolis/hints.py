"""What a position is worth to a seat, for bots: points so far, what is in sight, stones, and the rivals.

The weights were found by letting bots that look one step ahead play each other: against one that only
counts points so far, this one scores a third more.
"""

from engine.games.akropolis.content import DISTRICTS, PLAZAS, QUARRY, STARS
from engine.games.akropolis.model import Build, Offer, PlayerView, View
from engine.games.akropolis.plan import Plan, plan_of

# A tile, what is taken then, and the tile after that: height is planned two tiles ahead.
SEARCH = {"turns": 2, "sample": 20, "depth": 2, "breadth": 24, "widen": 0.3}
DISTRICT_A_TURN = {"house": 0.96, "market": 0.8, "barracks": 0.72, "temple": 0.56, "garden": 0.48}
STARS_A_TURN = {district: 0.15 * STARS[PLAZAS[district]] for district in DISTRICTS}
STONE = 0.1  # beyond its point, for each turn in which it may still buy a choice
QUARRIES = 0.25  # a quarry brings a stone once it is covered
TERRACE = 3.0  # three quarries on one level: the next tile climbs and loses nothing
NEAR_TERRACE = 1.0  # two of them, and a district to lose
MOST_TERRACES = 8
DENIAL = 0.15  # of what the next seat could take


def value(view: View, seat: int) -> float:
    """The seat's prospects beyond those of its best rival."""
    mine = _prospects(view, view.players[seat])
    others = [_prospects(view, player) for n, player in enumerate(view.players) if n != seat]
    if view.architect is not None:
        others.append(view.architect.score.total)
    return mine - max(others) - DENIAL * _temptation(view, seat)


def prior(view: View, seat: int, action: Build) -> float:
    """Roughly how promising an action is: its tile and its price, and height before breadth."""
    player = view.players[seat]
    below = plan_of(player.city).top.get((action.q, action.r))
    height = 0 if below is None else below.level
    return _worth(player, view.site[action.slot], _turns_left(view, player)) + 3.0 * height


def _turns_left(view: View, player: PlayerView) -> int:
    """AK-03: every seat has the same number of turns."""
    sides = max(2, len(view.players))
    return view.rounds * (sides + 1) // sides - len(player.city.builds)


def _prospects(view: View, player: PlayerView) -> float:
    """Points at the end if every type grows by what a turn usually brings: stars multiply values to come."""
    turns = _turns_left(view, player)
    if not turns:
        return player.score.total
    points = player.stones * (1 + STONE * turns)
    for name, district in player.score.districts.items():
        value = district.value + turns * DISTRICT_A_TURN[name]
        points += value * (district.stars + turns * STARS_A_TURN[name])
    return points + _ground(plan_of(player.city), turns)


def _ground(plan: Plan, turns: int) -> float:
    """What can still be built upon: quarries, and the more so where they lie together on one level."""
    best, good = _terraces(plan)
    quarries = plan.hexes.get(QUARRY, 0).bit_count()
    climbs = TERRACE * best + NEAR_TERRACE * good
    return min(climbs, TERRACE * MOST_TERRACES, TERRACE * turns) + QUARRIES * min(quarries, 1.5 * turns)


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


def _temptation(view: View, seat: int) -> float:
    """The most that the next seat could make of a tile still on the site."""
    if len(view.players) == 1 or view.to_act is None:
        return 0.0
    rival = view.players[(seat + 1) % len(view.players)]
    turns = _turns_left(view, rival)
    return max([_worth(rival, offer, turns) for offer in view.site[: rival.stones + 1]])


def _worth(player: PlayerView, offer: Offer, turns: int) -> float:
    """What a tile's hexes would add to a city at their best, less its price."""
    districts = player.score.districts
    worth = -float(offer.price)
    for kind in offer.hexes:
        if kind in districts:
            worth += districts[kind].stars + turns * STARS_A_TURN[kind]
        elif kind != QUARRY:
            name = kind.removesuffix("_plaza")
            worth += STARS[kind] * (districts[name].value + turns * DISTRICT_A_TURN[name])
    return worth
