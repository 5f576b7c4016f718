"""BA-34, BA-35 on a board without room, which random boards hardly ever show."""

from typing import Any

import pytest

from engine.game import Illegal
from engine.games.babylonia import GAME
from engine.games.babylonia.facts import Placed, PlacingEnded
from engine.games.babylonia.model import Place, State
from engine.games.babylonia.position import position
from tests.games.babylonia.brute import CELLS, Hex, in_play, is_river

FAR, ALSO_FAR = (0, 1), (1, 9)
BY_THE_FIELD, FIELD = (5, 0), (5, 1)


def crowded(*free: Hex, field: bool = False) -> State:
    """Two players; seat 0 owns card 5, and all land but a few hexes is taken by seat 1."""
    land = [at for at in CELLS if at in in_play(2) and not is_river(at) and at not in free]
    taken = [at for at in land if CELLS[at]["space"] != "ziggurat" and not (field and at == FIELD)]
    return position(
        {
            "players": 2,
            "seat": 0,
            "turn_number": 10,
            "tiles": [{"hex": list(FIELD), "kind": "field_5"}] if field else [],
            "tokens": [{"hex": list(at), "seat": 1, "kind": "farmer"} for at in taken],
            "stands": [["farmer", "farmer", "farmer", "farmer", "priest"], ["farmer"]],
            "supplies": [["farmer"], ["farmer"]],
            "cards": {"available": [], "owned": [[5], []]},
            "score": [0, 0],
            "city_tiles": [[], []],
        }
    )


def after(state: State, *placements: tuple[str, Hex]) -> State:
    for token, at in placements:
        facts = GAME.decide(state, 0, Place(token, at))
        assert [type(fact) for fact in facts] == [Placed], "placing goes on"
        state = GAME.evolve(state, facts[0])
    return state


def outcome(state: State, token: str, at: Hex) -> Any:
    try:
        return [type(fact) for fact in GAME.decide(state, 0, Place(token, at))][:2]
    except Illegal as refusal:
        return refusal.code


def test_a_noble_may_not_take_the_last_hex_that_a_farmer_needs() -> None:
    state = after(crowded(FAR, ALSO_FAR, BY_THE_FIELD), ("farmer", FAR), ("farmer", ALSO_FAR))
    assert outcome(state, "priest", BY_THE_FIELD) == "set_not_allowed"
    assert outcome(state, "farmer", BY_THE_FIELD) == [Placed, PlacingEnded]
    assert [a.token for a in GAME.legal(state, 0) if isinstance(a, Place)] == ["farmer"]


def test_unless_it_opens_a_field_for_that_farmer() -> None:
    state = crowded(FAR, ALSO_FAR, BY_THE_FIELD, field=True)
    state = after(state, ("farmer", FAR), ("farmer", ALSO_FAR), ("priest", BY_THE_FIELD))
    assert GAME.legal(state, 0) == [Place("farmer", FIELD)]


@pytest.mark.parametrize(("field", "ends"), [(False, True), (True, False)])
def test_placing_ends_when_no_third_farmer_could_follow_the_second(field: bool, ends: bool) -> None:
    """After a noble and a farmer the last hex would leave the set open, unless it opens a field."""
    state = after(crowded(FAR, ALSO_FAR, BY_THE_FIELD, field=field), ("priest", FAR))
    assert outcome(state, "farmer", ALSO_FAR) == ([Placed, PlacingEnded] if ends else [Placed])
