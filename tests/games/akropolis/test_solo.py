"""Section 11: one seat against the illustrious architect."""

from __future__ import annotations

from random import Random

import pytest

from engine.chance import quick
from engine.game import begin, play
from engine.games.akropolis import GAME
from engine.games.akropolis.content import DISTRICTS
from engine.games.akropolis.model import Architect, Built, Drawn, Options, Score, Scored, Taken
from engine.games.akropolis.solo import architect_score, take
from tests.games.akropolis import brute

LEVELS = ("hippodamos", "metagenes", "callicrates")


def match(seed, **options):
    rng = Random(seed)
    pick = quick(rng)
    state, facts = begin(GAME, 1, Options(**options), pick)
    events = [facts]
    while GAME.to_act(state):
        state, facts = play(GAME, state, 0, rng.choice(GAME.legal(state, 0)), pick)
        events.append(facts)
    return state, events


@pytest.mark.parametrize(("long_game", "turns"), [(False, 18), (True, 30)])
def test_both_take_equally_many_tiles_and_the_architect_ends(long_game, turns):
    """AK-S1, AK-S3: its turn, and a refill it causes, belong to the player's event."""
    state, events = match(1, long_game=long_game)
    facts = [fact for event in events for fact in event]
    assert len(events) == turns + 1
    assert all(isinstance(event[0], Built) for event in events[1:])
    assert isinstance(facts[-2], Taken)
    assert isinstance(facts[-1], Scored)
    assert len(state.cities[0].builds) == len(state.architect.tiles) == turns
    turn_takers = [type(fact) for fact in facts if isinstance(fact, (Built, Taken))]
    assert turn_takers == [Built, Taken] * turns


def test_tiles_and_stones_are_conserved():
    """AK-S2, AK-S4: what the player pays the architect has, what the architect pays is gone."""
    state, events = match(2)
    facts = [fact for event in events for fact in event]
    built, taken = ([fact for fact in facts if isinstance(fact, kind)] for kind in (Built, Taken))
    paid = sum(fact.paid for fact in built)
    assert state.stones[0] == 1 - paid + sum(fact.gained for fact in built)
    assert state.architect.stones == 2 + paid - sum(fact.paid for fact in taken) >= 0
    drawn = [fact.tile for fact in facts if isinstance(fact, Drawn)]
    held = [fact.tile for fact in built + taken]
    assert sorted(drawn) == sorted([*held, *state.site]) == list(range(1, 38))


@pytest.mark.parametrize(
    ("stones", "site", "tile", "paid"),
    [
        (0, (21, 1, 2), 21, 0),  # a plaza it cannot pay
        (1, (21, 1, 2), 1, 1),
        (9, (21, 22, 2), 2, 2),
        (9, (1, 2, 3), 1, 0),
        (9, (21, 22, 23), 21, 0),  # no plaza at all
    ],
)
def test_the_architect_takes_the_cheapest_plaza(stones, site, tile, paid):
    """AK-S5."""
    assert take(Architect(stones), site) == Taken(tile, paid)


def spelled_out(tiles, stones, level, variants):
    """AK-S6 and AK-S7 once more, by counting one hex after the other."""
    hexes = list(brute.START.values()) + [kind for tile in tiles for kind in brute.TILES[tile]]
    points = 2 * hexes.count("quarry") if level == "metagenes" else 0
    for district in DISTRICTS:
        each = 2 if level == "callicrates" else 1
        count = hexes.count(district)
        value = count * each
        if district in variants:
            twice = {"house": value >= 10, "temple": level == "callicrates"}
            if district == "market":
                value += min(count, 3 * hexes.count("market_plaza")) * each
            elif twice.get(district, True):
                value *= 2
        points += value * sum(brute.STARS[kind] for kind in hexes if kind == f"{district}_plaza")
    return points + stones


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("seed", range(12))
def test_the_architect_scores_its_tiles(level, seed):
    rng = Random(seed)
    tiles = tuple(rng.sample(range(1, 62), rng.randrange(31)))
    variants = [district for district in DISTRICTS if rng.random() < 0.5]
    score = architect_score(Architect(3, tiles), level, tuple(d in variants for d in DISTRICTS))
    assert score.total == spelled_out(tiles, 3, level, variants)


@pytest.mark.parametrize(
    ("mine", "rival", "wins"), [((80, 3), (79, 9), True), ((80, 3), (80, 2), True), ((80, 3), (80, 3), False)]
)
def test_the_player_wins_only_by_being_better(mine, rival, wins):
    """AK-S8: a lost match has no winner."""
    state, _ = match(3)
    pads = [Score({}, stones, total) for total, stones in (mine, rival)]
    result = GAME.result(GAME.evolve(state, Scored((pads[0],), pads[1])))
    assert result.winners == ((0,) if wins else ())
    assert result.places == (1,)


def test_one_seat_without_a_level_meets_the_easy_architect():
    state, _ = match(4)
    assert state.options.solo_level == "hippodamos"
    assert GAME.view(state, 0).architect.score == state.final.architect
