"""A whole match: setup, turn order, refills, the end (AK-15 to AK-36, AK-53 to AK-57)."""

from __future__ import annotations

import itertools
from collections import Counter
from random import Random

import msgspec
import pytest

from engine.chance import quick
from engine.game import Illegal, begin, fold, play
from engine.games.akropolis import GAME
from engine.games.akropolis.model import Build, Built, Drawn, NextRound, Opened, Options, Scored

# (seats, long game): tiles used, site, stack, rounds, turns a seat: the table of section 3
TABLE = {
    (2, False): (37, 4, 3, 12, 18),
    (3, False): (49, 5, 4, 12, 16),
    (4, False): (61, 6, 5, 12, 15),
    (2, True): (61, 4, 3, 20, 30),
    (3, True): (61, 5, 4, 15, 20),
    (4, True): (61, 6, 5, 12, 15),
}


def match(seats, seed, **options):
    """A random match: the states at which somebody was to act, all facts, and the last state."""
    rng = Random(seed)
    pick = quick(rng)
    state, facts = begin(GAME, seats, Options(**options), pick)
    states = []
    while GAME.to_act(state):
        states.append(state)
        action = rng.choice(GAME.legal(state, state.turn))
        state, more = play(GAME, state, state.turn, action, pick)
        facts += more
    return states, facts, state


@pytest.mark.parametrize(("seats", "long_game"), TABLE)
def test_setup_and_length_follow_the_table(seats, long_game):
    """AK-03, AK-15, AK-16, AK-18, AK-55, AK-A22."""
    tiles, site, stack, rounds, turns = TABLE[seats, long_game]
    states, facts, end = match(seats, 1, long_game=long_game)
    first = states[0]
    assert (len(first.site), len(first.site) + len(first.deck)) == (site, tiles)
    assert sorted(first.stones) == list(range(1, seats + 1))
    assert [first.stones[(first.chief + n) % seats] for n in range(seats)] == list(range(1, seats + 1))
    assert Counter(fact.seat for fact in facts if isinstance(fact, Built)) == dict.fromkeys(
        range(seats), turns
    )
    assert end.round == rounds
    assert GAME.view(first, None).stacks_left * stack == len(first.deck)
    assert GAME.view(first, None).rounds == rounds
    assert first.options.long_game is (long_game and seats < 4)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_chief_opens_and_closes_every_round(seats):
    """AK-20, AK-33 to AK-35: n + 1 turns, clockwise without a jump, and then the token passes."""
    states, _, _ = match(seats, 2)
    by_round = [[s for s in states if s.round == n] for n in range(1, 13)]
    for number, turns in enumerate(by_round):
        chief = (states[0].chief + number) % seats
        assert {state.chief for state in turns} == {chief}
        assert [state.turn for state in turns] == [(chief + n) % seats for n in range(seats + 1)]
        assert [len(state.site) for state in turns] == list(range(seats + 2, 1, -1))


@pytest.mark.parametrize(("seats", "long_game"), TABLE)
def test_tiles_and_stones_are_conserved(seats, long_game):
    """Each tile is drawn once and ends in one city or as the last one on the site; stones add up."""
    states, facts, end = match(seats, 3, long_game=long_game)
    drawn = [fact.tile for fact in facts if isinstance(fact, Drawn)]
    built = [placed.tile for city in end.cities for placed in city.builds]
    assert sorted(drawn) == sorted(built + list(end.site)) == list(range(1, TABLE[seats, long_game][0] + 1))
    assert end.deck == ()
    assert len(end.site) == 1
    for seat in range(seats):
        own = [fact for fact in facts if isinstance(fact, Built) and fact.seat == seat]
        paid, gained = sum(fact.paid for fact in own), sum(fact.gained for fact in own)
        assert end.stones[seat] == states[0].stones[seat] - paid + gained >= 0


def test_a_refill_keeps_the_last_tile_at_the_start():
    """AK-34: the tile that nobody took is now free."""
    states, facts, _ = match(3, 4)
    for before, after in itertools.pairwise(states):
        if after.round > before.round:
            assert after.site[0] in before.site
            assert set(after.site[1:]) <= set(before.deck)
    assert sum(isinstance(fact, NextRound) for fact in facts) == 11


def test_draws_are_numbered_and_the_first_seat_is_the_first_of_them():
    """AK-19, AK-56."""
    _, facts, end = match(2, 5)
    numbers = [fact.n for fact in facts if isinstance(fact, (Opened, Drawn))]
    assert numbers == list(range(38))
    assert end.draws == 38
    _, facts, _ = match(2, 5, first_seat=1)
    assert [fact.n for fact in facts if isinstance(fact, (Opened, Drawn))] == [None, *range(37)]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_seat_may_be_first(seats):
    """AK-A9."""
    firsts = {begin(GAME, seats, Options(), quick(Random(seed)))[0].chief for seed in range(40)}
    assert firsts == set(range(seats))


@pytest.mark.parametrize(
    ("seats", "options"),
    [
        (2, {"first_seat": 2}),
        (3, {"first_seat": 3}),
        (2, {"solo_level": "metagenes"}),
        (1, {"first_seat": 1}),
    ],
)
def test_options_must_fit_the_number_of_seats(seats, options):
    with pytest.raises(Illegal) as refused:
        GAME.start(seats, Options(**options))
    assert refused.value.code == "bad_options"


@pytest.mark.parametrize(
    "raw",
    [
        {"first_seat": -1},
        {"first_seat": 4},
        {"first_seat": True},
        {"long_game": 1},
        {"variant_houses": "yes"},
        {"solo_level": "vitruvius"},
        {"athena": True},
    ],
)
def test_options_of_the_wrong_kind_are_refused(raw):
    """Section 8."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(raw, Options)


def test_the_end_comes_with_the_scoring_and_nothing_after_it():
    """AK-36, AK-60."""
    _, facts, end = match(2, 6)
    assert isinstance(facts[-1], Scored)
    assert facts[-1] == end.final
    assert GAME.to_act(end) == frozenset()
    for seat in (0, 1):
        with pytest.raises(Illegal) as refused:
            GAME.decide(end, seat, Build(0, 0, 0, 0))
        assert refused.value.code == "game_over"


def test_the_result_is_the_score_pad():
    """AK-53, AK-54."""
    _, _, end = match(3, 7, variant_gardens=True, variant_barracks=True)
    result = GAME.result(end)
    pads = end.final.scores
    assert result.scores == tuple(pad.total for pad in pads)
    for lines, pad in zip(result.breakdown, pads, strict=True):
        assert sum(line.points for line in lines) == pad.total
        assert [line.what.split(":")[0] for line in lines] == [*pad.districts, "stones"]
        assert all(d.points == d.value * d.stars for d in pad.districts.values())
    best = max((pad.total, pad.stones) for pad in pads)
    assert result.winners == tuple(s for s, pad in enumerate(pads) if (pad.total, pad.stones) == best)


def test_the_fold_needs_no_rules():
    """A log folds to the same state whatever was worked out on the way."""
    _, facts, end = match(4, 8)
    assert fold(GAME, facts) == end


def test_a_turn_may_not_be_taken_for_another():
    """AK-21, AK-62: also not while tiles are still being drawn."""
    start = fold(GAME, GAME.start(2, Options(first_seat=0)))
    for state, seat in ((start, 0), (begin(GAME, 2, Options(first_seat=0), quick(Random(1)))[0], 1)):
        with pytest.raises(Illegal) as refused:
            GAME.decide(state, seat, Build(0, 1, 1, 3))
        assert refused.value.code == "not_your_turn"
        assert not GAME.legal(state, seat)


def test_a_rotation_that_does_not_exist_is_refused_without_a_parser():
    state = begin(GAME, 2, Options(first_seat=0), quick(Random(1)))[0]
    with pytest.raises(Illegal) as refused:
        GAME.decide(state, 0, Build(0, 1, 1, 6))
    assert refused.value.code == "bad_field"
