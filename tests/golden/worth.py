"""What the hints of each game think of kept positions: figures of docs/strength.md are of these hints.

The positions are those of the golden logs, seen from every seat; one sum for each log and seat is kept.
"""

import json
from pathlib import Path

from engine import registry
from engine.game import AnyGame
from engine.log import steps
from engine.proof.verify import split
from tests.golden import swap
from tests.golden.make import folder

FILE = Path(__file__).parent / "worth.json"
EVERY = 5  # positions; and the last, which is won or lost
Worth = dict[str, list[float]]  # by log, then by seat


def worth(game: AnyGame) -> Worth:
    """Of every golden log in which only the rules are at work, not what people do around them."""
    logs = sorted(path for path in folder(game).glob("*.ndjson") if not path.stem.startswith("story-"))
    return {path.stem: _sums(game, path) for path in logs}


def _sums(game: AnyGame, log: Path) -> list[float]:
    value = registry.part(game.key, "hints", game.version).value
    played = [match for _, match in steps(split(log.read_bytes())) if match.state is not None]
    sums = [0.0] * len(played[-1].chairs)
    for match in (*played[::EVERY], played[-1]):
        for seat in range(len(sums)):
            sums[seat] += float(value(game.view(match.state, seat), seat))
    return [round(total, 3) for total in sums]


def kept() -> dict[str, Worth]:
    """By game."""
    found: dict[str, Worth] = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    return found


def main() -> None:
    known = kept()
    for key in swap.asked():
        known[key] = worth(registry.game(key))
    ours = {key: known[key] for key in registry.GAMES if key in known}
    swap.write(FILE, (json.dumps(ours, indent=1) + "\n").encode())


if __name__ == "__main__":
    main()
