"""A game may judge a state without making its view: the same number, from no more than the view shows."""

from __future__ import annotations

from random import Random

import pytest

from bots.dice import common
from bots.outlook import Outlook
from engine import registry
from engine.game import begin, play

JUDGED = [key for key in registry.GAMES if hasattr(registry.part(key, "hints"), "judge")]


def positions(game, seats, seed):
    rng, pick = Random(seed), common(seed)
    state, _ = begin(game, seats, game.Options(), pick)
    while waiting := game.to_act(state):
        yield state
        seat = min(waiting)
        state, _ = play(game, state, seat, rng.choice(game.legal(state, seat)), pick)
    yield state


@pytest.mark.parametrize("key", JUDGED)
def test_a_state_is_judged_as_its_view_is(key):
    game, hints = registry.game(key), registry.part(key, "hints")
    for seats in game.players:
        for state in list(positions(game, seats, seed=seats))[::3]:
            for seat in range(seats):
                assert hints.judge(state, seat) == pytest.approx(hints.value(game.view(state, seat), seat))


@pytest.mark.parametrize("key", JUDGED)
def test_what_is_hidden_does_not_change_the_judgement(key):
    game, hints, rng = registry.game(key), registry.part(key, "hints"), Random(1)
    for state in list(positions(game, 2, seed=5))[::2]:
        for seat in (0, 1):
            other = game.determinise(game.view(state, seat), rng)
            assert hints.judge(other, seat) == pytest.approx(hints.judge(state, seat))


def test_a_judge_that_looks_into_the_others_hand_is_found(monkeypatch):
    """The test above can fail: a judge that is told what a rival holds sees through an exchange."""
    hints = registry.part("babylonia", "hints")
    honest = hints.judge

    def judge(state, seat):
        return honest(state, seat) + state.players[1 - seat].stand[0]

    monkeypatch.setattr(hints, "judge", judge)
    with pytest.raises(AssertionError):
        test_what_is_hidden_does_not_change_the_judgement("babylonia")


def test_bots_judge_by_it():
    game, hints = registry.game("babylonia"), registry.part("babylonia", "hints")
    state = next(positions(game, 2, seed=1))
    assert Outlook(game).raw(state, 0) == pytest.approx(hints.value(game.view(state, 0), 0))
