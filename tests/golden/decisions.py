"""What each revision of a game's rules decides in kept positions: a digest for each, written once.

The positions are those of logs of earlier releases, which are never written anew. `make golden` adds the
digest of a revision that has none; one that is there stays, and a test fails if the rules decide otherwise
under its name.
"""

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from engine import codec, registry
from engine.game import CHANCE, AnyGame
from engine.log import steps
from engine.proof.verify import split
from tests.golden import swap
from tests.golden.make import folder

EARLIER = Path(__file__).parent / "earlier"
MAX_ACTIONS = 12  # actions of one position and seat


def file(game: AnyGame) -> Path:
    return EARLIER / f"{game.key.replace('-', '_')}.decisions.json"


def log(game: AnyGame) -> Path:
    return EARLIER / f"{game.key.replace('-', '_')}.ndjson"


def digest(game: AnyGame) -> str:
    """Of everything that the rules say to the kept positions."""
    total = sha256()
    for said in _said(game):
        total.update(codec.encode(said))
    return total.hexdigest()


def _said(game: AnyGame) -> Iterator[Any]:
    for _, match in steps(split(log(game).read_bytes())):
        if match.state is None:
            continue
        for seat in range(len(match.chairs)):
            legal = list(game.legal(match.state, seat))
            yield [seat, len(legal), *(_outcome(game, match.state, seat, action) for action in _some(legal))]
        yield game.result(match.state)


def _some(legal: list[Any]) -> list[Any]:
    """A few from all over the list."""
    return legal[:: max(1, len(legal) // MAX_ACTIONS)]


def _outcome(game: AnyGame, state: Any, seat: int, action: Any) -> list[Any]:
    """The facts of an action, and what chance may do after them."""
    facts = list(game.decide(state, seat, action))
    for fact in facts:
        state = game.evolve(state, fact)
    if CHANCE not in game.to_act(state):
        return [action, facts]
    odds = game.odds(state)
    first = [list(game.decide(state, CHANCE, outcome)) for outcome in list(odds.outcomes)[:MAX_ACTIONS]]
    return [action, facts, odds.total, len(odds.outcomes), first]


def kept(game: AnyGame) -> dict[str, str]:
    """By revision."""
    if not file(game).exists():
        return {}
    found: dict[str, str] = json.loads(file(game).read_text(encoding="utf-8"))
    return found


def begin(game: AnyGame) -> None:
    """A new game keeps the positions of its first golden log from now on."""
    first = folder(game) / f"{game.players[0]}-seats.ndjson"
    if not log(game).exists():
        swap.write(log(game), first.read_bytes())


def main() -> None:
    for game in map(registry.game, swap.asked()):
        begin(game)
        known = kept(game)
        known.setdefault(str(game.revision), digest(game))
        swap.write(file(game), (json.dumps(known, indent=1) + "\n").encode())


if __name__ == "__main__":
    main()
