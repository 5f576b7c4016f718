"""Exact numbers of sequences to a small depth, counted by the engine and by the reference.

A leaf is one way in which so many decisions and all the dice between them can go.
"""

import copy
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from engine.game import CHANCE
from engine.games.machi_koro import GAME
from engine.games.machi_koro.model import Options, PlayerView, State, View
from tests.games.machi_koro.reference import CARDS, Table

FACES = range(1, 7)


def leaves(state: State, decisions: int) -> int:
    waiting = GAME.to_act(state)
    if not waiting or (decisions == 0 and CHANCE not in waiting):
        return 1
    (seat,) = waiting
    steps = GAME.odds(state).outcomes if seat == CHANCE else GAME.legal(state, seat)
    left = decisions if seat == CHANCE else decisions - 1
    return sum(leaves(after(state, seat, step), left) for step in steps)


def after(state: State, seat: int, step: Any) -> State:
    for fact in GAME.decide(state, seat, step):
        state = GAME.evolve(state, fact)
    return state


def plain_leaves(table: Table, decisions: int) -> int:
    if decisions == 0 or table.winner is not None:
        return 1
    return sum(
        plain_leaves(later, decisions - 1) for action in table.legal() for later in ways(table, action, [])
    )


def ways(table: Table, action: Any, dice: list[int]) -> Iterator[Table]:
    """Every table that the action can lead to: when a die is missing, all six are tried."""
    later = copy.deepcopy(table)
    later.rolls = list(dice)
    try:
        later.act(action)
    except IndexError:
        for face in FACES:
            yield from ways(table, action, [*dice, face])
    else:
        yield later


def seat(coins: int, *landmarks: str, **cards: int) -> PlayerView:
    return PlayerView(coins, cards, landmarks)


def both(phase: str, dice: tuple[int, ...], limit: int | None, *players: PlayerView) -> tuple[State, Table]:
    """The same position for the engine and for the reference."""
    table = Table(len(players), 0, limit, None)
    table.coins = [player.coins for player in players]
    table.cities = [dict(player.cards) for player in players]
    table.built = [set(player.landmarks) for player in players]
    table.phase, table.dice = phase, list(dice)
    view = View(
        seat=None,
        options=Options(copy_limit=limit),  # type: ignore[arg-type]
        phase=phase,  # type: ignore[arg-type]
        active=0,
        turn=1,
        dice=dice,
        rerolled=False,
        extra_turn=False,
        players=players,
        supply=table.supply,
        deck={},
        deck_size=0,
        winner=None,
    )
    return GAME.determinise(view, Random(0)), table


START = [seat(3, wheat_field=1, bakery=1)] * 3
RICH = seat(30, "train_station", "amusement_park", "radio_tower", wheat_field=1, tv_station=1, cafe=2)
LUCKY = seat(2, "train_station", "radio_tower", bakery=1, tv_station=1)
TRADER = seat(1, "train_station", business_center=1, bakery=2, mine=2, stadium=1)
POOR = seat(0, "shopping_mall", family_restaurant=1, cafe=1, wheat_field=2)

POSITIONS = {
    "start": (both("build", (6,), None, *START), [66, 4_548]),
    "roll with everything": (both("roll", (), None, RICH, TRADER, POOR), [42, 1_374]),
    "re-roll": (both("reroll", (2, 4), None, LUCKY, POOR, POOR), [247]),
    "trade": (both("business_center", (6,), None, TRADER, POOR, RICH), [11, 264]),
    "trade under the limit": (both("business_center", (6,), 2, TRADER, POOR, RICH), [11, 228]),
    "two seats": (both("build", (1, 5), None, RICH, TRADER), [16, 631]),
}


@pytest.mark.parametrize("name", POSITIONS)
def test_perft(name: str) -> None:
    (state, table), counts = POSITIONS[name]
    assert [leaves(state, depth) for depth in range(1, len(counts) + 1)] == counts
    assert [plain_leaves(table, depth) for depth in range(1, len(counts) + 1)] == counts


def test_the_most_actions_a_position_can_have() -> None:
    """MK-46: everybody owns every kind that can be traded."""
    city = dict.fromkeys(CARDS, 1)
    state, table = both("business_center", (6,), None, *[seat(0, **city)] * 4)
    assert len(GAME.legal(state, 0)) == len(table.legal()) == 397
