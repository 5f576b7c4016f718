"""What happened at a table, in words, and only what this seat may know: facts by the game, the rest here."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from engine.events import plain
from engine.game import Lang
from engine.match import Match
from engine.undo import taken_back
from service.views import sight

TEXTS: Mapping[Lang, Mapping[str, str]] = {
    "en": {
        "undo_asked": "{name} asks to take something back.",
        "undo_agreed": "{name} agrees to taking it back.",
        "undo_refused": "{name} does not want anything taken back.",
        "undo_expired": "Nobody answered the question about taking back.",
        "undone": "{name} takes back what was done after event {to}.",
        "advised": "{name} asks what a bot would do.",
        "wish_pause": "{name} would like to pause the match.",
        "wish_abandon": "{name} would like to give the match up together.",
        "unwish_pause": "{name} no longer wants a pause.",
        "unwish_abandon": "{name} no longer wants to give the match up.",
        "paused": "The match is paused.",
        "resumed": "{name} ends the pause.",
        "timed_out": "{name} has run out of time.",
        "timed_out_substitute": "{other}, playing for {name}, has run out of time.",
        "timed_out_caretaker": "A bot plays for {name} until they return.",
        "left_caretaker": "{name} steps out; a bot plays on.",
        "left_caretaker_substitute": "{other} no longer plays for {name}; a bot plays on.",
        "resigned_caretaker": "A bot plays on for {name}.",
        "substitute": "{other} plays on for {name}.",
        "returned": "{name} is back.",
        "resigned": "{name} resigns.",
        "abandoned": "The match was given up by agreement.",
        "finished": "The match is over.",
        "somebody": "A substitute",
        "taken_back": "(taken back) {text}",
    },
    "cs": {
        "undo_asked": "{name} žádá o vrácení tahu.",
        "undo_agreed": "{name} s vrácením tahu souhlasí.",
        "undo_refused": "{name} s vrácením tahu nesouhlasí.",
        "undo_expired": "Na žádost o vrácení tahu nikdo neodpověděl.",
        "undone": "{name} bere zpět vše po události {to}.",
        "advised": "{name} se ptá, co by udělal bot.",
        "wish_pause": "{name} navrhuje partii pozastavit.",
        "wish_abandon": "{name} navrhuje partii společně ukončit.",
        "unwish_pause": "{name} už partii pozastavit nechce.",
        "unwish_abandon": "{name} už partii ukončit nechce.",
        "paused": "Partie je pozastavena.",
        "resumed": "{name} ukončuje přestávku.",
        "timed_out": "{name}: vypršel čas.",
        "timed_out_substitute": "{other} (místo hráče {name}): vypršel čas.",
        "timed_out_caretaker": "Za hráče {name} hraje bot, dokud se nevrátí.",
        "left_caretaker": "{name} odchází; dál hraje bot.",
        "left_caretaker_substitute": "{other} už za hráče {name} nehraje; dál hraje bot.",
        "resigned_caretaker": "Za hráče {name} dál hraje bot.",
        "substitute": "{other} hraje dál za hráče {name}.",
        "returned": "{name} je zpět.",
        "resigned": "{name} se vzdává.",
        "abandoned": "Partie byla po dohodě ukončena.",
        "finished": "Partie skončila.",
        "somebody": "Náhradník",
        "taken_back": "(vzato zpět) {text}",
    },
}
Parts = Sequence[Sequence[Mapping[str, Any]]]  # by seat: who played it from which event on


class Voice(NamedTuple):
    """Whose eyes see, and what everybody is called. `parts`, where known, name the substitutes."""

    seat: int | None
    names: Sequence[str]
    lang: Lang
    parts: Parts = ()


class Point(NamedTuple):
    """Where somebody's news begin: with their latest own action, or when they stepped in; else at 0."""

    seq: int = 0
    acted: bool = False


def left_off(match: Match, lines: Sequence[bytes], seat: int, who: str) -> Point:
    """What a caretaker or a substitute did is no action of one's own."""
    stepped = _stepped_in(match, seat, who)
    for number in range(len(lines), stepped, -1):
        event = plain(lines[number - 1])
        if event["kind"] == "acted" and event["by"] == who:
            return Point(number, True)
    return Point(stepped)


def _stepped_in(match: Match, seat: int, who: str) -> int:
    """The event that made somebody the substitute they are; 0 for everybody else."""
    part = match.chairs[seat].parts[-1] if match.chairs[seat].parts else None
    return part.seq if part is not None and part.why == "substitute" and part.holder.id == who else 0


def since(match: Match, lines: Sequence[bytes], after: int, voice: Voice) -> list[str]:
    """What happened after event `after` and was not taken back."""
    gone = taken_back(lines)
    told: list[str] = []
    for number, line in enumerate(lines[after:], after + 1):
        told += [] if number in gone else one(match, line, voice)
    return told


def one(match: Match, line: bytes, voice: Voice) -> list[str]:
    """One event in words."""
    event = sight.seen_by(match, line, voice.seat)
    facts = sight.sentences(match.rules, event.get("facts", ()), voice.names, voice.lang)
    return facts or other(event, voice)


def other(event: Mapping[str, Any], voice: Voice) -> list[str]:
    """An event without facts, in words; nothing for those that nobody needs to read of."""
    texts, seat = TEXTS[voice.lang], event.get("seat")
    text = texts.get(_key(event, _by_substitute(event, voice)))
    if text is None:
        return []
    name = "" if seat is None else voice.names[seat]
    who = _holder(voice, seat, event["seq"] + (event["kind"] == "handed_over")) or texts["somebody"]
    return [text.format(name=name, other=who, to=event.get("to"))]


def _key(event: Mapping[str, Any], stands_in: bool) -> str:
    match event["kind"]:
        case "handed_over" if event["holder"]["kind"] == "person":
            return "substitute"
        case "handed_over" if event["why"] == "left" and stands_in:
            return "left_caretaker_substitute"
        case "handed_over":
            return f"{event['why']}_caretaker"
        case "timed_out" if stands_in:
            return "timed_out_substitute"
        case "undo_answered" if event.get("seat") is None:
            return "undo_expired"
        case "undo_answered":
            return "undo_agreed" if event["agree"] else "undo_refused"
        case "agreed":
            return f"{'wish' if event.get('agree', True) else 'unwish'}_{event['what']}"
        case kind:
            return str(kind)


def _by_substitute(event: Mapping[str, Any], voice: Voice) -> bool:
    """Whether a substitute held this event's seat until then."""
    part = _part(voice, event.get("seat"), event["seq"])
    return part is not None and part["why"] == "substitute"


def _holder(voice: Voice, seat: int | None, before: int) -> str:
    part = _part(voice, seat, before)
    return str(part["name"]) if part is not None and part["kind"] == "person" else ""


def _part(voice: Voice, seat: int | None, before: int) -> Mapping[str, Any] | None:
    """Who played a seat right before an event."""
    parts = voice.parts[seat] if voice.parts and seat is not None else ()
    return next((part for part in reversed(parts) if part["from"] < before), None)
