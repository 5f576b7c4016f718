"""Bots that look one step ahead by these hints play better than chance."""

from random import Random

import pytest

from bots import greedy
from engine.chance import quick
from engine.game import begin, play
from engine.games.machi_koro import GAME
from engine.games.machi_koro.hints import income, value
from engine.games.machi_koro.model import Options
from tests.games.playing import Step


def test_a_win_is_worth_more_than_anything_else(played: list[list[Step]]) -> None:
    for match in played:
        last = match[-1]
        seen = GAME.view(last.after, None)
        rest = [value(GAME.view(step.before, None), last.after.active) for step in match]
        assert value(seen, last.after.active) > max(rest)
        assert value(seen, (last.after.active + 1) % len(seen.players)) < min(rest)


@pytest.mark.parametrize(
    ("cards", "landmarks", "coins"),
    [
        ((("wheat_field", 1),), (), 1 / 6 + 1 / 12),
        ((("bakery", 1),), (), 2 / 6),
        ((("bakery", 1),), ("shopping_mall",), 4 / 6),
        ((("ranch", 2), ("cheese_factory", 2)), ("train_station",), 2 / 36 + 12 * 6 / 36 + 7 / 36),
    ],
)
def test_income_of_a_round_with_one_opponent(
    cards: tuple[tuple[str, int], ...], landmarks: tuple[str, ...], coins: float
) -> None:
    assert income(cards, landmarks, 1) == pytest.approx(coins + 0.1)


def test_greedy_beats_random() -> None:
    assert [_winner(seed) for seed in range(4)] == [seed % 2 for seed in range(4)]


def _winner(seed: int) -> int:
    """The seat that wins; the greedy bot sits at seat `seed % 2`, the other plays at random."""
    rng = Random(seed)
    pick = quick(rng)
    state, _ = begin(GAME, 2, Options(), pick)
    while GAME.to_act(state):
        seat = state.active
        legal = GAME.legal(state, seat)
        if seat == seed % 2:
            action = greedy.choose(GAME, GAME.view(state, seat), seat, legal, rng)
        else:
            action = rng.choice(legal)
        state, _ = play(GAME, state, seat, action, pick)
    return state.active
