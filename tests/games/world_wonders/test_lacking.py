"""Which requirements of the monuments on offer a city fulfils: told to all, judged by the rules alone."""

from random import Random

import pytest

from bots.dice import common
from engine import registry
from engine.game import begin, play
from engine.games.world_wonders import wonders
from engine.games.world_wonders.components import Need
from engine.games.world_wonders.content import table

GAME = registry.game("world-wonders")


def states(seed, most):
    rng = Random(seed)
    dice = common(seed)
    state, _ = begin(GAME, 3, GAME.Options(), dice)
    for _ in range(most):
        seats = [seat for seat in GAME.to_act(state) if seat >= 0]
        if not seats:
            return
        yield state
        legal = GAME.legal(state, seats[0])
        state, _ = play(GAME, state, seats[0], rng.choice(list(legal)), dice)


@pytest.mark.parametrize("seed", range(3))
def test_what_can_be_built_lacks_nothing(seed):
    """A monument that fits lacks nothing; one whose requirement touches no free cell never fits."""
    seen = {True: 0, False: 0}
    for state in states(seed, 150):
        content, view = table(state.data), GAME.view(state, None)
        for city, shown in zip(state.cities, view.cities, strict=True):
            for slot, lacking in zip(state.slots, shown.lacking, strict=True):
                if slot is None:
                    continue
                fits = wonders.monument_fits(content.board(city.map), city, content.cards[slot])
                assert not (fits and lacking), (slot, lacking)
                seen[fits] += 1
    assert min(seen.values()) > 20, seen


def test_each_requirement_is_counted():
    """A bare city has no road; the sidewalk is always there until something covers it."""
    state = next(states(1, 3))
    content = table(state.data)
    city = state.cities[0]
    board = content.board(city.map)
    for card in content.cards.values():
        bare = wonders.lacking(board, city, card)
        for need in card.needs:
            built = need.name == "road" or need.kind >= 0
            assert bare.count(need.name) == (need.many if built else 0), card.id


def test_each_road_counts_once():
    """Early on, when every road still lies beside a free cell."""
    seen = set()
    for state in states(1, 12):
        content = table(state.data)
        some = next(iter(content.cards.values()))
        card = some._replace(needs=(Need("road", 5, -1),))
        for city in state.cities:
            lacks = wonders.lacking(content.board(city.map), city, card)
            assert lacks == ("road",) * (5 - len(city.roads))
            seen.add(len(city.roads))
    assert max(seen) >= 1, "no road was built"
