"""What each kind of event owes its log: who may do it, and the command that writes it.

A log is what our commands write. So every deed is done again, by the command that it must have come from,
with what only its doer knows (when, which action, which seat) taken from the event; what the command writes
then, with everything that follows at once, is what the log must say.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import msgspec

from engine import accord, codec, table, tenure, undo
from engine.events import (
    Abandoned,
    Acted,
    Agreed,
    Cancelled,
    Event,
    Forked,
    HandedOver,
    Left,
    Nonce,
    Resigned,
    Resumed,
    Returned,
    Seated,
    TimedOut,
    UndoAnswered,
    UndoAsked,
    Undone,
)
from engine.log import Past
from engine.match import Chair, Match
from engine.redecide import action
from engine.table import Pen, Refused

SYSTEM = "system"
STAND_INS = ("greedy", "random")  # bots of the house that play where a program does not answer


class Scene(NamedTuple):
    """The match before a deed, and what of its past the deed may need."""

    match: Match
    past: Past
    opening: tuple[int, ...]  # seats that were taken at the opening and are not yet
    late: frozenset[tuple[int, int]]  # (seat, since) of turns whose time has run out


class Deed(NamedTuple):
    may: Callable[[Match, Any], bool]  # whether `by` is somebody who may
    again: Callable[[Pen, Scene, Any], None]  # raises Refused, Illegal


def chair_of(match: Match, event: Event) -> Chair:
    """Where an event says that it happened."""
    if event.seat is None or not 0 <= event.seat < len(match.chairs):
        raise Refused("no_such_seat", seat=event.seat)
    return match.chairs[event.seat]


# Who


def _plays(match: Match, event: Event) -> bool:
    """The person or remote bot that plays the seat."""
    holder = chair_of(match, event).holder
    return holder is not None and holder.kind != "bot" and event.by == holder.id


def _person(match: Match, event: Event) -> bool:
    return _plays(match, event) and event.seat in match.people


def _owns(match: Match, event: Event) -> bool:
    """Whoever plays the seat, or for whom another plays it."""
    return match.seat_of(event.by) == event.seat


def _creator(match: Match, event: Event) -> bool:
    return event.by == match.creator


def _system(_: Match, event: Event) -> bool:
    return event.by == SYSTEM


def _actor(match: Match, event: Acted[Any]) -> bool:
    """A program's turn may be played by a stand-in; in a simulation the system plays its bots."""
    holder = chair_of(match, event).holder
    if holder is None or holder.kind == "person":
        return _plays(match, event)
    if match.creator == SYSTEM:
        return event.by == SYSTEM
    own = f"bot:{holder.id}" if holder.kind == "bot" else holder.id
    return event.by in (own, *(f"bot:{name}" for name in STAND_INS))


def _sitter(match: Match, event: Seated) -> bool:
    """Who sits down does so alone; a bot of the house is seated by whoever opened the table."""
    return event.by == (match.creator if event.holder.kind == "bot" else event.holder.id)


def _answerer(match: Match, event: UndoAnswered) -> bool:
    return _system(match, event) if event.seat is None else _person(match, event)


def _taker(match: Match, event: HandedOver) -> bool:
    return event.by == event.holder.id if event.why == "substitute" else _owns(match, event)


def _forker(match: Match, event: Forked) -> bool:
    """Who opened a table begins it with another's position; the system goes on with an imported one."""
    return _creator(match, event) if match.seq == 1 else _system(match, event)


# What


def _sit(pen: Pen, scene: Scene, event: Seated) -> None:
    match, opening = scene.match, scene.opening
    seat, holder = chair_of(match, event), event.holder
    table.check_lobby(match, event.seat or 0, event.nonce)
    if opening and (event.seat != opening[0] or event.nonce):
        raise Refused("seat_missing", seat=opening[0])
    if seat.holder is not None or match.seat_of(holder.id) is not None:
        raise Refused("seat_taken", seat=event.seat)
    if holder.kind != ("person" if not opening else seat.place.kind):
        raise Refused("wrong_place", seat=event.seat)
    if opening and holder.kind == "person" and holder.id != match.creator:
        raise Refused("wrong_place", seat=event.seat)
    pen.write(Seated, seat=event.seat, holder=holder, nonce=event.nonce, by=event.by)
    pen.by = match.creator if opening else event.by  # whoever filled the table has started the match
    table.start_when_full(pen)


def _leave(pen: Pen, scene: Scene, event: Left) -> None:
    chair_of(scene.match, event)
    table.check_lobby(scene.match, event.seat or 0)
    table.leave(pen, event.seat or 0, event.by)


def _nonce(pen: Pen, scene: Scene, event: Nonce) -> None:
    holder = chair_of(scene.match, event).holder
    if holder is None or scene.match.status != "open":
        raise Refused("not_open")
    table.sit(pen, event.seat or 0, holder, event.nonce)


def _act(pen: Pen, scene: Scene, event: Acted[Any]) -> None:
    _running(scene.match, event)
    table.act(pen, event.seat or 0, action(scene.match, event))


def _undo(pen: Pen, scene: Scene, event: UndoAsked | Undone) -> None:
    chair_of(scene.match, event)
    undo.undo(pen, event.seat or 0, event.to, _then(scene, event.to))


def _answer(pen: Pen, scene: Scene, event: UndoAnswered) -> None:
    ask = scene.match.ask
    if ask is None:
        raise Refused("nothing_asked")
    if event.seat is None:
        undo.expire(pen)
    else:
        undo.answer(pen, event.seat, event.agree, _then(scene, ask.to))


def _then(scene: Scene, seq: int) -> Match:
    try:
        return scene.past.at(seq)
    except LookupError:
        raise Refused("nothing_to_undo") from None


def _agree(pen: Pen, scene: Scene, event: Agreed) -> None:
    chair_of(scene.match, event)
    accord.agree(pen, event.seat or 0, event.what, event.agree)


def _resume(pen: Pen, scene: Scene, event: Resumed) -> None:
    chair_of(scene.match, event)
    accord.resume(pen, event.seat or 0)


def _time_out(pen: Pen, scene: Scene, event: TimedOut) -> None:
    """Times are data, so whether the time was up cannot be said; that it could run, and what follows, can."""
    match, holder = scene.match, chair_of(scene.match, event).holder
    seat = event.seat or 0
    if match.clock is None or match.paused or seat not in match.to_act:
        raise Refused("no_clock_runs", seat=seat)
    if holder is None or holder.kind == "bot" or (seat, match.since[seat]) in scene.late:
        raise Refused("no_clock_runs", seat=seat)
    tenure.time_out(pen, seat, match.clock.get("timeout", "caretaker"))


def _hand_over(pen: Pen, scene: Scene, event: HandedOver) -> None:
    chair_of(scene.match, event)
    if event.why == "substitute":
        if event.holder.kind != "person":
            raise Refused("wrong_place", seat=event.seat)
        tenure.substitute(pen, event.seat or 0, event.holder)
    else:
        tenure.hand_over(pen, event.seat or 0, event.by)


def _return(pen: Pen, scene: Scene, event: Returned) -> None:
    chair_of(scene.match, event)
    tenure.return_to(pen, event.seat or 0, event.by)


def _resign(pen: Pen, scene: Scene, event: Resigned) -> None:
    _running(scene.match, event)
    table.resign(pen, event.seat or 0, event.by)


def _cancel(pen: Pen, _: Scene, event: Cancelled) -> None:
    table.cancel(pen, event.by)


def _stop(pen: Pen, _: Scene, event: Abandoned) -> None:
    accord.stop(pen, event.by)


def _fork(pen: Pen, scene: Scene, event: Forked) -> None:
    match = scene.match
    if match.seq == 1:
        state = codec.unpack(codec.decode(bytes(event.state)), match.rules.State)
        raw = msgspec.Raw(codec.encode(codec.pack(state)))
        if event.source == match.id or event.at_seq < 1:
            raise Refused("not_running")
        source, at_seq = event.source, event.at_seq
        pen.write(Forked, source=source, at_seq=at_seq, state=raw, seal=match.seal, seed=match.seed)
    elif match.status == "running":
        table.reseal(pen, match.id, bytes.fromhex(event.seed), event.kept)
    else:
        raise Refused("not_running")


def _running(match: Match, event: Event) -> None:
    chair_of(match, event)
    if match.status != "running":
        raise Refused("not_running")


# Kinds that are not here only ever follow from another deed: started, paused, finished; so does abandoned,
# where people sit.
DEEDS: Mapping[type[Event], Deed] = {
    Seated: Deed(_sitter, _sit),
    Left: Deed(_plays, _leave),
    Nonce: Deed(_plays, _nonce),
    Acted: Deed(_actor, _act),
    UndoAsked: Deed(_person, _undo),
    UndoAnswered: Deed(_answerer, _answer),
    Undone: Deed(_person, _undo),
    Agreed: Deed(_person, _agree),
    Resumed: Deed(_person, _resume),
    TimedOut: Deed(_system, _time_out),
    HandedOver: Deed(_taker, _hand_over),
    Returned: Deed(_owns, _return),
    Resigned: Deed(_owns, _resign),
    Cancelled: Deed(_creator, _cancel),
    Abandoned: Deed(_creator, _stop),
    Forked: Deed(_forker, _fork),
}
