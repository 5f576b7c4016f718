"""Chapters 12 to 15: what a city is worth, at the end and at any time before."""

from collections.abc import Sequence

from engine.game import Line
from engine.games.world_wonders.city import cards
from engine.games.world_wonders.components import Goal, Tracks
from engine.games.world_wonders.content import Board, Table, table
from engine.games.world_wonders.grid import flood, groups, largest, near, union
from engine.games.world_wonders.model import (
    Building,
    City,
    State,
)


def score(state: State) -> tuple[tuple[Line, ...], ...]:
    """WW-120: every seat's lines, as if the game ended now."""
    content = table(state.data)
    tracks = content.tracks[state.options.resource_side]
    lines = [city_lines(content, tracks, city) for city in state.cities]
    for goal in state.goals:
        points = prizes(content.goals[goal], goal_values(state, goal), state.options.goal_rounding)
        for own, won in zip(lines, points, strict=True):
            own.append(Line(f"goal:{goal}", won, "WW-127"))
    return tuple(tuple(own) for own in lines)


def city_lines(content: Table, tracks: Tracks, city: City) -> list[Line]:
    """WW-4, WW-121 to WW-126."""
    board = content.board(city.map)
    return [
        Line("population", tracks.rings[city.population], "WW-121"),
        Line("least", min(city.resources), "WW-122"),
        Line("monuments", sum(content.cards[card].vp for card in cards(city)), "WW-123"),
        Line("natural", natural_wealth(board, city), "WW-124"),
        Line("districts", len(districts(board, city)), "WW-125"),
        Line("loan", -content.penalty if city.loan else 0, "WW-126"),  # WW-84
    ]


def totals(lines: Sequence[Sequence[Line]]) -> tuple[int, ...]:
    return tuple(sum(line.points for line in own) for own in lines)


def natural_wealth(board: Board, city: City) -> int:
    """WW-124: uncovered cells beside an object."""
    return (board.on.wealth & ~city.covered & near(city.covered, board.on.stride)).bit_count()


def districts(board: Board, city: City) -> list[Building]:
    """WW-125: buildings beside no uncovered plain land."""
    green = board.on.plain & ~city.covered
    stride = board.on.stride
    return [building for building in city.buildings if not green & near(building.cells, stride)]


def standing(state: State) -> list[tuple[int, int]]:
    """WW-130: points, then monuments."""
    points = totals(score(state))
    return [(own, len(city.monuments)) for own, city in zip(points, state.cities, strict=True)]


def target(state: State) -> int | None:
    """WW-170: what a solo player must exceed."""
    if len(state.cities) > 1:
        return None
    easy = sum(state.cities[0].resources)
    if state.options.solo_mode == "easy":
        return easy
    content = table(state.data)
    return easy + sum(content.cards[card].vp for card in state.automaton)


# --- common goals ----------------------------------------------------------------------------------------


def goal_values(state: State, key: str) -> list[int]:
    """WW-150: what every seat has to show for this goal."""
    content = table(state.data)
    return [value(content, content.goals[key], city) for city in state.cities]


def prizes(goal: Goal, values: Sequence[int], rounding: str) -> list[int]:
    """WW-140 to WW-143."""
    ranked = sorted({value for value in values if value > 0}, reverse=True)
    if not ranked:
        return [0] * len(values)
    first = values.count(ranked[0])
    if first > 1:
        share = _divide(goal.first + goal.second, first, rounding)
        return [share if value == ranked[0] else 0 for value in values]
    points = {ranked[0]: goal.first}
    if len(ranked) > 1:  # WW-141: several second places get 1 each
        points[ranked[1]] = goal.second if values.count(ranked[1]) == 1 else 1
    return [points.get(value, 0) for value in values]


def _divide(sum_: int, among: int, rounding: str) -> int:
    """WW-142: to the nearest, half up; or always up."""
    return -(-sum_ // among) if rounding == "up" else (2 * sum_ + among) // (2 * among)


def value(content: Table, goal: Goal, city: City) -> int:
    """WW-150."""
    board = content.board(city.map)
    on, stride = board.on, board.on.stride
    match goal.kind:
        case 1:
            return _enclosed(board, city)
        case 2:
            return largest(union(city.roads), stride)
        case 3:
            return len(city.monuments)
        case 4:
            return _beside(city, on.wealth & ~city.covered, stride)
        case 5:
            return _beside(city, on.water & ~city.covered, stride)
        case 6:
            return sum(building.kind == goal.arg for building in city.buildings)
        case 7:
            return city.resources[content.resources.index(str(goal.arg))]
        case 8:
            return _largest_group(city, str(goal.arg), stride)
        case 9:
            return sum(bool(building.cells & on.edge) for building in city.buildings)
        case 10:
            return len({building.kind for building in districts(board, city)})
    raise ValueError(f"unknown kind of goal: {goal.kind}")


def _enclosed(board: Board, city: City) -> int:
    """Kind 1: green land that nothing connects with the rim of the map."""
    green = board.on.plain & ~city.covered
    return largest(green & ~flood(board.on.rim, green, board.on.stride), board.on.stride)


def _beside(city: City, cells: int, stride: int) -> int:
    """Buildings that touch one of these cells."""
    around = near(cells, stride)
    return sum(bool(building.cells & around) for building in city.buildings)


def _largest_group(city: City, kind: str, stride: int) -> int:
    """Kind 8: counted in buildings, connected by their cells."""
    masks = [building.cells for building in city.buildings if building.kind == kind]
    counts = (sum(bool(mask & group) for mask in masks) for group in groups(union(masks), stride))
    return max(counts, default=0)
