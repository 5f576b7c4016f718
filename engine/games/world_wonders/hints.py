"""What a position is worth to a seat, for bots: points so far, and what the city and the coins promise."""

from collections.abc import Sequence
from typing import NamedTuple

from engine.games.world_wonders.components import Card
from engine.games.world_wonders.content import Board, Table, table
from engine.games.world_wonders.grid import near
from engine.games.world_wonders.model import City, Purchase, State
from engine.games.world_wonders.scoring import score, target, totals
from engine.games.world_wonders.sight import city_of
from engine.games.world_wonders.views import PurchaseView, View
from engine.games.world_wonders.wonders import monument_fits

SEARCH = {"turns": 0, "depth": 2, "breadth": 12, "widen": 0.3}  # a purchase together with where it lies
SEARCH_LONG = {"turns": 2, "depth": 6}  # and what the others leave for the next one
COIN = 0.45  # what a coin buys on average
ICON = 0.75  # a step on a track: the least one counts, and every third step is a symbol
FIRST_OF_KIND = 0.5  # monuments ask for kinds of building
FENCE = 1.4  # a building that is nearly enclosed
REACH = 0.05  # a free cell beside a road, up to some number
ENOUGH = 24
WEALTH = 0.6  # natural wealth that can still be reached
READY = 0.45  # a monument that could be built
PROMISE = {"long_road": 0.8, "short_roads": 1.0, "tower": 1.0}  # what a piece is worth before it lies


class Scene(NamedTuple):
    """What the worth of a position to a seat depends on."""

    content: Table
    over: bool
    left: float  # of the match
    points: Sequence[int]  # by seat, as if the game ended now
    target: int | None  # of a solo game
    city: City
    monuments: Sequence[str | None]
    pedestals: Sequence[int | None]
    purchase: Purchase | PurchaseView | None  # the seat's own


def value(view: View, seat: int) -> float:
    """Own prospects, and a little for being ahead of the others."""
    content = table(view.data)
    scene = Scene(
        content=content,
        over=view.phase == "over",
        left=(view.rounds - view.round + 1) / view.rounds,
        points=[sum([line.points for line in city.score]) for city in view.cities],
        target=view.target,
        city=city_of(content, view.cities[seat]),
        monuments=view.monuments,
        pedestals=view.pedestals,
        purchase=view.purchase if view.active == seat else None,
    )
    return _worth(scene, seat)


def judge(state: State, seat: int) -> float:
    """The same from a state, without its view: everybody sees everything."""
    content = table(state.data)
    mapped = all(city.map for city in state.cities)
    scene = Scene(
        content=content,
        over=state.phase == "over",
        left=(content.rounds - state.round + 1) / content.rounds,
        points=totals(score(state)) if mapped else (0,) * len(state.cities),
        target=target(state),
        city=state.cities[seat],
        monuments=state.slots,
        pedestals=state.pedestals,
        purchase=state.purchase if state.active == seat else None,
    )
    return _worth(scene, seat)


def _worth(scene: Scene, seat: int) -> float:
    points, city, content, left = scene.points, scene.city, scene.content, scene.left
    rival = max([own for other, own in enumerate(points) if other != seat], default=scene.target or 0)
    lead = points[seat] - 0.1 * rival
    if scene.over:
        return lead
    worth = lead + _tracks(city, left) + _ground(content, city, left)
    if city.map:
        worth += READY * _best_monument(content, city, scene.monuments)
    if seat in scene.pedestals:
        worth += 0.4 * left
    if not city.out:
        worth += COIN * (city.limit - city.spent)
    if scene.purchase is not None:
        worth += _bought(content, city, scene.purchase)
    return worth


def _tracks(city: City, left: float) -> float:
    """Resources above the least one count as far as the others can still catch up."""
    return ICON * (0.4 + 0.4 * left) * sum(city.resources)


def _ground(content: Table, city: City, left: float) -> float:
    """What the map promises: buildings nearly enclosed, kinds, room beside roads, wealth within reach."""
    if not city.map:
        return 0.0
    board = content.board(city.map)
    free = board.on.land & ~city.covered
    kinds = len({building.kind for building in city.buildings})
    room = min((free & city.by_road).bit_count(), ENOUGH)
    wealth = (board.on.wealth & ~city.covered & ~near(city.covered, board.on.stride)).bit_count()
    return _fences(board, city) + left * (FIRST_OF_KIND * kinds + REACH * room + WEALTH * wealth)


def _fences(board: Board, city: City) -> float:
    """A share of the point for a district, by how little of its border is still open."""
    green, stride = board.on.plain & ~city.covered, board.on.stride
    worth = 0.0
    for building in city.buildings:
        gaps = (green & near(building.cells, stride)).bit_count()
        if gaps:
            worth += FENCE / (1 + gaps)
    return worth


def _best_monument(content: Table, city: City, monuments: Sequence[str | None]) -> float:
    """The best monument on offer that could be built now."""
    board = content.board(city.map)
    cards = [content.cards[key] for key in monuments if key is not None]
    return max((_reward(card) for card in cards if monument_fits(board, city, card)), default=0.0)


def _reward(card: Card) -> float:
    return card.vp + ICON * sum(card.resources) + card.population


def _bought(content: Table, city: City, purchase: Purchase | PurchaseView) -> float:
    """What a purchase will bring once it lies."""
    if purchase.item == "building":
        tile = content.tiles[purchase.tile]
        new = all(building.kind != tile.kind for building in city.buildings)
        return ICON * sum(tile.resources) + FENCE + (FIRST_OF_KIND if new else 0.0)
    if purchase.item == "monument":
        return _reward(content.cards[purchase.card])
    return PROMISE[purchase.item] * len(purchase.pieces) / len(_pieces(content, purchase))


def _pieces(content: Table, purchase: Purchase | PurchaseView) -> tuple[str, ...]:
    return content.short_set if purchase.item == "short_roads" else purchase.pieces
