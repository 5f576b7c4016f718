"""Bots that look one step ahead by these hints play far better than chance (chapter 23)."""

from random import Random

from engine.chance import quick
from engine.game import begin, play
from engine.games.world_wonders import GAME
from engine.games.world_wonders.hints import value
from engine.games.world_wonders.model import (
    Options,
    State,
)
from tests.games.playing import Step


def best(state: State) -> object:
    """The action whose outcome the hints like best."""

    def after(action: object) -> float:
        later, _ = play(GAME, state, state.active, action, quick(Random(0)))
        return value(GAME.view(later, None), state.active)

    return max(GAME.legal(state, state.active), key=after)


def scores(seats: int, greedy: set[int], seed: int, options: Options) -> tuple[int, ...]:
    rng = Random(seed)
    pick = quick(rng)
    state, _ = begin(GAME, seats, options, pick)
    while GAME.to_act(state):
        legal = GAME.legal(state, state.active)
        action = best(state) if state.active in greedy else rng.choice(legal)
        state, _ = play(GAME, state, state.active, action, pick)
    result = GAME.result(state)
    assert result is not None
    return result.scores


def test_greedy_beats_random_by_far() -> None:
    for seed in range(3):
        mine, theirs = scores(2, {0}, seed, Options(map_side="A" if seed else "B"))
        assert mine > theirs + 10


def test_greedy_scores_lie_near_the_reference_ranges() -> None:
    """Chapter 23: 50 to 54 on average with two seats, 42 to 46 alone."""
    pair = scores(2, {0, 1}, 5, Options(advanced=True))
    assert 40 <= sum(pair) / 2 <= 60
    (alone,) = scores(1, {0}, 1, Options())
    assert 32 <= alone <= 60


def test_a_finished_match_is_worth_its_points(played: list[list[Step]]) -> None:
    for match in played:
        view = GAME.view(match[-1].after, None)
        result = GAME.result(match[-1].after)
        assert result is not None
        values = [value(view, seat) for seat in range(len(result.scores))]
        ranked = sorted(range(len(values)), key=lambda seat: -values[seat])
        assert [result.scores[seat] for seat in ranked] == sorted(result.scores, reverse=True)
