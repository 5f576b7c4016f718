"""Exact numbers of legal actions over the first turns of fixed seeds, and the same by brute force."""

from __future__ import annotations

from random import Random

import pytest

from engine.chance import dice
from engine.game import begin, play
from engine.games.akropolis import GAME
from engine.games.akropolis.model import Options
from tests.games.akropolis import brute

SEEDS = (b"one", b"two", b"three")
PERFT = {1: 180, 2: 48_600, 3: 8_310_600}  # whatever the tiles are: nothing can be covered so early


def opening(seats, seed):
    pick = dice(seed, [""] * seats)
    return begin(GAME, seats, Options(), pick)[0], pick


def perft(state, pick, depth):
    """How many sequences of `depth` legal actions there are."""
    legal = GAME.legal(state, state.turn)
    if depth == 1:
        return len(legal)
    return sum(perft(play(GAME, state, state.turn, action, pick)[0], pick, depth - 1) for action in legal)


def brute_perft(site, stones, tops, turn, depth, known):
    """The same from rules.md alone; shallow enough that no refill happens."""
    key = frozenset(tops[turn].items())
    places = known[key] = known.get(key) or brute.placements(tops[turn])
    slots = range(min(len(site), stones[turn] + 1))
    if depth == 1:
        return len(slots) * len(places)
    total = 0
    for slot in slots:
        for place in places:
            top, _, gained = brute.build(tops[turn], site[slot], *place)
            left = [*site[:slot], *site[slot + 1 :]]
            after = [s - slot + gained if n == turn else s for n, s in enumerate(stones)]
            grown = [top if n == turn else t for n, t in enumerate(tops)]
            total += brute_perft(left, after, grown, (turn + 1) % len(tops), depth - 1, known)
    return total


@pytest.mark.parametrize(("seed", "depth"), [(b"one", 3), (b"two", 2), (b"three", 2)])
def test_the_first_turns_have_exactly_so_many_actions(seed, depth):
    """Three turns: both seats, and the first one again in what it has built by then."""
    state, pick = opening(2, seed)
    tops = [brute.start(), brute.start()]
    assert perft(state, pick, depth) == PERFT[depth]
    assert brute_perft(list(state.site), state.stones, tops, state.turn, depth, {}) == PERFT[depth]


def along(seats, seed, turns):
    """The numbers of legal actions along one random line of play."""
    state, pick = opening(seats, seed)
    rng = Random(seed)
    tops = [brute.start()] * seats
    counts, counted = [], []
    for _ in range(turns):
        legal, seat = GAME.legal(state, state.turn), state.turn
        slots = min(len(state.site), state.stones[seat] + 1)
        counts.append(len(legal))
        counted.append(slots * len(brute.placements(tops[seat])))
        action = rng.choice(legal)
        place = action.q, action.r, action.rotation
        tops[seat] = brute.build(tops[seat], state.site[action.slot], *place)[0]
        state, _ = play(GAME, state, seat, action, pick)
    return counts, counted


LINES = {
    (2, b"one"): [
        180,
        270,
        108,
        120,
        135,
        132,
        150,
        159,
        174,
        162,
        189,
        177,
        540,
        192,
        354,
        216,
        612,
        225,
        684,
        219,
        249,
        648,
        273,
        474,
    ],
    (3, b"two"): [
        180,
        270,
        270,
        117,
        333,
        324,
        144,
        258,
        405,
        150,
        360,
        312,
        162,
        600,
        366,
        186,
        504,
        390,
        210,
        336,
        219,
        234,
        384,
        246,
    ],
    (4, b"three"): [
        180,
        270,
        360,
        270,
        108,
        228,
        333,
        468,
        132,
        138,
        270,
        705,
        156,
        162,
        252,
        171,
        180,
        171,
        423,
        201,
        195,
        186,
        165,
        219,
    ],
}


@pytest.mark.parametrize(("seats", "seed"), LINES)
def test_a_fixed_line_has_exactly_so_many_actions(seats, seed):
    counts, counted = along(seats, seed, 24)
    assert counts == counted == LINES[seats, seed]
