"""Golden texts of notices: what people read, for every game and language, from real logs.

`make golden` writes them anew; a difference in git is a change of what people are told.
"""

from collections.abc import Iterator
from pathlib import Path
from random import Random

from engine import registry
from engine.accord import What, agree
from engine.events import Holder
from engine.game import Lang
from engine.log import load
from engine.match import Match
from engine.table import Pen, act, resign
from engine.tenure import substitute, time_out
from engine.undo import undo
from service.history import seconds
from service.messages import Message, Scene, notice
from tests.tables import person, seated

HERE = Path(__file__).parent / "notices"
NAMES = ("Anna", "Bert", "Cyril", "Dana", "Emil", "Františka")
SUBSTITUTE = Holder("person", "account:substitute")
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
    waits = next((seat for seat in pen.match.people if seat not in pen.match.to_act), None)
    if waits is not None:
        yield "the start, of another's turn", _notice(pen, waits, "begun", lang)
    yield "the first turn", _notice(pen, pen.match.to_act[0], "turn", lang)
    _play(pen, rng, 9)
    yield "in the middle", _notice(pen, pen.match.to_act[0], "turn", lang)
    yield "a reminder", _notice(pen, pen.match.to_act[0], "remind-25", lang)
    asked = _asked(pen, rng)
    other = next(s for s in pen.match.people if s != asked)
    yield "a question", _notice(pen, other, "asked", lang)
    wishes: tuple[What, ...] = ("pause", "abandon")
    for what in wishes:
        agree(pen, asked, what)
        yield f"a wish: {what}", _notice(pen, other, f"wish-{what}", lang)
    yield from _absence(pen, rng, lang)
    while pen.match.status == "running":
        _step(pen, rng)
    yield "the end", _notice(pen, 0, "over", lang)
    yield "a rematch", _notice(pen, 0, "rematch", lang)
    given_up = seated(key)
    resign(given_up, 1, person(1).id)
    yield "the end, by resignation", _notice(given_up, 0, "over", lang)


def _absence(pen: Pen, rng: Random, lang: Lang) -> Iterator[tuple[str, Message]]:
    """Time runs out, a bot plays, a substitute comes and runs out of time."""
    away = pen.match.to_act[0]
    other = next(s for s in pen.match.people if s != away)
    time_out(pen, away, "caretaker")
    yield "a caretaker", _notice(pen, away, "away", lang)
    substitute(pen, away, SUBSTITUTE)
    yield "a substitute, to the owner", _notice(pen, away, "stepped-owner", lang, who=person(away).id)
    yield "a substitute, to another", _notice(pen, other, "stepped", lang)
    yield "a substitute's first turn", _notice(pen, away, "turn", lang, who=SUBSTITUTE.id)
    time_out(pen, away, "caretaker")
    yield "a substitute's time is up, to the owner", _notice(pen, away, "away", lang)
    yield "a substitute's time is up, to them", _notice(pen, away, "relieved", lang, who=SUBSTITUTE.id)


def _step(pen: Pen, rng: Random) -> None:
    """One random action by whoever holds the seat."""
    match = pen.match
    seat = rng.choice(match.to_act)
    holder = match.chairs[seat].holder
    assert holder is not None
    pen._by = holder.id if holder.kind == "person" else f"bot:{holder.id}"
    act(pen, seat, rng.choice(list(match.rules.legal(match.state, seat))))


def _play(pen: Pen, rng: Random, most: int) -> None:
    for _ in range(most):
        _step(pen, rng)


def _asked(pen: Pen, rng: Random) -> int:
    """Somebody asks to take back what cannot be taken back freely."""
    while pen.match.run or pen.match.runner is None:
        _step(pen, rng)
    seat = pen.match.runner
    to = pen.match.seq - 1
    undo(pen, seat, to, load(pen.lines[:to]))
    return seat


def _notice(pen: Pen, seat: int, kind: str, lang: Lang, who: str = "") -> Message:
    match: Match = pen.match
    names = NAMES[: len(match.chairs)]
    changed = max(part.seq for chair in match.chairs for part in chair.parts)
    since = match.seq if kind.startswith("wish") else changed
    scene = Scene(match, pen.lines, seat, who or person(seat).id, names, lang, "https://games.example.org",
                  _parts(match), since, "Bert")  # fmt: skip
    return notice(scene, kind, "id", seconds(match.updated) + 86400, "Europe/Prague")


def _parts(match: Match) -> list[list[dict[str, object]]]:
    called = {SUBSTITUTE.id: "Dana", "greedy": "Greedy bot"}
    return [
        [
            {"from": p.seq, "kind": p.holder.kind, "why": p.why, "name": called.get(p.holder.id, NAMES[seat])}
            for p in chair.parts
        ]
        for seat, chair in enumerate(match.chairs)
    ]


def main() -> None:
    HERE.mkdir(exist_ok=True)
    for old in HERE.glob("*.txt"):
        old.unlink()
    for key in registry.GAMES:
        for lang in LANGS:
            path(key, lang).write_text(text(key, lang), encoding="utf-8")


if __name__ == "__main__":
    main()
