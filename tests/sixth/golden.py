"""What is kept of the sixth game: `python -m tests.sixth.golden` writes it anew.

The log of version 1 is written once, by the rules of version 1, and never again.
"""

from __future__ import annotations

from pathlib import Path

from bots.arena import play_match
from bots.registry import bot
from engine import registry
from tests.golden import make, notices
from tests.golden.swap import replaced
from tests.sixth.registered import KEY, registered

HERE = Path(__file__).parent / "golden"
EARLIER = Path(__file__).parent / "earlier"


def write() -> None:
    game = registry.game(KEY)
    make.write(HERE / KEY, dict(make.logs(game)))
    with replaced(HERE / "notices") as new:
        for lang in notices.LANGS:
            told = notices.text(KEY, lang)
            (new / notices.path(KEY, lang).name).write_text(told, encoding="utf-8")


def write_earlier() -> None:
    """As if version 1 were the newest."""
    registry.part(KEY, "").GAME = game = registry.game(KEY, 1)
    names = ["random", "random", "greedy"]
    played = play_match(game, game.Options(), names, [bot(name) for name in names], "pig of version 1")
    EARLIER.mkdir(exist_ok=True)
    (EARLIER / "version-1.ndjson").write_bytes(played.export)


if __name__ == "__main__":
    with registered():
        write()
        if not EARLIER.exists():
            write_earlier()
