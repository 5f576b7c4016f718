"""The texts of notices, in the recipient's language: a subject, what happened, what to do, where."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from engine.game import Lang
from engine.match import Match
from service import telling

MOST = 20  # sentences; more is said to be more


class Message(NamedTuple):
    """A notice, ready for any channel."""

    ident: str  # the same whenever it is sent again
    subject: str
    lines: list[str]
    link: str
    label: str
    lang: Lang

    @property
    def text(self) -> str:
        return "\n".join(self.lines).rstrip() + f"\n\n{self.label}: {self.link}"


TEXTS: Mapping[Lang, Mapping[str, str]] = {
    "en": {
        "turn": "Your turn: {game}",
        "remind": "Still your turn: {game}",
        "over": "Over: {game}",
        "asked": "A question for you: {game}",
        "away": "A bot plays for you: {game}",
        "digest": "{count} matches wait for you",
        "digest_1": "A match waits for you",
        "turn_why": "It is your turn in {game}, with {others}.",
        "turn_alone": "It is your turn in {game}.",
        "remind_why": "You are still waited for in {game}.",
        "over_why": "Your match of {game} has ended.",
        "asked_why": "{name} would like to take something back in {game}. Do you agree?",
        "away_why": "Your time in {game} ran out, so a bot plays for you. Take your seat back whenever you like.",
        "since": "Since your last turn:",
        "so_far": "So far:",
        "more": "… and {count} things before that.",
        "deadline": "You have until {when} ({tz}).",
        "winners": "Won by: {names}.",
        "no_winner": "Nobody won.",
        "link": "Look",
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
        "over": "Konec: {game}",
        "asked": "Otázka pro tebe: {game}",
        "away": "Hraje za tebe bot: {game}",
        "digest": "Čekající partie: {count}",
        "digest_1": "Čeká na tebe partie",
        "turn_why": "Jsi na tahu ve hře {game}, spoluhráči: {others}.",
        "turn_alone": "Jsi na tahu ve hře {game}.",
        "remind_why": "Ve hře {game} se na tebe stále čeká.",
        "over_why": "Tvá partie hry {game} skončila.",
        "asked_why": "{name} chce ve hře {game} vzít něco zpět. Souhlasíš?",
        "away_why": "Ve hře {game} ti vypršel čas, a tak za tebe hraje bot. Na své místo se můžeš kdykoli vrátit.",
        "since": "Od tvého posledního tahu:",
        "so_far": "Zatím:",
        "more": "… a předtím ještě dalších událostí: {count}.",
        "deadline": "Máš čas do {when} ({tz}).",
        "winners": "Vítězí: {names}.",
        "no_winner": "Nikdo nevyhrál.",
        "link": "Podívat se",
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
    lines = [_why(scene, kind), *_happened(scene, own)]
    if kind == "over":
        lines.append(_winners(scene))
    if deadline is not None and kind in ("turn", "remind"):
        lines.append(scene.say("deadline", when=_local(deadline, tz, scene.lang), tz=tz))
    link = f"{scene.base}/matches/{scene.match.id}" + (f"?at={own}" if own else "")
    return Message(ident, scene.say(kind), lines, link, scene.say("link"), scene.lang)


def subject(kind: str, match: Match, lang: Lang) -> str:
    """What a notice is called in lists."""
    return TEXTS[lang][kind].format(game=match.rules.words.name[lang])


def _why(scene: Scene, kind: str) -> str:
    others = [name for seat, name in enumerate(scene.names) if seat != scene.seat]
    if kind == "turn":
        return scene.say("turn_why", others=", ".join(others)) if others else scene.say("turn_alone")
    asker = scene.match.ask.seat if scene.match.ask is not None else scene.seat
    return scene.say(f"{kind}_why", name=scene.names[asker])


def _happened(scene: Scene, own: int) -> list[str]:
    told = telling.since(scene.match, scene.lines, own, scene.seat, scene.names, scene.lang)
    if not told:
        return []
    more = [scene.say("more", count=len(told) - MOST)] if len(told) > MOST else []
    return ["", scene.say("since" if own else "so_far"), *more, *(f"- {text}" for text in told[-MOST:]), ""]


def _winners(scene: Scene) -> str:
    result = scene.match.result
    if result is None or not result.winners:
        return scene.say("no_winner")
    return scene.say("winners", names=", ".join(scene.names[seat] for seat in result.winners))


def _local(moment: float, tz: str, lang: Lang) -> str:
    local = datetime.fromtimestamp(moment, ZoneInfo(tz))
    return f"{local.day}. {local.month}. {local:%H:%M}" if lang == "cs" else f"{local:%Y-%m-%d %H:%M}"


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
        lines += [part.subject, *part.lines, f"{part.label}: {part.link}", ""]
    subject = texts["digest_1"] if len(parts) == 1 else texts["digest"].format(count=len(parts))
    return Message(ident, subject, lines, f"{base}/", texts["link"], lang)
