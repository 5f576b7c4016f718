"""Golden texts of notices: what people read, for every game and language, from real logs.

`make golden` writes them anew; a difference in git is a change of what people are told.
"""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

from engine import registry
from engine.accord import What, agree
from engine.events import Holder
from engine.game import Lang
from engine.kit.text import LANGS
from engine.log import load
from engine.match import Match
from engine.table import LogWriter, act, resign
from engine.tenure import substitute, time_out
from engine.undo import undo
from service.notices.messages import Message, Scene, notice
from service.time.history import seconds
from tests.golden.swap import asked, replaced
from tests.tables import MatchEnded, asker, person, seated

HERE = Path(__file__).parent / "notices"
NAMES = ("Anna", "Bert", "Cyril", "Dana", "Emil", "Františka")
SUBSTITUTE = Holder("person", "account:substitute")
MIDDLE, ROOM = 9, 4  # actions before the middle of a match, and at least as many after it
MAX_HANDS = 200


def path(key: str, lang: Lang) -> Path:
    return HERE / f"{key.replace('-', '_')}.{lang}.txt"


def text(key: str, lang: Lang) -> str:
    """All notices of a game, one after the other."""
    shown = [f"=== {title}\n{message.subject}\n\n{message.text}\n" for title, message in _messages(key, lang)]
    return "\n".join(shown)


def _messages(key: str, lang: Lang) -> Iterator[tuple[str, Message]]:
    writer, rng = seated(key), _hand(key)
    waits = next((seat for seat in writer.match.people if seat not in writer.match.to_act), None)
    if waits is not None:
        yield "the start, of another's turn", _notice(writer, waits, "begun", lang)
    yield "the first turn", _notice(writer, writer.match.to_act[0], "turn", lang)
    _play(writer, rng, MIDDLE)
    yield "in the middle", _notice(writer, writer.match.to_act[0], "turn", lang)
    yield "a reminder", _notice(writer, writer.match.to_act[0], "remind-25", lang)
    asked = _asked(writer, rng)
    other = next(s for s in writer.match.people if s != asked)
    yield "a question", _notice(writer, other, "asked", lang)
    wishes: tuple[What, ...] = ("pause", "abandon")
    for what in wishes:
        agree(writer, asked, what)
        yield f"a wish: {what}", _notice(writer, other, f"wish-{what}", lang)
    yield from _absence(writer, rng, lang)
    while writer.match.status == "running":
        _step(writer, rng)
    yield "the end", _notice(writer, 0, "over", lang)
    yield "a rematch", _notice(writer, 0, "rematch", lang)
    given_up = seated(key)
    resign(given_up, 1, person(1).id)
    yield "the end, by resignation", _notice(given_up, 0, "over", lang)


def _absence(writer: LogWriter, rng: Random, lang: Lang) -> Iterator[tuple[str, Message]]:
    """Time runs out, a bot plays, a substitute comes and runs out of time."""
    away = writer.match.to_act[0]
    other = next(s for s in writer.match.people if s != away)
    time_out(writer, away, "caretaker")
    yield "a caretaker", _notice(writer, away, "away", lang)
    substitute(writer, away, SUBSTITUTE)
    yield "a substitute, to the owner", _notice(writer, away, "stepped-owner", lang, who=person(away).id)
    yield "a substitute, to another", _notice(writer, other, "stepped", lang)
    yield "a substitute's first turn", _notice(writer, away, "turn", lang, who=SUBSTITUTE.id)
    time_out(writer, away, "caretaker")
    yield "a substitute's time is up, to the owner", _notice(writer, away, "away", lang)
    yield "a substitute's time is up, to them", _notice(writer, away, "relieved", lang, who=SUBSTITUTE.id)


def _hand(key: str) -> Random:
    """The first of some hands whose match is not over soon after its middle."""
    for number in range(MAX_HANDS):
        seed = f"notices {key} {number}" if number else f"notices {key}"
        writer = seated(key)
        with suppress(MatchEnded):
            _play(writer, Random(seed), MIDDLE + ROOM)
            return Random(seed)
    raise LookupError(f"{key}: in {MAX_HANDS} tries no match was longer than {MIDDLE + ROOM} actions")


def _step(writer: LogWriter, rng: Random) -> None:
    """One random action by whoever holds the seat."""
    match = writer.match
    if match.status != "running":
        raise MatchEnded
    seat = rng.choice(match.to_act)
    holder = match.chairs[seat].holder
    assert holder is not None
    writer._by = holder.id if holder.kind == "person" else f"bot:{holder.id}"
    act(writer, seat, rng.choice(list(match.rules.legal(match.state, seat))))


def _play(writer: LogWriter, rng: Random, most: int) -> None:
    for _ in range(most):
        _step(writer, rng)


def _asked(writer: LogWriter, rng: Random) -> int:
    """Somebody asks to take back what cannot be taken back freely."""
    while writer.match.runner is None or (seat := asker(writer.match)) is None:
        _step(writer, rng)
    to = writer.match.seq - 1
    undo(writer, seat, to, load(writer.lines[:to]))
    return seat


def _notice(writer: LogWriter, seat: int, kind: str, lang: Lang, who: str = "") -> Message:
    match: Match = writer.match
    names = NAMES[: len(match.chairs)]
    changed = max(part.seq for chair in match.chairs for part in chair.parts)
    since = match.seq if kind.startswith("wish") else changed
    scene = Scene(match, writer.lines, seat, who or person(seat).id, names, lang, "https://games.example.org",
                  _parts(match), since, "Bert")  # fmt: skip
    return notice(scene, kind, "id", seconds(match.updated) + 86400, "Europe/Prague")


def _parts(match: Match) -> list[list[dict[str, object]]]:
    called = {SUBSTITUTE.id: "Dana", "greedy": "Medium bot"}
    return [
        [
            {"from": p.seq, "kind": p.holder.kind, "why": p.why, "name": called.get(p.holder.id, NAMES[seat])}
            for p in chair.parts
        ]
        for seat, chair in enumerate(match.chairs)
    ]


def main() -> None:
    """All texts are there before the old ones go; those of games that are not asked for come along."""
    made = {path(key, lang).name: text(key, lang) for key in asked() for lang in LANGS}
    known = {path(key, lang).name for key in registry.GAMES for lang in LANGS}
    with replaced(HERE) as new:
        for old in HERE.glob("*.txt"):
            if old.name in known - made.keys():
                (new / old.name).write_bytes(old.read_bytes())
        for name, told in made.items():
            (new / name).write_text(told, encoding="utf-8")


if __name__ == "__main__":
    main()
