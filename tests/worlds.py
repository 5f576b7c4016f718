"""Other worlds: logs of a match that a seat cannot tell apart from its own."""

from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

from engine import codec, registry
from engine.checks.secrecy import Entry, exchanged
from engine.events import Acted, Started, head, reader
from engine.game import AnyGame


def otherwise(lines: list[bytes], seat: int | None, rng: Random) -> list[bytes]:
    """The log with other secrets, its chain of hashes made anew. What was taken back stays as it was."""
    rules = registry.game(head(lines[0]).game)
    events = [reader(rules.key).decode(line) for line in lines]
    played = [event for event in events if isinstance(event, (Acted, Started))]
    entries = iter(exchanged(rules, [_entry(rules, event) for event in played], seat, rng))
    prev, found = codec.ZERO, []
    for event in events:
        if isinstance(event, (Acted, Started)):
            event = _told(event, next(entries))
        found.append(codec.encode(replace(event, prev=prev)))
        prev = codec.digest(found[-1])
    return found


def _entry(rules: AnyGame, event: Any) -> Entry:
    action = getattr(event, "action", None)
    typed = None if action is None else msgspec.json.decode(action, type=rules.Action)
    return Entry(event.seat, typed, event.facts)


def _told(event: Any, entry: Entry) -> Any:
    facts = tuple(entry.facts)
    if entry.action is None:
        return replace(event, facts=facts)
    return replace(event, facts=facts, action=msgspec.Raw(codec.encode(entry.action)))
