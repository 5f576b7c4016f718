"""Section 7: what a city is worth."""

from collections.abc import Sequence

from engine.games.akropolis.content import DISTRICTS, PLAZAS, STARS
from engine.games.akropolis.frame import Frame
from engine.games.akropolis.model import District, Options, Score
from engine.games.akropolis.plan import Boards, Plan

BIG_GROUP = 10  # AK-48
MANY_FREE = (3, 4)  # AK-50, AK-A5

Variants = tuple[bool, ...]  # by district, in the order of DISTRICTS


def variants(options: Options) -> Variants:
    """AK-57."""
    return (
        options.variant_houses,
        options.variant_markets,
        options.variant_barracks,
        options.variant_temples,
        options.variant_gardens,
    )


def score(plan: Plan, stones: int, chosen: Variants) -> Score:
    """AK-53: the score pad of a city; the districts are kept with the plan."""
    districts: dict[str, District] | None = plan.kept.get(chosen)
    if districts is None:
        top = TopView(plan.frame, plan.hexes, plan.levels, connected=True)
        districts = plan.kept[chosen] = tally(top, chosen)
    return Score(districts, stones, stones + sum([d.points for d in districts.values()]))


class TopView:
    """The spaces of a city that scoring asks about (AK-37 to AK-39)."""

    __slots__ = ("enclosed", "frame", "hexes", "lakes", "levels", "shore")

    def __init__(self, frame: Frame, hexes: Boards, levels: Sequence[int], connected: bool = False) -> None:
        self.frame = frame
        self.hexes = hexes
        self.levels = levels
        built = 0
        for spots in levels:
            built |= spots
        beside = frame.neighbours(built)
        self.shore = beside ^ (beside & built)  # empty spaces beside the city, outside or lake
        self.enclosed = frame.enclosed(built)
        ponds = self.enclosed ^ (self.enclosed & built)  # lakes of one space
        few = connected and ponds.bit_count() == _number_of_lakes(frame, built)
        self.lakes = ponds if few else _lakes(frame, built)

    def value(self, spots: int) -> int:
        """AK-41: the sum of their levels."""
        return spots and sum([n * (spots & level).bit_count() for n, level in enumerate(self.levels)])


def _number_of_lakes(frame: Frame, built: int) -> int:
    """Of a connected city: for a disc, spaces - pairs + triangles is 1, and every lake takes 1 away."""
    north = built & built << 1
    north_east = built & built >> frame.stride - 1
    south_east = built & built >> frame.stride
    pairs = north.bit_count() + north_east.bit_count() + south_east.bit_count()
    triangles = (north & north_east).bit_count() + (north_east & south_east).bit_count()
    return 1 - (built.bit_count() - pairs + triangles)


def _lakes(frame: Frame, built: int) -> int:
    """AK-38: the empty spaces that a flood from the rim of the window does not reach."""
    empty = frame.whole ^ built
    outside, before = frame.rim, 0
    while outside != before:
        before = outside
        outside = (outside | frame.neighbours(outside)) & empty
    return empty ^ outside


def tally(top: TopView, chosen: Variants) -> dict[str, District]:
    """AK-40: value and stars of each of the five types."""
    hexes = top.hexes
    tallied = {}
    for district, rule, variant in zip(DISTRICTS, _RULES, chosen, strict=True):
        plaza = PLAZAS[district]
        stars = STARS[plaza] * hexes.get(plaza, 0).bit_count()  # AK-42
        spots = hexes.get(district, 0)
        value = rule(top, spots, variant) if spots else 0
        tallied[district] = District(value, stars, value * stars)
    return tallied


def _houses(top: TopView, houses: int, variant: bool) -> int:
    """AK-43: the group with most houses, then with the highest value; AK-48."""
    value = largest_group(top, houses)[1]
    return 2 * value if variant and value >= BIG_GROUP else value


def largest_group(top: TopView, houses: int) -> tuple[int, int]:
    """Its number of houses and its value."""
    neighbours = top.frame.neighbours
    linked = houses & neighbours(houses)
    if not linked:
        return 1, max(n for n, level in enumerate(top.levels) if houses & level)
    best = (0, 0)
    while linked:
        group, before = linked & -linked, 0
        while group != before:
            before = group
            group = (group | neighbours(group)) & linked
        linked ^= group
        best = max(best, (group.bit_count(), top.value(group)))
    return best


def _markets(top: TopView, markets: int, variant: bool) -> int:
    """AK-44: no other market beside it; AK-49: doubled beside a market plaza."""
    neighbours = top.frame.neighbours
    alone = markets ^ (markets & neighbours(markets))
    doubled = alone & neighbours(top.hexes.get("market_plaza", 0)) if variant else 0
    return top.value(alone) + top.value(doubled)


def _barracks(top: TopView, barracks: int, variant: bool) -> int:
    """AK-45: on the edge of the city, a lake does not count; AK-50."""
    free = top.shore ^ (top.shore & top.lakes)
    edge = barracks & top.frame.neighbours(free)
    return top.value(edge) + (top.value(_airy(top.frame, edge, free)) if variant else 0)


def _airy(frame: Frame, barracks: int, free: int) -> int:
    """AK-50: those with three or four free spaces around them."""
    found = 0
    while barracks:
        bit = barracks & -barracks
        barracks ^= bit
        if (frame.neighbours(bit) & free).bit_count() in MANY_FREE:
            found |= bit
    return found


def _temples(top: TopView, temples: int, variant: bool) -> int:
    """AK-46: all six spaces around it built; AK-51, AK-A21: doubled above the ground."""
    closed = temples & top.enclosed
    doubled = closed ^ (closed & top.levels[1]) if variant else 0
    return top.value(closed) + top.value(doubled)


def _gardens(top: TopView, gardens: int, variant: bool) -> int:
    """AK-47; AK-52: doubled beside a lake."""
    doubled = gardens & top.frame.neighbours(top.lakes) if variant else 0
    return top.value(gardens) + top.value(doubled)


_RULES = (_houses, _markets, _barracks, _temples, _gardens)  # in the order of DISTRICTS
