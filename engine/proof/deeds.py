"""What each kind of event owes its log: who may do it, and the command that writes it.

A log is what our commands write. So every deed is done again, by the command that it must have come from,
with what only its doer knows (when, which action, which seat) taken from the event; what the command writes
then, with everything that follows at once, is what the log must say.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import msgspec

from engine import accord, advice, codec, table, tenure, undo
from engine.events import (
    Abandoned,
    Acted,
    Advised,
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
from engine.identity import SYSTEM, of_bot, turn_of_bot, turn_of_stand_in
from engine.log import Past
from engine.match import Chair, Match
from engine.proof.redecide import action
from engine.table import LogWriter, Refused

STAND_INS = ("greedy", "random")  # bots of the house that play where a program does not answer


class Scene(NamedTuple):
    """The match before a deed, and what of its past the deed may need."""

    match: Match
    past: Past
    opening: tuple[int, ...]  # seats that were taken at the opening and are not yet
    late: frozenset[tuple[int, int]]  # (seat, since) of turns whose time has run out


class Deed(NamedTuple):
    may: Callable[[Match, Any], bool]  # whether `by` is somebody who may
    again: Callable[[LogWriter, Scene, Any], None]  # raises Refused, Illegal


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
    """A program's turn may be played by a stand-in; in a simulation the system plays its bots.

    What the house plays it calls by the turn, if it calls it anything: so much is on record of who played.
    """
    holder = chair_of(match, event).holder
    if holder is None or holder.kind == "person":
        return _plays(match, event)
    if match.creator == SYSTEM:
        return event.by == SYSTEM
    house, seat = {of_bot(name) for name in STAND_INS}, event.seat or 0
    since = match.since[seat]
    if holder.kind == "bot":
        return event.by in {of_bot(holder.id), *house} and event.cmd in (None, turn_of_bot(since, seat))
    turn = turn_of_stand_in(match.id, since, seat)
    if event.by == holder.id:
        return event.cmd != turn  # that is what the house calls its own move, and nobody else may
    # Where a clock takes the seat nobody plays single turns: time runs out like a person's.
    return event.by in house and not match.paused and _waits(match) and event.cmd in (None, turn)


def _waits(match: Match) -> bool:
    """Whether no clock takes a seat away from whoever does not answer."""
    return match.clock is None or match.clock.get("timeout") == "wait"


def _sitter(match: Match, event: Seated) -> bool:
    """Whoever sits down does so alone; a bot of the house is seated by whoever opened the table."""
    return event.by == (match.creator if event.holder.kind == "bot" else event.holder.id)


def _answerer(match: Match, event: UndoAnswered) -> bool:
    return _system(match, event) if event.seat is None else _person(match, event)


def _taker(match: Match, event: HandedOver) -> bool:
    return event.by == event.holder.id if event.why == "substitute" else _owns(match, event)


def _forker(match: Match, event: Forked) -> bool:
    """Whoever opened a table begins it with another's position; the system goes on with an imported one."""
    return _creator(match, event) if match.seq == 1 else _system(match, event)


# What


def _sit(writer: LogWriter, scene: Scene, event: Seated) -> None:
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
    writer.write(Seated, seat=event.seat, holder=holder, nonce=event.nonce, by=event.by)
    writer.by = match.creator if opening else event.by  # whoever filled the table has started the match
    table.start_when_full(writer)


def _leave(writer: LogWriter, scene: Scene, event: Left) -> None:
    chair_of(scene.match, event)
    table.check_lobby(scene.match, event.seat or 0)
    table.leave(writer, event.seat or 0, event.by)


def _nonce(writer: LogWriter, scene: Scene, event: Nonce) -> None:
    holder = chair_of(scene.match, event).holder
    if holder is None or scene.match.status != "open":
        raise Refused("not_open")
    table.sit(writer, event.seat or 0, holder, event.nonce)


def _act(writer: LogWriter, scene: Scene, event: Acted[Any]) -> None:
    _running(scene.match, event)
    table.act(writer, event.seat or 0, action(scene.match, event))


def _undo(writer: LogWriter, scene: Scene, event: UndoAsked | Undone) -> None:
    chair_of(scene.match, event)
    undo.undo(writer, event.seat or 0, event.to, _then(scene, event.to))


def _answer(writer: LogWriter, scene: Scene, event: UndoAnswered) -> None:
    ask = scene.match.ask
    if ask is None:
        raise Refused("nothing_asked")
    if event.seat is None:
        undo.expire(writer)
    else:
        undo.answer(writer, event.seat, event.agree, _then(scene, ask.to))


def _then(scene: Scene, seq: int) -> Match:
    try:
        return scene.past.at(seq)
    except LookupError:
        raise Refused("nothing_to_undo") from None


def _agree(writer: LogWriter, scene: Scene, event: Agreed) -> None:
    chair_of(scene.match, event)
    accord.agree(writer, event.seat or 0, event.what, event.agree)


def _advise(writer: LogWriter, scene: Scene, event: Advised) -> None:
    chair_of(scene.match, event)
    advice.ask(writer, event.seat or 0)


def _resume(writer: LogWriter, scene: Scene, event: Resumed) -> None:
    chair_of(scene.match, event)
    accord.resume(writer, event.seat or 0)


def _time_out(writer: LogWriter, scene: Scene, event: TimedOut) -> None:
    """Times are data, so whether the time was up cannot be said; that it could run, and what follows, can."""
    match, holder = scene.match, chair_of(scene.match, event).holder
    seat = event.seat or 0
    if match.clock is None or match.paused or seat not in match.to_act:
        raise Refused("no_clock_runs", seat=seat)
    if holder is None or holder.kind == "bot" or (seat, match.since[seat]) in scene.late:
        raise Refused("no_clock_runs", seat=seat)
    tenure.time_out(writer, seat, match.clock.get("timeout", "caretaker"))


def _hand_over(writer: LogWriter, scene: Scene, event: HandedOver) -> None:
    chair_of(scene.match, event)
    if event.why == "substitute":
        if event.holder.kind != "person":
            raise Refused("wrong_place", seat=event.seat)
        tenure.substitute(writer, event.seat or 0, event.holder)
    else:
        tenure.hand_over(writer, event.seat or 0, event.by)


def _return(writer: LogWriter, scene: Scene, event: Returned) -> None:
    chair_of(scene.match, event)
    tenure.return_to(writer, event.seat or 0, event.by)


def _resign(writer: LogWriter, scene: Scene, event: Resigned) -> None:
    _running(scene.match, event)
    table.resign(writer, event.seat or 0, event.by)


def _cancel(writer: LogWriter, _: Scene, event: Cancelled) -> None:
    table.cancel(writer, event.by)


def _stop(writer: LogWriter, _: Scene, event: Abandoned) -> None:
    accord.stop(writer, event.by)


def _fork(writer: LogWriter, scene: Scene, event: Forked) -> None:
    match = scene.match
    if match.seq == 1:
        state = codec.unpack(codec.decode(bytes(event.state)), match.rules.State)
        raw = msgspec.Raw(codec.encode(codec.pack(state)))
        if event.source == match.id or event.at_seq < 1:
            raise Refused("not_running")
        source, at_seq = event.source, event.at_seq
        writer.write(Forked, source=source, at_seq=at_seq, state=raw, seal=match.seal, seed=match.seed)
    elif match.status == "running":
        table.reseal(writer, match.id, bytes.fromhex(event.seed), event.kept)
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
    Advised: Deed(_person, _advise),
    Resumed: Deed(_person, _resume),
    TimedOut: Deed(_system, _time_out),
    HandedOver: Deed(_taker, _hand_over),
    Returned: Deed(_owns, _return),
    Resigned: Deed(_owns, _resign),
    Cancelled: Deed(_creator, _cancel),
    Abandoned: Deed(_creator, _stop),
    Forked: Deed(_forker, _fork),
}
