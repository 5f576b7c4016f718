"""What bots are told is worth having."""

from random import Random

import pytest
from msgspec.structs import replace

from bots.arena import Tally, play_order, series
from engine.games.babylonia import GAME, hints
from engine.games.babylonia.content import mask
from engine.games.babylonia.model import ExtraTurn, Options, Place
from engine.games.babylonia.position import position as state_of
from tests.games.babylonia.positions import position
from tests.games.playing import Step


def test_greedy_beats_random_in_every_match() -> None:
    tally = Tally(2)
    for order in series(GAME, Options(), ["greedy", "random"], 2, 1):
        tally.add(play_order(order), order.entries)
    assert tally.wins == [2, 0]
    assert tally.scores[0] > 4 * tally.scores[1]


def test_a_value_is_a_lead(played: list[list[Step]]) -> None:
    """With two seats what one gains the other loses, apart from whose turn it is."""
    for match in (match for match in played if len(match[0].after.players) == 2):
        for step in match[3::9]:
            state = replace(step.after, phase="resolve")
            spectator = GAME.view(state, None)
            assert hints.value(spectator, 0) == pytest.approx(-hints.value(spectator, 1))


def test_more_points_are_better() -> None:
    state = state_of(position(Random(4)))
    richer = replace(state.players[0], points=(5, 0, 0, 0, 0))
    ahead = replace(state, players=(richer, *state.players[1:]))
    values = [hints.value(GAME.view(one, 1), 0) for one in (state, ahead)]
    assert values[1] == pytest.approx(values[0] + 5)


def test_networks_are_parts_of_what_belongs_together() -> None:
    hexes = mask([(5, 0), (5, -1), (8, 1)])
    assert set(hints.parts(hexes)) == {mask([(5, 0), (5, -1)]), mask([(8, 1)])}


def test_an_extra_turn_is_worth_taking() -> None:
    described = position(Random(8)) | {"cards": {"available": [], "owned": [[2], [], [], []]}}
    state = state_of(described)
    waiting = replace(state, phase="extra_turn", seat=0, turn_number=10)
    values = []
    for use in (True, False):
        after = waiting
        for fact in GAME.decide(waiting, 0, ExtraTurn(use)):
            after = GAME.evolve(after, fact)
        values.append(hints.value(GAME.view(after, 0), 0))
    assert values[0] > values[1]


def test_a_first_guess_prefers_tiles_and_ziggurats(played: list[list[Step]]) -> None:
    view = GAME.view(played[0][0].after, 0)
    next_to_ziggurat, far_from_all = Place("farmer", (8, 1)), Place("farmer", (5, 2))
    assert hints.prior(view, 0, next_to_ziggurat) > 0
    assert hints.prior(view, 0, next_to_ziggurat) >= hints.prior(view, 0, far_from_all)
