"""Golden logs: `make golden` writes them anew; a difference in git is a change of rules or of bytes.

For every game one log for each value of each option, at the smallest and the largest table, one that ends by
resignation, whatever its own `tests/games/<game>/endings.py` asks for, and the stories of a table.
"""

import importlib.util
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from bots.arena import EPOCH, Played, play_match
from bots.registry import bot
from engine import codec, registry
from engine.checks.variants import values
from engine.events import Holder, Place
from engine.game import AnyGame
from engine.log import Match
from engine.table import LogWriter, NewTable, act, open_match, resign, sit
from tests.golden.stories import stories
from tests.golden.swap import asked, replaced

HERE = Path(__file__).parent
GAMES = HERE.parent / "games"
MAX_SEEDS = 2000


def specs(game: AnyGame) -> Iterator[tuple[str, int, Any]]:
    """(name, seats, options): the defaults at every size of table, and every single change of an option."""
    low, high = game.players[0], game.players[-1]
    for seats in game.players:
        yield f"{seats}-seats", seats, game.Options()
    for field in msgspec.structs.fields(game.Options):
        for value in values(field.type):
            options = msgspec.structs.replace(game.Options(), **{field.name: value})
            seats = next((n for n in (high, low, *game.players) if _starts(game, n, options)), None)
            if options != game.Options() and seats is not None:
                yield f"{field.name}-{_slug(value)}", seats, options


def _slug(value: Any) -> str:
    text = json.dumps(msgspec.to_builtins(value))
    return "".join(c if c.isalnum() else "_" for c in text).strip("_").lower() or "none"


def _starts(game: AnyGame, seats: int, options: Any) -> bool:
    from engine.game import Illegal

    try:
        game.start(seats, options)
    except Illegal:
        return False
    return True


def endings(game: AnyGame) -> dict[str, tuple[int, Any, Callable[[Match], bool]]]:
    """A game's own wishes: name -> (seats, options, what the finished match must be like)."""
    path = GAMES / game.key.replace("-", "_") / "endings.py"
    if not path.exists():
        return {}
    spec = importlib.util.spec_from_file_location("endings", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found: dict[str, tuple[int, Any, Callable[[Match], bool]]] = module.ENDINGS
    return found


def logs(game: AnyGame) -> Iterator[tuple[str, Played]]:
    for name, seats, options in specs(game):
        yield name, _random(game, seats, options, name)
    for name, (seats, options, wanted) in endings(game).items():
        yield name, _search(game, seats, options, name, wanted)
    if len(game.players) > 1 or game.players[0] > 1:
        yield "resigned", _resigned(game)
    yield from stories(game)


def _random(game: AnyGame, seats: int, options: Any, seed: str) -> Played:
    names = ["random"] * seats
    return play_match(game, options, names, [bot(name) for name in names], f"golden {game.key} {seed}")


def _search(game: AnyGame, seats: int, options: Any, name: str, wanted: Callable[[Match], bool]) -> Played:
    for number in range(MAX_SEEDS):
        played = _random(game, seats, options, f"{name} {number}")
        if wanted(played.match):
            return played
    raise LookupError(f"{game.key}: no match ends as {name} wants")


def _resigned(game: AnyGame) -> Played:
    """Two people; after a few actions one of them gives up."""
    seats = 2 if 2 in game.players else game.players[0]
    writer = LogWriter(None, EPOCH, "account:a")
    ident = "gold" + codec.digest(game.key.encode())[:12]
    new = NewTable(ident, [Place("open")] * seats, [None] * seats, b"\7" * 32)
    open_match(writer, game.key, game.Options(), new)
    for seat in range(seats):
        writer.by = f"account:{'abcde'[seat]}"
        sit(writer, seat, Holder("person", writer.by))
    for _ in range(5):
        seat = writer.match.to_act[0]
        writer.by = f"account:{'abcde'[seat]}"
        act(writer, seat, game.legal(writer.match.state, seat)[0])
    writer.by = "account:b"
    resign(writer, 1, writer.by)
    assert writer.match.result is not None
    return Played(writer.match, writer.match.result, 5, writer.lines)


def describe(match: Match) -> dict[str, Any]:
    """What a replay must come to."""
    return {
        "seats": len(match.chairs),
        "options": msgspec.to_builtins(match.options),
        "events": match.seq,
        "head": match.head,
        "state": codec.digest(codec.encode(codec.pack(match.state))),
        "result": msgspec.to_builtins(match.result),
    }


def folder(game: AnyGame) -> Path:
    return HERE / game.key.replace("-", "_")


def main() -> None:
    for key in asked():
        game = registry.game(key)
        write(folder(game), dict(logs(game)))


def write(place: Path, made: dict[str, Played]) -> None:
    """Everything is made and written before the old logs go."""
    with replaced(place) as new:
        for name, played in made.items():
            (new / f"{name}.ndjson").write_bytes(played.export)
        index = {name: describe(played.match) for name, played in made.items()}
        text = json.dumps(index, indent=1, ensure_ascii=False, sort_keys=True)
        (new / "index.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
