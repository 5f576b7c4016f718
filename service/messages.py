"""The texts of notices, in the recipient's language: a subject, what happened, what to do, where."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import NamedTuple
from zoneinfo import ZoneInfo

from engine.game import Lang
from engine.match import Match
from service import telling

MOST, MOST_AT_FIRST = 20, 8  # sentences; more is said to be more. Who has not acted yet needs no inventory
DAYS: Mapping[Lang, Sequence[str]] = {
    "en": "Mon Tue Wed Thu Fri Sat Sun".split(),
    "cs": "po út st čt pá so ne".split(),
}
MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()


class Message(NamedTuple):
    """A notice, ready for any channel."""

    ident: str  # the same whenever it is sent again
    subject: str
    lines: list[str]
    link: str
    label: str
    lang: Lang
    replay: str = ""  # where to watch what happened

    @property
    def links(self) -> list[tuple[str, str]]:
        """Where to go, each with what is there."""
        watch = [(TEXTS[self.lang]["replay"], self.replay)] if self.replay else []
        return [(self.label, self.link), *watch]

    @property
    def text(self) -> str:
        return "\n".join([*self.lines, "", *(f"{label}: {link}" for label, link in self.links)])


TEXTS: Mapping[Lang, Mapping[str, str]] = {
    "en": {
        "turn": "Your turn: {game}",
        "remind": "Still your turn: {game}",
        "over": "The match is over: {game}",
        "asked": "A question for you: {game}",
        "away": "A bot plays for you: {game}",
        "digest": "{count} matches wait for you",
        "digest_1": "A match waits for you",
        "turn_why": "It is your turn in {game}, with {others}.",
        "turn_alone": "It is your turn in {game}.",
        "remind_why": "It is still your turn in {game}: the others wait for you.",
        "over_why": "Your match of {game} has ended.",
        "asked_why": "{name} would like to take something back in {game}. Do you agree?",
        "away_why": "Your time in {game} ran out, so a bot plays for you. Take your seat back whenever you like.",
        "since": "Since your last turn:",
        "so_far": "So far:",
        "more": "… and {count} things before that.",
        "deadline": "You have until {when} ({tz}).",
        "winners": "Won by: {names}.",
        "no_winner": "Nobody won.",
        "scores": "Final scores: {scores}.",
        "link": "Open the match",
        "replay": "Watch what happened",
        "home": "Open Turnlog",
        "test_link": "Open Turnlog",
        "test": "This is a test",
        "test_why": "If you can read this, notices reach you here.",
        "confirm": "Please confirm this address",
        "confirm_why": "Somebody, probably you, wants notices of Turnlog here. If it was not you, do nothing.",
        "confirm_link": "Confirm",
        "recover": "A new password",
        "recover_why": "Somebody, probably you, asked for a new password. The link works for one hour, once.",
        "recover_link": "Choose a password",
        "unsubscribe": "No more of these letters",
    },
    "cs": {
        "turn": "Jsi na tahu: {game}",
        "remind": "Stále jsi na tahu: {game}",
        "over": "Partie skončila: {game}",
        "asked": "Otázka pro tebe: {game}",
        "away": "Hraje za tebe bot: {game}",
        "digest": "Čekající partie: {count}",
        "digest_1": "Čeká na tebe partie",
        "turn_why": "Jsi na tahu ve hře {game}, spoluhráči: {others}.",
        "turn_alone": "Jsi na tahu ve hře {game}.",
        "remind_why": "Ve hře {game} jsi stále na tahu: ostatní na tebe čekají.",
        "over_why": "Tvá partie hry {game} skončila.",
        "asked_why": "{name} chce ve hře {game} vzít něco zpět. Souhlasíš?",
        "away_why": "Ve hře {game} ti vypršel čas, a tak za tebe hraje bot. Na své místo se můžeš kdykoli vrátit.",
        "since": "Od tvého posledního tahu:",
        "so_far": "Zatím:",
        "more": "… a předtím ještě dalších událostí: {count}.",
        "deadline": "Máš čas do {when} ({tz}).",
        "winners": "Vítězí: {names}.",
        "no_winner": "Nikdo nevyhrál.",
        "scores": "Konečný stav: {scores}.",
        "link": "Otevřít partii",
        "replay": "Přehrát, co se stalo",
        "home": "Otevřít Turnlog",
        "test_link": "Otevřít Turnlog",
        "test": "Zkušební zpráva",
        "test_why": "Pokud tohle čteš, upozornění sem docházejí.",
        "confirm": "Potvrď prosím tuto adresu",
        "confirm_why": "Někdo, nejspíš ty, chce dostávat upozornění z Turnlogu sem. Pokud to nejsi ty, nedělej nic.",
        "confirm_link": "Potvrdit",
        "recover": "Nové heslo",
        "recover_why": "Někdo, nejspíš ty, požádal o nové heslo. Odkaz platí hodinu a jen jednou.",
        "recover_link": "Zvolit heslo",
        "unsubscribe": "Už tyto dopisy neposílat",
    },
}


class Scene(NamedTuple):
    """A match with its lines as one seat may be told of it."""

    match: Match
    lines: Sequence[bytes]
    seat: int
    names: Sequence[str]
    lang: Lang
    base: str = ""

    @property
    def game(self) -> str:
        return self.match.rules.words.name[self.lang]

    def say(self, key: str, **parts: object) -> str:
        return TEXTS[self.lang][key].format(game=self.game, **parts)


def notice(scene: Scene, kind: str, ident: str, deadline: float | None = None, tz: str = "UTC") -> Message:
    """The message of a kind: turn, remind, over, asked or away."""
    own = telling.last_own(scene.lines, scene.seat)
    lines = [_why(scene, kind), "", *_happened(scene, own, kind)]
    if kind == "over":
        lines += _outcome(scene)
    if deadline is not None and kind in ("turn", "remind"):
        lines.append(scene.say("deadline", when=_local(deadline, tz, scene.lang), tz=tz))
    link = f"{scene.base}/matches/{scene.match.id}"
    replay = f"{link}/replay#{own}" if own else ""
    text = [*lines[:-1], *filter(None, lines[-1:])]  # no empty line at the end
    return Message(ident, scene.say(kind), text, link, scene.say("link"), scene.lang, replay)


def subject(kind: str, match: Match, lang: Lang) -> str:
    """What a notice is called in lists."""
    return TEXTS[lang][kind].format(game=match.rules.words.name[lang])


def _why(scene: Scene, kind: str) -> str:
    others = [name for seat, name in enumerate(scene.names) if seat != scene.seat]
    if kind == "turn":
        return scene.say("turn_why", others=", ".join(others)) if others else scene.say("turn_alone")
    asker = scene.match.ask.seat if scene.match.ask is not None else scene.seat
    return scene.say(f"{kind}_why", name=scene.names[asker])


def _happened(scene: Scene, own: int, kind: str) -> list[str]:
    """What the reader missed. The end is the subject of a letter about it, not news in it."""
    lines = scene.lines[:-1] if kind == "over" else scene.lines
    told = _counted(telling.since(scene.match, lines, own, scene.seat, scene.names, scene.lang))
    if not told:
        return []
    most = MOST if own else MOST_AT_FIRST
    more = [scene.say("more", count=len(told) - most)] if len(told) > most else []
    return [scene.say("since" if own else "so_far"), *more, *(f"- {text}" for text in told[-most:]), ""]


def _counted(told: Sequence[str]) -> list[str]:
    """The same sentence several times in a row, once.

    >>> _counted(["Bert draws a card.", "Bert draws a card.", "Bert passes."])
    ['Bert draws a card. (2×)', 'Bert passes.']
    """
    runs = [(text, len(list(same))) for text, same in groupby(told)]
    return [text if times == 1 else f"{text} ({times}×)" for text, times in runs]


def _outcome(scene: Scene) -> list[str]:
    result, names = scene.match.result, scene.names
    if result is None:
        return []
    won = scene.say("winners", names=", ".join(names[seat] for seat in result.winners))
    scores = ", ".join(f"{name} {score}" for name, score in zip(names, result.scores, strict=True))
    return [won if result.winners else scene.say("no_winner"), scene.say("scores", scores=scores)]


def _local(moment: float, tz: str, lang: Lang) -> str:
    local = datetime.fromtimestamp(moment, ZoneInfo(tz))
    day = DAYS[lang][local.weekday()]
    if lang == "cs":
        return f"{day} {local.day}. {local.month}. {local.year} {local:%H:%M}"
    return f"{day} {local.day} {MONTHS[local.month - 1]} {local.year}, {local:%H:%M}"


def plain(kind: str, ident: str, link: str, lang: Lang) -> Message:
    """Messages that are about no match: test, confirm, recover."""
    texts = TEXTS[lang]
    label = texts.get(f"{kind}_link", texts["link"])
    return Message(ident, texts[kind], [texts[f"{kind}_why"]], link, label, lang)


def digest(ident: str, parts: Sequence[Message], base: str, lang: Lang) -> Message:
    """One letter a day about everything that waits."""
    texts = TEXTS[lang]
    lines: list[str] = []
    for part in parts:
        lines += [part.subject, *part.lines, *(f"{label}: {link}" for label, link in part.links), ""]
    subject = texts["digest_1"] if len(parts) == 1 else texts["digest"].format(count=len(parts))
    return Message(ident, subject, lines[:-1], f"{base}/", texts["home"], lang)
