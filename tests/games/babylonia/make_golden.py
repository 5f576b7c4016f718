"""Golden logs of good play: `python -m tests.games.babylonia.make_golden` writes them anew.

Random play never runs out of cities and hardly uses a card, so greedy bots record these. They take the cards
that are still to be shown, until every card has made a difference and both ends of BA-61 have come.
"""

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from bots import greedy
from bots.arena import Played, play_match
from engine.game import AnyGame
from engine.games.babylonia import GAME
from engine.games.babylonia.model import Options, TakeCard
from tests.games.babylonia.feats import ALL, Feat, feats

FOLDER = Path(__file__).with_name("golden")


def record(number: int, wanted: set[Feat]) -> Played:
    def choose(game: AnyGame, view: Any, seat: int, legal: Sequence[Any], rng: Random) -> Any:
        wishes = [a for a in legal if isinstance(a, TakeCard) and a.card in wanted]
        return wishes[0] if wishes else greedy.choose(game, view, seat, legal, rng)

    seats = 2 + number % 3
    options = Options(ziggurat_cards="random7", resolve_order=("choose", "auto")[number % 2])
    return play_match(GAME, options, ["greedy"] * seats, [choose] * seats, f"babylonia golden {number}")


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.ndjson"):
        old.unlink()
    missing = set(ALL)
    number = 0
    while missing:
        played = record(number, missing)
        if shown := feats(played.lines) & missing:
            name = "-".join(sorted(map(str, shown)))
            (FOLDER / f"{name}.ndjson").write_bytes(played.export)
            missing -= shown
        number += 1


if __name__ == "__main__":
    main()
