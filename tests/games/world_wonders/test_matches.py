"""Whole matches: what is conserved, what always holds, and how they end (WW-1 to WW-44, WW-110)."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from engine.chance import quick
from engine.game import Illegal, begin, fold, play
from engine.games.world_wonders import GAME, scoring
from engine.games.world_wonders.content import DATA, table
from engine.games.world_wonders.facts import (
    AutomatonDiscarded,
    Bought,
    LoanRepaid,
    LoanTaken,
    Placed,
    RoundBegan,
)
from engine.games.world_wonders.grid import to_mask
from engine.games.world_wonders.model import (
    City,
    Options,
    State,
)
from tests.games.playing import Step

CONTENT = table("")


def every(played: list[list[Step]]) -> list[Step]:
    return [step for match in played for step in match]


def test_tiles_are_conserved(played: list[list[Step]]) -> None:
    """WW-21: every tile lies in its stack, on offer, in a city, or was discarded."""
    for step in every(played):
        state = step.after
        numbers = CONTENT.setups[len(state.cities)].stacks
        built = [building.tile for city in state.cities for building in city.buildings]
        found = [tile for stack in state.stacks for tile in stack] + [*filter(None, state.tiles)]
        found += built + list(state.discards)
        if state.purchase and state.purchase.item == "building":
            found.append(state.purchase.tile)
        assert sorted(found) == sorted(tile for n in numbers for tile in CONTENT.stacks[n].tiles)


def test_monuments_are_conserved(played: list[list[Step]]) -> None:
    """WW-26, WW-76, WW-162; a bought card stays in its slot until the monument stands (WW-50)."""
    for step in every(played):
        state = step.after
        held = [monument.card for city in state.cities for monument in city.monuments]
        found = [*filter(None, state.slots), *state.deck, *held, *state.automaton]
        assert sorted(found) == sorted(CONTENT.cards)
        if state.deck:
            assert None not in state.slots


def test_coins_are_conserved(played: list[list[Step]]) -> None:
    """WW-32: what a seat has spent is what it paid in this round; its limit is 7, or 9 with a loan."""
    for match in played:
        paid: Counter[int] = Counter()
        lent: Counter[int] = Counter()
        for step in match:
            for fact in step.facts:
                if isinstance(fact, RoundBegan):
                    paid.clear()
                    lent.clear()
                elif isinstance(fact, Bought):
                    paid[fact.seat] += fact.price
                elif isinstance(fact, LoanRepaid):
                    paid[fact.seat] += fact.coins
                elif isinstance(fact, LoanTaken):
                    lent[fact.seat] += fact.coins
            for seat, city in enumerate(step.after.cities):
                assert city.spent == paid[seat] <= city.limit == CONTENT.coins + lent[seat]
                assert lent[seat] <= CONTENT.loan_coins


def on_offer(source: Any) -> Counter[str]:
    return Counter(long_road=source.long_roads, short_roads=source.short_roads, tower=source.towers)


def test_roads_and_towers_are_conserved(played: list[list[Step]]) -> None:
    """WW-23, WW-24, WW-30: what was on offer was bought or discarded, or is still there."""
    for match in played:
        seats = len(match[0].after.cities)
        left = on_offer(CONTENT.setups[seats])
        used: Counter[str] = Counter()
        for fact in (fact for step in match for fact in step.facts):
            if isinstance(fact, (Bought, AutomatonDiscarded)) and fact.item in left:
                left[fact.item] -= 1
                used[fact.item] += 1
            elif isinstance(fact, RoundBegan):
                assert on_offer(fact) == on_offer(CONTENT.setups[seats])
                left = on_offer(fact)
            assert min(left.values()) >= 0
        assert left == on_offer(match[-1].after)
        most = DATA["supply"]
        assert used["long_road"] + seats <= most["long_roads"]
        assert used["short_roads"] <= most["short_road_sets"]
        assert used["tower"] <= most["towers"]


def test_every_bought_piece_lies_in_the_city(played: list[list[Step]]) -> None:
    """WW-30, WW-65: a road of one's own, and what was paid for."""
    for match in played:
        bought = Counter(
            (fact.seat, fact.item) for step in match for fact in step.facts if isinstance(fact, Bought)
        )
        for seat, city in enumerate(match[-1].after.cities):
            shorts = len(CONTENT.short_set) * bought[seat, "short_roads"]
            assert len(city.roads) == 1 + bought[seat, "long_road"] + shorts
            assert len(city.towers) == bought[seat, "tower"]
            assert len(city.buildings) == bought[seat, "building"]
            assert len(city.monuments) == bought[seat, "monument"]


def parts(city: City) -> list[int]:
    return [
        *city.roads,
        *city.towers,
        *(building.cells for building in city.buildings),
        *(monument.cells for monument in city.monuments),
    ]


def test_nothing_overlaps_and_boards_are_kept_up_to_date(played: list[list[Step]]) -> None:
    """WW-13; the bit boards that a city carries follow from its objects."""
    rng = Random(0)
    for match in played:
        for step in match[::9]:
            for city in step.after.cities:
                assert sum(mask.bit_count() for mask in parts(city)) == city.covered.bit_count()
            assert GAME.determinise(GAME.view(step.after, None), rng) == step.after


def test_places_are_told_as_cells(played: list[list[Step]]) -> None:
    """The cells of all the facts are exactly those that are covered in the end."""
    for match in played:
        told: list[set[tuple[int, int]]] = [set() for _ in match[0].after.cities]
        for fact in (fact for step in match for fact in step.facts):
            if isinstance(fact, Placed):
                assert not told[fact.seat] & set(fact.cells)
                told[fact.seat] |= set(fact.cells)
        for cells, city in zip(told, match[-1].after.cities, strict=True):
            assert to_mask(cells, CONTENT.board(city.map).on.stride) == city.covered


def test_every_match_ends_in_time(played: list[list[Step]]) -> None:
    """WW-2, WW-110."""
    for match in played:
        state = match[-1].after
        assert state.phase == "over"
        full = max(city.population for city in state.cities) == CONTENT.tracks["A"].final
        assert state.round == CONTENT.rounds or full
        assert all(city.out for city in state.cities)


def test_the_result_says_what_the_last_fact_says(played: list[list[Step]]) -> None:
    """WW-120, WW-130, WW-170."""
    for match in played:
        state, ended = match[-1].after, match[-1].facts[-1]
        result = GAME.result(state)
        assert result is not None
        assert result.scores == scoring.totals(ended.scores)
        assert [sum(line.points for line in own) for own in result.breakdown] == list(result.scores)
        if len(state.cities) == 1:
            assert bool(result.winners) == (result.scores[0] > ended.target)
        else:
            keys = [
                (points, len(city.monuments))
                for points, city in zip(result.scores, state.cities, strict=True)
            ]
            assert result.winners == tuple(seat for seat, key in enumerate(keys) if key == max(keys))


def test_one_seat_acts_at_a_time_in_turn_order(played: list[list[Step]]) -> None:
    """WW-6, WW-40: after a turn it is the next seat that is not out."""
    for step in every(played):
        state = step.after
        assert len(GAME.to_act(state)) == (0 if state.phase == "over" else 1)
        if step.action is None or step.before.round != state.round or state.phase == "over":
            continue
        if state.active != step.before.active:
            order = state.order
            at, to = order.index(step.before.active), order.index(state.active)
            between = (order + order)[at + 1 : to if to > at else to + len(order)]
            assert all(state.cities[seat].out for seat in between)


def test_every_monument_is_built_by_somebody() -> None:
    """WW-70: none is impossible on the shipped maps."""
    built: set[str] = set()
    for seed in range(60):
        rng = Random(seed)
        state, pick = _begun(5 - seed % 2, Options(map_side="A" if seed % 4 < 2 else "B"), rng)
        while GAME.to_act(state):
            state = _advance(state, _eager(GAME.legal(state, state.active), built, rng), pick)
        built |= {monument.card for city in state.cities for monument in city.monuments}
        if built == set(CONTENT.cards):
            return
    assert built == set(CONTENT.cards)


def _begun(seats: int, options: Options, rng: Random) -> tuple[State, Any]:
    pick = quick(rng)
    return begin(GAME, seats, options, pick)[0], pick


def _advance(state: State, action: Any, pick: Any) -> State:
    return play(GAME, state, state.active, action, pick)[0]


def _eager(legal: Any, built: set[str], rng: Random) -> Any:
    """At random, but a monument that nobody has built yet is built."""
    new = [a for a in legal if getattr(a, "item", "") == "monument" and a.card not in built]
    return rng.choice(new or legal)


@pytest.mark.parametrize(
    ("seats", "mean"), [(1, (19, 24)), (2, (24, 29)), (3, (21, 26)), (4, (20, 25)), (5, (20, 25))]
)
def test_random_scores_lie_in_the_reference_ranges(
    played: list[list[Step]], seats: int, mean: tuple[int, int]
) -> None:
    """Chapter 23, with some room for a small sample."""
    matches = [match for match in played if len(match[0].after.cities) == seats]
    scores = [points for match in matches for points in scoring.totals(scoring.score(match[-1].after))]
    assert mean[0] - 2 <= sum(scores) / len(scores) <= mean[1] + 2


def test_facts_alone_rebuild_the_state(played: list[list[Step]]) -> None:
    for match in played[:20]:
        facts = [fact for step in match for fact in step.facts]
        assert fold(GAME, facts) == match[-1].after


@pytest.mark.parametrize(
    ("seats", "options"),
    [
        (1, Options(advanced=True)),
        (1, Options(goal_rounding="up")),
        (1, Options(start_order="seats")),
        (3, Options(solo_mode="hard")),
    ],
)
def test_options_that_a_table_does_not_have(seats: int, options: Options) -> None:
    """Chapter 16."""
    with pytest.raises(Illegal, match="bad_option"):
        GAME.start(seats, options)
