"""Another world in the same house: a match's stored log, exchanged for one that a seat cannot tell apart."""

from contextlib import asynccontextmanager

import msgspec
from msgspec.structs import replace

from engine import codec, registry
from engine.events import Acted, Started, head, reader
from engine.secrecy import Entry, exchanged
from infra import keys


def otherwise(lines, seat, rng):
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


def _entry(rules, event):
    action = getattr(event, "action", None)
    typed = None if action is None else msgspec.json.decode(action, type=rules.Action)
    return Entry(event.seat, typed, event.facts)


def _told(event, entry):
    facts = tuple(entry.facts)
    if entry.action is None:
        return replace(event, facts=facts)
    return replace(event, facts=facts, action=msgspec.Raw(codec.encode(entry.action)))


@asynccontextmanager
async def stored_instead(deps, ident, lines):
    """Everybody reads these lines as the match's log; afterwards its own again."""
    own = await deps.store.read(ident)
    await _store(deps, ident, lines)
    try:
        yield
    finally:
        await _store(deps, ident, own)


async def _store(deps, ident, lines):
    await deps.client.delete(keys.log(ident))
    for seq, line in enumerate(lines, 1):
        await deps.client.execute_command("XADD", keys.log(ident), f"{seq}-0", "e", line)
    deps.matches._kept.pop(ident, None)


def masked(bodies, lines):
    """Bodies with the hashes of events under their numbers: those depend on secrets, salted and useless."""
    hashes = {codec.digest(line): f"hash {seq}" for seq, line in enumerate(lines, 1)}
    return {asked: _mask(text, hashes) for asked, text in bodies.items()}


def _mask(text, hashes):
    for found, name in hashes.items():
        text = text.replace(found, name)
    return text
