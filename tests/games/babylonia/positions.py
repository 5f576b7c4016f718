"""Random positions, as rule cases describe them: boards from nearly empty to nearly full."""

from random import Random
from typing import Any

from hypothesis import strategies as st

from tests.games.babylonia.brute import CELLS, KINDS, TILES, Hex, in_play

Given = dict[str, Any]
CITIES = [kind for kind, tile in TILES.items() if tile["group"] == "city"]
SEEDS = st.integers(0, 2**32)


def givens() -> st.SearchStrategy[Given]:
    """Positions by seed: a generator of its own varies boards more than choices drawn one by one."""
    return SEEDS.map(lambda seed: position(Random(seed)))


def position(rng: Random) -> Given:
    players = rng.randint(2, 4)
    seat = rng.randrange(players)
    turn = rng.choice([0, 1, 2, 10, 10, 10])
    tiles = _tiles(players, rng)
    owner = {card: rng.choice([-1, seat, seat, rng.randrange(players)]) for card in range(1, 10)}
    return {
        "players": players,
        "options": {"river_tokens_open_fields": rng.random() < 0.5},
        "seat": seat,
        "turn_number": turn,
        "tiles": [{"hex": list(at), "kind": kind} for at, kind in tiles.items()],
        "ziggurats_resolved": [list(at) for at in _spaces(players, "ziggurat") if rng.random() < 0.3],
        "tokens": [
            {"hex": list(at), "seat": rng.randrange(players), "kind": rng.choice(KINDS)}
            for at in _taken(players, tiles, rng)
        ],
        "stands": [_stand(2 if turn < 2 else 1, rng) for _ in range(players)],
        "supplies": [["farmer"] * 8 for _ in range(players)],
        "cards": {
            "available": [card for card in owner if owner[card] < 0],
            "owned": [[card for card in owner if owner[card] == own] for own in range(players)],
            "spent": [],
        },
        "score": [0] * players,
        "city_tiles": [rng.choices(CITIES, k=rng.randrange(6)) for _ in range(players)],
    }


def _spaces(players: int, space: str) -> list[Hex]:
    return [at for at in CELLS if at in in_play(players) and CELLS[at]["space"] == space]


def _tiles(players: int, rng: Random) -> dict[Hex, str]:
    share = rng.choice([0.2, 0.6, 1.0])
    return {at: rng.choice(list(TILES)) for at in _spaces(players, "location") if rng.random() < share}


def _taken(players: int, tiles: dict[Hex, str], rng: Random) -> list[Hex]:
    """Where tokens lie; on half of the boards all land but a few hexes is full."""
    empty = [at for at in CELLS if at in in_play(players) and at not in tiles]
    plain = [at for at in empty if CELLS[at]["space"] != "ziggurat"]
    rivers = [at for at in plain if CELLS[at]["terrain"] == "river" and rng.random() < 0.5]
    land = [at for at in plain if CELLS[at]["terrain"] == "land"]
    rng.shuffle(land)
    left = rng.choice([rng.randrange(5), rng.randrange(5), len(land) // 10, len(land) // 2])
    return land[left:] + rivers


def _stand(least: int, rng: Random) -> list[str]:
    kinds = rng.choice([KINDS, ("farmer", "farmer", *KINDS), ("farmer",)])
    return rng.choices(kinds, k=rng.randint(least, 7))
