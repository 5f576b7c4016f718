"""Notices as they are read, in the recipient's language: a subject, what happened, what to do, where."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import NamedTuple

from engine.game import Lang
from engine.match import Match
from service.notices.owed import predecessor
from service.notices.texts import TEXTS, listed, local, table
from service.views import narration
from service.views.narration import Parts, Point, Voice

MAX_SENTENCES, MAX_SENTENCES_AT_FIRST = (
    20,
    8,
)  # sentences; more is said to be more. Readers who have not acted yet need no inventory
TIMED = ("turn", "remind")


class Message(NamedTuple):
    """A notice, ready for any channel."""

    ident: str  # the same whenever it is sent again
    subject: str
    lines: list[str]
    link: str
    label: str
    lang: Lang
    replay: str = ""  # where to watch what happened
    thread: str = ""  # the same for all that one reader is told of one match

    @property
    def links(self) -> list[tuple[str, str]]:
        """Where to go, each with what is there."""
        watch = [(TEXTS[self.lang]["replay"], self.replay)] if self.replay else []
        return [(self.label, self.link), *watch]

    @property
    def text(self) -> str:
        return "\n".join([*self.lines, "", *(f"{label}: {link}" for label, link in self.links)])


@dataclass(frozen=True)
class Scene:
    """A match with its lines as one reader may be told of it: who reads, and of which seat."""

    match: Match
    lines: Sequence[bytes]
    seat: int
    who: str
    names: Sequence[str]
    lang: Lang
    base: str = ""
    parts: Parts = ()
    since: int = 0  # the event that it is about
    opener: str = ""  # who opened the table of the rematch

    @cached_property
    def game(self) -> str:
        return self.match.rules.words.title(self.lang)

    @property
    def others(self) -> list[str]:
        return [name for seat, name in enumerate(self.names) if seat != self.seat]

    @property
    def voice(self) -> Voice:
        return Voice(self.seat, self.names, self.lang, self.parts)

    def say(self, key: str, **parts: object) -> str:
        others, texts = listed(self.others, self.lang), TEXTS[self.lang]
        parts["players"] = texts["players"].format(others=others) if others else ""
        return texts[key].format(game=self.game, table=table(self.game, self.others, self.lang), **parts)


def notice(scene: Scene, kind: str, ident: str, until: float | None = None, tz: str = "UTC") -> Message:
    """The message of a kind (`Owed.kind`); `until`: a turn's deadline, or how long a question is open."""
    topic = kind.partition("-")[0]
    point = narration.left_off(scene.match, scene.lines, scene.seat, scene.who)
    lines = [_why(scene, kind), "", *_body(scene, topic, point)]
    if until is not None and (topic == "asked" or topic in TIMED):
        key = "answer_by" if topic == "asked" else "deadline"
        lines.append(scene.say(key, when=local(until, tz, scene.lang), tz=tz))
    text = [*lines[:-1], *filter(None, lines[-1:])]  # no empty line at the end
    link = f"{scene.base}/matches/{scene.match.id}"
    if topic == "relieved":  # whoever is out of a private match cannot read it any more
        link = link if scene.match.listed else f"{scene.base}/"
    return Message(ident, _subject(scene, kind), text, link, scene.say("link"), scene.lang,
                   _replay(scene, topic, point, link))  # fmt: skip


def _replay(scene: Scene, topic: str, point: Point, link: str) -> str:
    """Where to watch from: what was before, if that may come back; else where the reader left off."""
    if topic == "asked" and scene.match.ask is not None:
        return f"{link}/replay#{scene.match.ask.to}"
    return f"{link}/replay#{point.seq}" if point.seq and topic not in ("relieved", "rematch") else ""


def subject(kind: str, match: Match, seat: int, names: Sequence[str], lang: Lang) -> str:
    """What a notice is called in lists."""
    return _subject(Scene(match, (), seat, "", names, lang), kind)


def _subject(scene: Scene, kind: str) -> str:
    key = kind.replace("-", "_")
    return scene.say(key if key in TEXTS[scene.lang] else kind.partition("-")[0])


def _why(scene: Scene, kind: str) -> str:
    topic = kind.partition("-")[0]
    key = {"wish": kind, "stepped": kind}.get(topic, topic).replace("-", "_")
    if topic in ("away", "relieved"):
        key = _change(scene, topic)
    return scene.say(f"{key}_why", name=_actor(scene, kind), owner=_owner(scene, topic))


def _change(scene: Scene, topic: str) -> str:
    """Why somebody else plays a seat now, seen by its owner or by whoever stood in."""
    chair = scene.match.chairs[scene.seat]
    why = chair.parts[-1].why
    if topic == "relieved":
        return f"relieved_{why}" if why in ("returned", "timed_out") else "relieved"
    if chair.resigned:
        return "away_resigned" if why == "resigned" else "away_out"
    return "away" if predecessor(chair) == chair.owner else f"away_{why}"


def _actor(scene: Scene, kind: str) -> str:
    """Whose doing it is."""
    match = scene.match
    topic, _, what = kind.partition("-")
    if topic == "asked" and match.ask is not None:
        return scene.names[match.ask.seat]
    if topic == "wish":
        return listed([scene.names[n] for n, wanted in match.votes if wanted == what], scene.lang)
    if topic == "stepped":
        return _played(scene, _substituted(scene), -1)
    return _played(scene, scene.seat, -2) if topic == "away" else scene.opener


def _played(scene: Scene, seat: int, which: int) -> str:
    parts = scene.parts[seat] if scene.parts else ()
    known = len(parts) >= -which
    return str(parts[which]["name"]) if known else narration.TEXTS[scene.lang]["somebody"]


def _owner(scene: Scene, topic: str) -> str:
    return scene.names[_substituted(scene) if topic == "stepped" else scene.seat]


def _substituted(scene: Scene) -> int:
    """The seat that changed hands with the event in question."""
    chairs = enumerate(scene.match.chairs)
    return next((n for n, chair in chairs if chair.parts and chair.parts[-1].seq == scene.since), scene.seat)


def _body(scene: Scene, topic: str, point: Point) -> list[str]:
    """What happened, or what may come. Whoever is out of the match is told nothing of it."""
    match topic:
        case "relieved" | "rematch":
            return []
        case "asked":
            return _in_question(scene)
        case "wish":
            return [*_happened(scene, scene.lines[: scene.since - 1], point), scene.say("wish_holds")]
        case "over":  # the end is the subject of a letter about it, not news in it
            return [*_happened(scene, scene.lines[:-1], point), *_outcome(scene)]
    return _happened(scene, scene.lines, point)


def _in_question(scene: Scene) -> list[str]:
    ask = scene.match.ask
    if ask is None:
        return []
    told = _counted(narration.since(scene.match, scene.lines[: ask.seq - 1], ask.to, scene.voice))
    return _list(scene, "back", told, MAX_SENTENCES)


def _happened(scene: Scene, lines: Sequence[bytes], point: Point) -> list[str]:
    """What the reader missed."""
    told = _counted(narration.since(scene.match, lines, point.seq, scene.voice))
    title = "since" if point.acted else "since_step" if point.seq else "so_far"
    return _list(scene, title, told, MAX_SENTENCES if point.seq else MAX_SENTENCES_AT_FIRST)


def _list(scene: Scene, title: str, told: Sequence[str], most: int) -> list[str]:
    if not told:
        return []
    more = [scene.say("more", count=len(told) - most)] if len(told) > most else []
    return [scene.say(title), *more, *(f"- {text}" for text in told[-most:]), ""]


def _counted(told: Sequence[str]) -> list[str]:
    """The same sentence several times in a row, once.

    >>> _counted(["Bert draws a card.", "Bert draws a card.", "Bert passes."])
    ['Bert draws a card. (2×)', 'Bert passes.']
    """
    runs = [(text, len(list(same))) for text, same in groupby(told)]
    return [text if times == 1 else f"{text} ({times}×)" for text, times in runs]


def _outcome(scene: Scene) -> list[str]:
    """Who won; and the points, if there was an end to count them at."""
    result, names = scene.match.result, scene.names
    if result is None:
        return []
    won = scene.say("winners", names=listed([names[seat] for seat in result.winners], scene.lang))
    told = [won if result.winners else scene.say("no_winner")]
    if result.how == "played":
        scores = ", ".join(f"{name} {score}" for name, score in zip(names, result.scores, strict=True))
        told.append(scene.say("scores", scores=scores))
    return told


def plain(kind: str, ident: str, link: str, lang: Lang, name: str = "", house: str = "") -> Message:
    """Messages that are about no match: test, confirm, recover. `name`: the account's; `house`: where."""
    texts = TEXTS[lang]
    label = texts.get(f"{kind}_link", texts["link"])
    return Message(
        ident, texts[kind], [texts[f"{kind}_why"].format(name=name, house=house)], link, label, lang
    )


def digest(ident: str, parts: Sequence[Message], base: str, lang: Lang) -> Message:
    """One letter a day about everything that waits."""
    texts = TEXTS[lang]
    lines: list[str] = []
    for part in parts:
        lines += [part.subject, *part.lines, *(f"{label}: {link}" for label, link in part.links), ""]
    subject = texts["digest_1"] if len(parts) == 1 else texts["digest"].format(count=len(parts))
    return Message(ident, subject, lines[:-1], f"{base}/", texts["home"], lang)
