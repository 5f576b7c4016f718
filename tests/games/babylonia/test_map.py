"""Section 2 and 3: the map in data.json is the one drawn in rules.md and keeps what BA-3 promises."""

from collections import Counter
from pathlib import Path

import pytest

import engine.games.babylonia
from engine.games.babylonia.content import (
    BOARDS,
    CELLS,
    HEXES,
    LABELS,
    LAND,
    LAND_NEAR,
    NEAR,
    RIVER,
    TILE_KINDS,
    cells,
    mask,
    spots,
    union,
)
from tests.games.babylonia.brute import CELLS as RAW
from tests.games.babylonia.brute import in_play, neighbours

RULES = Path(engine.games.babylonia.__file__).with_name("rules.md").read_text(encoding="utf-8")
LETTERS = {"north": "n", "center": "c", "south": "s", "tigris": "t", "euphrates": "e"}


def _drawn() -> dict[tuple[int, int], str]:
    """The picture in rules.md: (row, column) -> its letter."""
    picture = RULES.split("row  A   B", 1)[1].split("```", 1)[0].splitlines()[1:]
    return {
        (int(line[:3]), (place - 5) // 4): letter
        for line in picture
        for place, letter in enumerate(line)
        if place > 3 and letter.strip()
    }


def test_the_data_is_the_picture() -> None:
    """BA-1, BA-2, BA-7."""
    letters = {}
    for (q, r), cell in RAW.items():
        letter = LETTERS[cell["region"]]
        letters[2 * r + q, q] = {"location": letter.upper(), "ziggurat": "Z"}.get(cell["space"], letter)
    assert letters == _drawn()
    assert len(letters) == 175


def test_hexes_are_counted_in_canonical_order() -> None:
    """BA-7: by row, then column; the first hex is the highest bit."""
    order = [HEXES[number] for number in cells(union(1 << number for number in range(175)))]
    assert order == list(RAW)
    assert order == sorted(order, key=lambda at: (2 * at[1] + at[0], at[0]))
    assert LABELS[CELLS[7, 6]] == "H10"
    assert spots(mask([(7, 6), (8, 4), (7, 5)])) == ((8, 4), (7, 5), (7, 6))


def test_neighbours() -> None:
    """BA-22."""
    for at in RAW:
        assert set(spots(NEAR[CELLS[at]])) == set(neighbours(at))


def test_what_code_may_rely_on() -> None:
    """BA-2, BA-3."""
    special = {at for at, cell in RAW.items() if cell["space"] != "plain"}
    for at in special:
        around = [one for one in neighbours(at) if RAW[one]["terrain"] == "land"]
        assert 3 <= len(around) <= 6
        assert {RAW[one]["region"] for one in around} == {RAW[at]["region"]}
        assert not special & set(around)
    ziggurats = [at for at in special if RAW[at]["space"] == "ziggurat"]
    assert max(Counter(one for at in ziggurats for one in neighbours(at)).values()) == 1
    assert LAND & RIVER == 0
    assert (LAND | RIVER).bit_count() == 175
    assert all(LAND_NEAR[number] & RIVER == 0 for number in range(175))


@pytest.mark.parametrize(
    ("players", "hexes", "locations", "ziggurats", "cities", "free"),
    [(2, 113, 18, 3, 12, 92), (3, 149, 26, 4, 16, 119), (4, 175, 32, 5, 19, 138)],
)
def test_what_is_in_play(
    players: int, hexes: int, locations: int, ziggurats: int, cities: int, free: int
) -> None:
    """BA-10, BA-11: the table."""
    board = BOARDS[players]
    assert set(spots(board.in_play)) == in_play(players)
    assert board.in_play.bit_count() == hexes
    assert len(board.locations) == sum(board.tiles) == locations
    assert board.ziggurats.bit_count() == len(board.around) == ziggurats
    tiles = dict(zip(TILE_KINDS, board.tiles, strict=True))
    assert sum(count for kind, count in tiles.items() if kind.startswith("city")) == cities
    assert board.free.bit_count() == free
