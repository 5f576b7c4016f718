"""Golden texts of notices: what people read, for every game and language, from real logs.

`make golden` writes them anew; a difference in git is a change of what people are told.
"""

from collections.abc import Iterator
from pathlib import Path
from random import Random

from engine import registry
from engine.game import Lang
from engine.log import load
from engine.match import Match
from engine.table import Pen
from engine.tenure import time_out
from engine.undo import undo
from service.history import seconds
from service.messages import Message, Scene, notice
from tests.tables import seated, step

HERE = Path(__file__).parent / "notices"
NAMES = ("Anna", "Bert", "Cyril", "Dana", "Emil", "Františka")
LANGS: tuple[Lang, ...] = ("en", "cs")


def path(key: str, lang: Lang) -> Path:
    return HERE / f"{key.replace('-', '_')}.{lang}.txt"


def text(key: str, lang: Lang) -> str:
    """All notices of a game, one after the other."""
    shown = [f"=== {title}\n{message.subject}\n\n{message.text}\n" for title, message in _messages(key, lang)]
    return "\n".join(shown)


def _messages(key: str, lang: Lang) -> Iterator[tuple[str, Message]]:
    pen = seated(key)
    rng = Random(f"notices {key}")
    yield "the first turn", _notice(pen, pen.match.to_act[0], "turn", lang)
    _play(pen, rng, 9)
    yield "in the middle", _notice(pen, pen.match.to_act[0], "turn", lang)
    yield "a reminder", _notice(pen, pen.match.to_act[0], "remind", lang)
    asked = _asked(pen, rng)
    yield "a question", _notice(pen, next(s for s in pen.match.people if s != asked), "asked", lang)
    away = pen.match.to_act[0]
    time_out(pen, away, "caretaker")
    yield "a caretaker", _notice(pen, away, "away", lang)
    while pen.match.status == "running":
        step(pen, rng)
    yield "the end", _notice(pen, 0, "over", lang)


def _play(pen: Pen, rng: Random, most: int) -> None:
    for _ in range(most):
        step(pen, rng)


def _asked(pen: Pen, rng: Random) -> int:
    """Somebody asks to take back what cannot be taken back freely."""
    while pen.match.run or pen.match.runner is None:
        step(pen, rng)
    seat = pen.match.runner
    to = pen.match.seq - 1
    undo(pen, seat, to, load(pen.lines[:to]))
    return seat


def _notice(pen: Pen, seat: int, kind: str, lang: Lang) -> Message:
    match: Match = pen.match
    scene = Scene(match, pen.lines, seat, NAMES[: len(match.chairs)], lang, "https://games.example.org")
    return notice(scene, kind, "id", seconds(match.updated) + 86400, "Europe/Prague")


def main() -> None:
    HERE.mkdir(exist_ok=True)
    for old in HERE.glob("*.txt"):
        old.unlink()
    for key in registry.GAMES:
        for lang in LANGS:
            path(key, lang).write_text(text(key, lang), encoding="utf-8")


if __name__ == "__main__":
    main()
