"""Legal sequences counted to a small depth: cheap, and merciless when a move is missing or doubled."""

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from engine.chance import prepared
from engine.game import play
from engine.games.babylonia import GAME
from engine.games.babylonia.content import BOARDS
from engine.games.babylonia.model import Player, State
from engine.games.babylonia.position import position
from tests.games.babylonia.brute import CELLS, Hex, in_play, is_river

FREE_LAND = ((0, 1), (1, 9), (5, 0), (4, 0), (8, 3), (9, 2))
FREE_RIVER = ((5, 2), (9, 3))


def endgame(cards: Sequence[Sequence[int]], stands: Sequence[Sequence[str]]) -> State:
    """Two players and empty supplies; eight free hexes, a field, and a city and a ziggurat nearly done."""
    tiles = {(5, 1): "field_6", (6, -1): "city_m", (8, -1): "city_s", (8, 4): "city_p"}
    spaces = [at for at in CELLS if at in in_play(2) and CELLS[at]["space"] != "ziggurat" and at not in tiles]
    given: dict[str, Any] = {
        "players": 2,
        "seat": 0,
        "turn_number": 30,
        "tiles": [{"hex": list(at), "kind": kind} for at, kind in tiles.items()],
        "ziggurats_resolved": [[1, 1], [2, 8]],
        "tokens": [_token(at) for at in spaces if at not in FREE_LAND and at not in FREE_RIVER],
        "stands": stands,
        "supplies": [[], []],
        "cards": {"available": [3, 7], "owned": cards},
        "score": [0, 0],
        "city_tiles": [[], []],
    }
    return position(given)


def _token(at: Hex) -> dict[str, Any]:
    """Seats by turns of rows and columns, so that both have neighbours everywhere."""
    kinds = ("farmer", "priest") if not is_river(at) else ("farmer", "merchant")
    return {"hex": list(at), "seat": (at[0] + at[1]) % 2, "kind": kinds[at[0] % 2]}


_NO_DRAWS = prepared([])


def perft(state: State, depth: int) -> int:
    waiting = GAME.to_act(state)
    if depth == 0 or not waiting:
        return 1
    (seat,) = waiting
    children = (play(GAME, state, seat, a, _NO_DRAWS)[0] for a in GAME.legal(state, seat))
    return sum(perft(child, depth - 1) for child in children)


FARMERS = ["farmer"] * 4
MIXED = ["farmer", "farmer", "priest", "servant"]


@pytest.mark.parametrize(
    ("cards", "stands", "counts"),
    [
        ([[], []], [FARMERS, FARMERS], [9, 72, 444, 2506, 11128]),
        ([[], []], [MIXED, MIXED], [25, 440, 5438]),
        ([[5, 6], [2]], [["farmer", "farmer", "farmer", "priest"], MIXED], [18, 216, 2490]),
        ([[4], []], [["priest", "servant", "merchant"], ["farmer"]], [24, 336, 1860, 3384, 4392]),
        ([[2], []], [["priest", "farmer", "farmer"], ["farmer"]], [17, 200, 366, 1734, 2090, 2170]),
    ],
)
def test_sequences_of_an_endgame(cards: Any, stands: Any, counts: list[int]) -> None:
    state = endgame(cards, stands)
    assert [perft(state, depth) for depth in range(1, len(counts) + 1)] == counts


def test_the_first_placements_of_a_match() -> None:
    """Section 11: any kind on any of 138 free hexes of a 4-player game, then any kind left on any other."""
    stand = Player(stand=(1, 1, 1, 2), supply=(0, 0, 0, 0))
    state = replace(endgame([[], []], [[], []]), players=(stand,) * 4, fields=0, free=BOARDS[4].free)
    first = GAME.legal(state, 0)
    assert len(first) == 4 * 138 == 552
    second = [GAME.legal(play(GAME, state, 0, action, _NO_DRAWS)[0], 0) for action in first]
    assert sum(map(len, second)) == (3 * 3 + 4) * 138 * 137
