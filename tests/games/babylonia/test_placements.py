"""What may be placed where, what it scores, why it is refused and when placing ends: all by trying."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings

from engine.game import Illegal
from engine.games.babylonia import GAME
from engine.games.babylonia.facts import Placed, PlacingEnded
from engine.games.babylonia.model import Done, Place, State
from engine.games.babylonia.position import position as state_of
from tests.games.babylonia import positions
from tests.games.babylonia.brute import CELLS, KINDS, TILES, Hex, Position, Set, Turn, with_placed
from tests.games.babylonia.positions import SEEDS


@settings(max_examples=120, deadline=None)
@given(SEEDS)
def test_a_turn_token_by_token(seed: int) -> None:
    """BA-31 to BA-40 and BA-110 along a random turn."""
    rng = Random(seed)
    described = positions.position(rng)
    state = state_of(described)
    placed: Set = []
    while True:
        turn = Turn(described, placed)
        legal = turn.legal()
        assert _placements(state) == legal
        assert (Done() in GAME.legal(state, turn.seat)) == turn.complete()
        _check_refusals(state, turn, rng)
        if not legal:
            return
        placed = [*placed, _choice(legal, rng)]
        facts = GAME.decide(state, turn.seat, Place(*placed[-1]))
        _check_placed(facts[0], turn, placed[-1])
        ended = any(isinstance(fact, PlacingEnded) for fact in facts)
        assert ended == Turn(described, placed).ends_by_itself()
        if ended:
            return
        state = GAME.evolve(state, facts[0])


def _choice(legal: set[tuple[str, Hex]], rng: Random) -> tuple[str, Hex]:
    """Mostly on land and often on fields: that is where turns grow long."""
    land = sorted(one for one in legal if CELLS[one[1]]["terrain"] == "land")
    fields = [one for one in land if CELLS[one[1]]["space"] == "location"]
    options = rng.choice([fields, land, land, land]) or land or sorted(legal)
    kind = rng.choice(sorted({kind for kind, _ in options}))
    return rng.choice([one for one in options if one[0] == kind])


def _placements(state: State) -> set[tuple[str, Hex]]:
    return {(a.token, a.hex) for a in GAME.legal(state, state.seat) if isinstance(a, Place)}


def _check_refusals(state: State, turn: Turn, rng: Random) -> None:
    for at in [*rng.sample(sorted(CELLS), 12), (20, 20), (-1, 0)]:
        for kind in (*KINDS, "king"):
            wanted = turn.refusal(kind, at)
            if wanted is not None:
                with pytest.raises(Illegal) as refused:
                    GAME.decide(state, turn.seat, Place(kind, at))
                assert refused.value.code == wanted, (kind, at)


def _check_placed(fact: Any, turn: Turn, placement: tuple[str, Hex]) -> None:
    kind, at = placement
    assert isinstance(fact, Placed)
    assert (fact.seat, fact.token, fact.hex) == (turn.seat, kind, at)
    assert fact.face_down == (CELLS[at]["terrain"] == "river")
    assert fact.field == turn.now.tiles.get(at)
    assert fact.field_points == _field_points(turn, at)
    after = Position(with_placed(turn.given, [*turn.placed, placement]))
    next_to_one = any(abs(q - at[0]) <= 1 and at in _around((q, r)) for q, r in after.ziggurats)
    assert set(fact.ziggurats) == (after.touched(turn.seat) if next_to_one else set())


def _around(at: Hex) -> set[Hex]:
    q, r = at
    return {(q, r - 1), (q + 1, r - 1), (q + 1, r), (q, r + 1), (q - 1, r + 1), (q - 1, r)}


def _field_points(turn: Turn, at: Hex) -> int:
    """BA-39."""
    if at not in turn.now.tiles:
        return 0
    value = TILES[turn.now.tiles[at]]["value"]
    return sum(map(len, turn.given["city_tiles"])) if value == "cities" else int(value)
