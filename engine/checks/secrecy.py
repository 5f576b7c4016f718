"""Whether a seat can tell two matches apart that differ only in what it may not know.

What is secret is stated by each game's `secrets.py`, which knows nothing of its view: a view that shows too
much is found out, and not believed. Where nothing is secret, everybody must know everything.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from engine import codec
from engine.checks.mutants import mutants
from engine.checks.promises import require
from engine.game import AnyGame, Illegal, fold, may_act
from engine.kit.text import LANGS

TRIED = 60  # actions, most of them illegal, that a seat tries in both worlds


class Entry(NamedTuple):
    """What one action led to; the first entry of a match is nobody's."""

    seat: int | None
    action: Any
    facts: Sequence[Any]


Log = Sequence[Entry]


def check_secrecy(game: AnyGame, log: Log, state: Any, seats: int, rng: Random) -> None:
    """Every seat and a spectator: the same impression of this match and of one with other secrets."""
    for viewer in (*range(seats), None):
        if game.exchange is None:
            check_open(game, log, state, viewer)
            continue
        other = exchanged(game, log, viewer, rng)
        there = fold(game, facts_of(other))
        tries = _tries(game, (state, there), seats, rng)
        check_alike(_impression(game, log, state, viewer, seats, tries),
                    _impression(game, other, there, viewer, seats, tries), viewer)  # fmt: skip
        if viewer is not None:
            _check_told(game, state, there, viewer, rng)


def exchanged(game: AnyGame, log: Log, viewer: int | None, rng: Random) -> list[Entry]:
    """The log of a match that this viewer must not be able to tell apart from the given one."""
    assert game.exchange is not None, "nothing is secret here"
    items = game.exchange(list(_items(log)), viewer, rng)
    require(len(items) == len(list(_items(log))), "an exchange keeps every action and fact in its place")
    told = iter(items)
    return [
        Entry(seat, None if action is None else next(told), [next(told) for _ in facts])
        for seat, action, facts in log
    ]


def facts_of(log: Log) -> list[Any]:
    return [fact for entry in log for fact in entry.facts]


def _items(log: Log) -> Iterator[Any]:
    """Actions, each before its facts."""
    for entry in log:
        yield from () if entry.action is None else (entry.action,)
        yield from entry.facts


def check_alike(here: dict[str, Any], there: dict[str, Any], viewer: int | None) -> None:
    for promise, impression in here.items():
        require(impression == there[promise], f"secrets do not change {promise}", viewer)


def _impression(
    game: AnyGame, log: Log, state: Any, viewer: int | None, seats: int, tries: Sequence[Any]
) -> dict[str, Any]:
    """Everything that a match shows to this viewer."""
    view = game.view(state, viewer)
    found = {
        "what is read of the log": [_read(game, entry, viewer) for entry in log],
        "the view": codec.encode(view),
        "who is waited for": game.to_act(state),
        "who may act": may_act(game, state, seats),
        "the result": game.result(state),
        "how far undo is free": [[game.reveals(fact) for fact in entry.facts] for entry in log],
    }
    if viewer is None:
        return found
    legal = list(game.legal(state, viewer))
    return found | {
        "what is legal": legal,
        "the labels": [game.words.label(action, view, lang) for action in legal[:20] for lang in LANGS],
        "refusals": [_verdict(game, state, viewer, raw) for raw in tries],
    }


def _read(game: AnyGame, entry: Entry, viewer: int | None) -> list[bytes]:
    """An entry as this viewer reads it; an actor reads its own action whole."""
    own = entry.seat == viewer
    action = entry.action if own or entry.action is None else game.redact(entry.action, viewer)
    return [codec.encode(action), *(codec.encode(game.redact(fact, viewer)) for fact in entry.facts)]


def _tries(game: AnyGame, worlds: Sequence[Any], seats: int, rng: Random) -> list[Any]:
    """Actions of every seat in both worlds, and each with one thing changed."""
    found: dict[bytes, Any] = {}
    for state in worlds:
        for seat in range(seats):
            legal = game.legal(state, seat)
            for action in rng.sample(legal, min(len(legal), 4)):
                raw = msgspec.to_builtins(action)
                found[msgspec.json.encode(raw)] = raw
    tries = [*found.values(), *mutants(list(found.values()), rng)]
    return tries[:TRIED]


def _verdict(game: AnyGame, state: Any, seat: int, raw: Any) -> Any:
    """Accepted, or the refusal with all its particulars."""
    try:
        game.decide(state, seat, game.parse(state, seat, raw))
    except Illegal as refusal:
        return refusal.code, refusal.params
    return True


def _check_told(game: AnyGame, state: Any, other: Any, viewer: int, rng: Random) -> None:
    mine = game.legal(state, viewer)
    if not mine:
        return
    action = rng.choice(mine)
    here, there = (list(game.decide(s, viewer, action)) for s in (state, other))
    if any(map(game.reveals, here)):
        return
    told = [[codec.encode(game.redact(fact, viewer)) for fact in facts] for facts in (here, there)]
    require(told[0] == told[1], "facts that reveal nothing read the same whatever is hidden", action)


def check_open(game: AnyGame, log: Log, state: Any, viewer: int | None) -> None:
    """Nothing is secret: everybody reads everything, sees the same, and could write the state down."""
    view = game.view(state, viewer)
    require(_without_seat(view) == _without_seat(game.view(state, None)), "all see the same", viewer)
    known = replace(game.determinise(view, Random(0)), draws=state.draws)
    require(codec.pack(known) == codec.pack(state), "where nothing is secret a view tells all", viewer)
    for item in _items(log[-1:]):
        require(game.redact(item, viewer) == item, "where nothing is secret nothing is redacted", item)


def _without_seat(view: Any) -> dict[str, Any]:
    shown: dict[str, Any] = msgspec.to_builtins(view)
    return {name: value for name, value in shown.items() if name != "seat"}


def changes(game: AnyGame, log: Log, viewer: int | None, rng: Random) -> bool:
    """Whether an exchange finds anything to exchange: a check that never does proves nothing."""
    return facts_of(exchanged(game, log, viewer, rng)) != facts_of(log)
