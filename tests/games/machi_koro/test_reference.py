"""Whole random matches beside the plain reference: the same actions are legal, the same things happen."""

from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.chance import quick
from engine.game import Odds, begin, play
from engine.games.machi_koro import GAME
from engine.games.machi_koro.model import Dice, Options, Starter, State, TopCard
from tests.games.machi_koro.reference import Table

OPTIONS = st.builds(Options, supply=st.sampled_from(("full", "ten")), copy_limit=st.sampled_from((None, 2)))


class Recorder:
    """Fast dice that remember how they fell."""

    def __init__(self, seed: int) -> None:
        self.pick = quick(Random(seed))
        self.dice: list[int] = []
        self.cards: list[str] = []
        self.first = 0

    def __call__(self, odds: Odds[Any], n: int) -> Any:
        outcome = self.pick(odds, n)
        match outcome:
            case Dice():
                self.dice += outcome.faces
            case TopCard():
                self.cards.append(outcome.card)
            case Starter():
                self.first = outcome.seat
        return outcome


def plain(state: State) -> dict[str, Any]:
    """What both sides can say about a position."""
    view = GAME.view(state, None)
    return {
        "coins": list(state.coins),
        "cities": [player.cards for player in view.players],
        "built": [set(player.landmarks) for player in view.players],
        "supply": view.supply,
        "hidden": view.deck_size,
        "active": state.active,
        "turn": state.turn,
        "phase": state.phase,
        "dice": list(state.dice),
        "rerolled": state.rerolled,
        "extra": state.extra_turn,
        "winner": view.winner,
    }


def in_step(seed: int, seats: int, options: Options) -> tuple[State, int]:
    rng, chance = Random(seed), Recorder(seed)
    state, _ = begin(GAME, seats, options, chance)
    # The lists are shared: what chance appends, the reference takes.
    table = Table(seats, chance.first, options.copy_limit, chance.cards if options.supply == "ten" else None)
    table.rolls = chance.dice
    table.run()
    actions = 0
    while GAME.to_act(state):
        legal = GAME.legal(state, state.active)
        raw = [msgspec.to_builtins(action) for action in legal]
        assert {name: getattr(table, name) for name in plain(state)} == plain(state)
        assert sorted(raw, key=repr) == sorted(table.legal(), key=repr)
        at = rng.randrange(len(legal))
        state, _ = play(GAME, state, state.active, legal[at], chance)
        table.act(raw[at])
        actions += 1
    assert {name: getattr(table, name) for name in plain(state)} == plain(state)
    assert not chance.dice
    assert not chance.cards
    return state, actions


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.integers(2, 4), OPTIONS)
def test_a_match_agrees_with_the_reference_at_every_step(seed: int, seats: int, options: Options) -> None:
    state, _ = in_step(seed, seats, options)
    assert GAME.result(state) is not None


@pytest.mark.parametrize(("seats", "turns", "actions"), [(2, 83, 129), (4, 108, 160)])
def test_random_matches_are_as_long_as_the_rules_say(seats: int, turns: int, actions: int) -> None:
    """MK-4."""
    played = [in_step(seed, seats, Options()) for seed in range(40)]
    assert sum(state.turn for state, _ in played) / 40 == pytest.approx(turns, rel=0.12)
    assert sum(count for _, count in played) / 40 == pytest.approx(actions, rel=0.12)
