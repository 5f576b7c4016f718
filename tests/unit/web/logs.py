"""Logs of every game, good and forged, for comparing verifiers: short ones, so that many can be tried."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from engine import codec, registry, table, undo
from engine.events import Holder, Place
from engine.log import load
from engine.table import LogWriter, NewTable
from infra.outside import ed25519
from service.views.signatures import statement

OURS, STOLEN, TRUSTED, STRANGER = (ed25519.make() for _ in range(4))
KEYS = {
    "keys": [{"public": STOLEN.public, "revoked": 1}, {"public": OURS.public, "revoked": None}],
    "trusted": [{"name": "Lodge", "keys": [TRUSTED.public]}],
}
Event = dict[str, Any]
NONCES = ("", "a", "ř$\U0001f600")


def played(key: str, rng: Random) -> list[bytes]:
    """A match of people who gave nonces, a few actions old; perhaps taken back, resealed or given up."""
    rules = registry.game(key)
    seats = max(2, rules.players[0])
    writer = LogWriter(None, "2026-11-16T09:00:00.000Z", _who(0))
    places: list[Place] = [Place("open")] * seats
    ident = f"m{rng.randrange(10**9)}"
    new = NewTable(ident, places, [None] * seats, rng.randbytes(32))
    table.open_match(writer, key, rules.Options(), new)
    for seat in range(seats):
        writer.by = _who(seat)
        table.sit(writer, seat, Holder("person", _who(seat)), rng.choice(NONCES))
    for _ in range(rng.randrange(2, 7)):
        _goes_on(writer, rng)
    rng.choice(ENDINGS)(writer, rng)
    return writer.lines


def _who(seat: int) -> str:
    return f"account:p{seat}"


def _goes_on(writer: LogWriter, rng: Random) -> None:
    seat = rng.choice(writer.match.to_act)
    writer.by = _who(seat)
    table.act(writer, seat, rng.choice(list(writer.match.rules.legal(writer.match.state, seat))))


def _taken_back(writer: LogWriter, rng: Random) -> None:
    """By agreement, and then somebody goes on from there."""
    to = writer.match.seq - 2
    past = load(writer.lines[:to])
    asks = writer.match.runner or 0
    writer.by = _who(asks)
    undo.undo(writer, asks, to, past)
    for seat in undo.waited_for(writer.match):
        writer.by = _who(seat)
        undo.answer(writer, seat, True, past)
    _goes_on(writer, rng)


def _resealed(writer: LogWriter, rng: Random) -> None:
    """A backup that was restored."""
    writer.by = "system"
    table.reseal(writer, writer.match.id, rng.randbytes(32), kept=True)
    _goes_on(writer, rng)


def _given_up(writer: LogWriter, rng: Random) -> None:
    writer.by = _who(0)
    table.resign(writer, 0, _who(0))


ENDINGS = (_goes_on, _taken_back, _resealed, _given_up)


def export(lines: list[bytes], sign: Any = None, **lies: Any) -> bytes:
    """A file of these lines, perhaps signed; `lies` are about what is signed."""
    head = codec.digest(lines[-1]) if lines else codec.ZERO
    end: Event = {"end": len(lines), "head": head}
    if sign is not None:
        told = {"match": codec.decode(lines[0])["match"], "seq": len(lines), "head": head} | lies
        end["key"] = ed25519.key_id(sign.public)
        end["signature"] = ed25519.sign(sign.secret, statement(**told))
    return b"\n".join([*lines, codec.encode(end), b""])


def rechained(events: list[Event]) -> list[bytes]:
    """A chain that holds, whatever the events say."""
    prev, lines = codec.ZERO, []
    for event in events:
        lines.append(codec.encode(event | {"prev": prev}))
        prev = codec.digest(lines[-1])
    return lines


def forged(lines: list[bytes], rng: Random) -> bytes:
    """One thing changed, by somebody who knows what the chain is for, or who does not."""
    return rng.choice(FORGERIES)(lines, rng)


def _changed(change: Callable[[list[Event], Random], None]) -> Callable[[list[bytes], Random], bytes]:
    def forge(lines: list[bytes], rng: Random) -> bytes:
        events = [codec.decode(line) for line in lines]
        change(events, rng)
        return export(rechained(events))

    return forge


def _damaged(damage: Callable[[bytes, Random], bytes]) -> Callable[[list[bytes], Random], bytes]:
    return lambda lines, rng: damage(export(lines), rng)


def _other(value: Any, rng: Random) -> Any:
    """The same sort of value, another one."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + rng.choice((-1, 1))
    if isinstance(value, str) and value:
        at = rng.randrange(len(value))
        return value[:at] + ("1" if value[at] == "0" else "0") + value[at + 1 :]
    return value


def _some(events: list[Event], rng: Random, *names: str) -> None:
    """One of these fields of one event that has it."""
    where = [(event, name) for event in events for name in names if name in event]
    event, name = rng.choice(where)
    event[name] = _other(event[name], rng)


def _secret(events: list[Event], rng: Random) -> None:
    _some(events, rng, "seed", "seal", "salt")


def _without_secret(events: list[Event], rng: Random) -> None:
    where = [(event, name) for event in events for name in ("seed", "salt") if name in event]
    event, name = rng.choice(where)
    del event[name]


def _nonce(events: list[Event], rng: Random) -> None:
    seated = rng.choice([event for event in events if event["kind"] == "seated"])
    seated["nonce"] = "forged"


def _draw(events: list[Event], rng: Random) -> None:
    """Another outcome of chance, or another number of a draw."""
    facts = [fact for event in events for fact in event.get("facts", ()) if isinstance(fact.get("n"), int)]
    fact = rng.choice(facts)
    name = rng.choice([name for name in fact if name != "type"])
    fact[name] = _swapped(fact[name], [other.get(name) for other in facts], rng)


def _swapped(value: Any, others: list[Any], rng: Random) -> Any:
    same = [other for other in others if type(other) is type(value) and other != value]
    return rng.choice(same) if same else _other(value, rng)


def _seq(events: list[Event], rng: Random) -> None:
    _some(events, rng, "seq")


def _match(events: list[Event], rng: Random) -> None:
    _some(events, rng, "match")


def _missing(events: list[Event], rng: Random) -> None:
    del events[rng.randrange(len(events))]


def _exchanged(events: list[Event], rng: Random) -> None:
    at = rng.randrange(len(events) - 1)
    events[at], events[at + 1] = events[at + 1], events[at]


def _prev(lines: list[bytes], rng: Random) -> bytes:
    """A line changed by somebody who knows nothing of the chain."""
    events = [codec.decode(line) for line in lines]
    _some(events, rng, "at", "prev")
    return export([codec.encode(event) for event in events])


def _byte(data: bytes, rng: Random) -> bytes:
    changed = bytearray(data)
    changed[rng.randrange(len(changed))] = rng.randrange(256)
    return bytes(changed)


def _cut(data: bytes, rng: Random) -> bytes:
    return data[: rng.randrange(len(data))]


SPELLINGS = (
    (b",", b", "),
    (b"true", b"1.0"),
    (b'"v":1', b'"v":1e0'),
    (b'"v":1', b'"v":9007199254740993'),
    (b'"at"', b'"\\u0061t"'),
    (b"{", b'{"__proto__":1,'),
    (b'"kind"', b'"\\ud800":1,"kind"'),
    (b"\n", b"\r\n"),
    (b"{", b"\xef\xbb\xbf{"),
    (b'"a', b'"\xff'),
)


def _spelt(data: bytes, rng: Random) -> bytes:
    old, new = rng.choice(SPELLINGS)
    return data.replace(old, new, 1)


def _ending(data: bytes, rng: Random) -> bytes:
    *lines, end, _ = data.split(b"\n")
    told = json.loads(end) | rng.choice(
        [{"end": 3}, {"head": "00"}, {"redacted": True}, {"more": 1}, {"key": 1}]
    )
    return b"\n".join([*lines, codec.encode(told), b""])


def _no_ending(data: bytes, rng: Random) -> bytes:
    return b"\n".join([*data.split(b"\n")[:-2], b""])


FORGERIES: tuple[Callable[[list[bytes], Random], bytes], ...] = (
    *map(_changed, (_secret, _secret, _without_secret, _nonce, _draw, _draw, _draw, _draw)),
    *map(_changed, (_seq, _match, _missing, _exchanged)),
    *map(_damaged, (_byte, _byte, _cut, _spelt, _spelt, _ending, _no_ending)),
    _prev,
)


def signed(lines: list[bytes], rng: Random) -> bytes:
    """Signed by somebody, for this log or for another one."""
    lie = rng.choice([*[{}] * 8, {"match": "other"}, {"seq": 1}, {"head": "00" * 32}, {"redacted": True}])
    data = export(lines, rng.choice((OURS, STOLEN, TRUSTED, STRANGER)), **lie)
    if rng.random() < 0.2:
        return data.replace(b'"signature":"', b'"signature":"' + rng.choice((b"00", b"zz")), 1)
    return data


def logs(count: int, rng: Random) -> Iterator[bytes]:
    """So many logs: a third as they are, signed or not, the others forged."""
    games = list(registry.GAMES)
    for number in range(count):
        lines = played(games[number % len(games)], rng)
        if number // len(games) % 3 == 0:
            yield signed(lines, rng) if rng.random() < 0.6 else export(lines)
        else:
            yield forged(lines, rng)
