"""What happened at a table, in words, and only what this seat may know: facts by the game, the rest here."""

from collections.abc import Mapping, Sequence
from typing import Any

from engine import codec
from engine.game import Lang
from engine.match import Match
from service import sight

TEXTS: Mapping[Lang, Mapping[str, str]] = {
    "en": {
        "undo_asked": "{name} asks to take something back.",
        "undo_refused": "{name} does not want anything taken back.",
        "undo_expired": "Nobody answered the question about taking back.",
        "undone": "{name} takes back what was done.",
        "paused": "The match is paused.",
        "resumed": "{name} ends the pause.",
        "timed_out": "{name} has run out of time.",
        "timed_out_caretaker": "A bot plays for {name} until they return.",
        "left_caretaker": "{name} steps out; a bot plays on.",
        "resigned_caretaker": "A bot plays on for {name}.",
        "substitute": "A substitute plays on for {name}.",
        "returned": "{name} is back.",
        "resigned": "{name} resigns.",
        "abandoned": "The match was given up by agreement.",
        "finished": "The match is over.",
    },
    "cs": {
        "undo_asked": "{name} žádá o vrácení tahu.",
        "undo_refused": "{name} s vrácením tahu nesouhlasí.",
        "undo_expired": "Na žádost o vrácení tahu nikdo neodpověděl.",
        "undone": "{name} bere tah zpět.",
        "paused": "Partie je pozastavena.",
        "resumed": "{name} ukončuje přestávku.",
        "timed_out": "{name}: vypršel čas.",
        "timed_out_caretaker": "Za hráče {name} hraje bot, dokud se nevrátí.",
        "left_caretaker": "{name} odchází; dál hraje bot.",
        "resigned_caretaker": "Za hráče {name} dál hraje bot.",
        "substitute": "Za hráče {name} hraje náhradník.",
        "returned": "{name} je zpět.",
        "resigned": "{name} se vzdává.",
        "abandoned": "Partie byla po dohodě ukončena.",
        "finished": "Partie skončila.",
    },
}


def last_own(lines: Sequence[bytes], seat: int) -> int:
    """The seq of a seat's latest action; 0 if it has not acted."""
    for number in range(len(lines), 0, -1):
        event: dict[str, Any] = codec.decode(lines[number - 1])
        if event["kind"] == "acted" and event.get("seat") == seat:
            return number
    return 0


def since(
    match: Match, lines: Sequence[bytes], after: int, seat: int, names: Sequence[str], lang: Lang
) -> list[str]:
    """What happened after event `after`, as this seat may know it."""
    told: list[str] = []
    for line in lines[after:]:
        told += sight.told(match, line, seat, names, lang) or _other(
            sight.seen_by(match, line, seat), names, lang
        )
    return told


def _other(event: Mapping[str, Any], names: Sequence[str], lang: Lang) -> list[str]:
    text = TEXTS[lang].get(_key(event))
    seat = event.get("seat")
    return [] if text is None else [text.format(name="" if seat is None else names[seat])]


def _key(event: Mapping[str, Any]) -> str:
    match event["kind"]:
        case "handed_over" if event["holder"]["kind"] == "person":
            return "substitute"
        case "handed_over":
            return f"{event['why']}_caretaker"
        case "undo_answered" if event.get("seat") is None:
            return "undo_expired"
        case "undo_answered":
            return "" if event["agree"] else "undo_refused"
        case kind:
            return str(kind)
