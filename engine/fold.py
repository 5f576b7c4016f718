"""What each kind of event does to a match. Facts are folded; wishes are not judged again."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from engine import codec, registry
from engine.events import (
    Abandoned,
    Acted,
    Advised,
    Agreed,
    Cancelled,
    Event,
    Finished,
    Forked,
    HandedOver,
    Holder,
    Left,
    Nonce,
    Opened,
    Paused,
    Place,
    Resigned,
    Resumed,
    Returned,
    Seated,
    Started,
    UndoAnswered,
    UndoAsked,
    Undone,
)
from engine.game import fold
from engine.match import Ask, Chair, Match, Status, Tenure

LONGEST_RUN = 100  # actions that can be taken back freely: who chooses anew a thousand times carries no more


def apply(match: Match | None, event: Any) -> Match:
    """The match after one event. `head` is left to whoever has the event's bytes."""
    after = _APPLY.get(type(event), _noted)(match, event)
    if type(event) not in _PLAYED:
        after = replace(after, changes=_counted(after, event))
    return replace(after, seq=event.seq, updated=event.at)


def _counted(match: Match, event: Event) -> dict[str, int]:
    return {**match.changes, event.by: match.changes.get(event.by, 0) + 1}


def rewound(match: Match, event: Undone, past: Match) -> Match:
    """The position after event `to` comes back; seats and holders stay as they are now.

    Who was waited for all the time is still in the same turn. What others had to agree to cannot be followed
    by a free step further back: whoever asked may have seen something.
    """
    assert past.state is not None, "nothing was played there"
    since = tuple(
        then and (now if now == then else event.seq)
        for now, then in zip(match.since, past.since, strict=True)
    )
    return replace(
        match,
        state=past.state,
        position=past.position,
        since=since,
        assisted=match.assisted or event.assisted,
        runner=past.runner,
        run=() if event.assisted else past.run,
        ask=None,
        advice=None,
        votes=(),
        changes=_counted(match, event),
        seq=event.seq,
        updated=event.at,
    )


def _opened(_: None, event: Opened) -> Match:
    game = registry.game(event.game, event.version)
    return Match(
        id=event.match,
        game=event.game,
        version=event.version,
        options=msgspec.json.decode(event.options, type=game.Options),
        listed=event.listed,
        clock=event.clock,
        creator=event.by,
        opened=event.at,
        updated=event.at,
        status="open",
        seq=0,
        head="",
        seal=event.seal,
        seed=event.seed,
        chairs=tuple(Chair(place) for place in event.places),
        since=(0,) * len(event.places),
        revision=event.revision,
    )


def _chair(match: Match, seat: int | None, **changes: Any) -> Match:
    assert seat is not None
    chairs = list(match.chairs)
    chairs[seat] = replace(chairs[seat], **changes)
    return replace(match, chairs=tuple(chairs))


def _seated(match: Match, event: Seated) -> Match:
    parts = (Tenure(event.seq, event.holder, "seated"),)
    return _chair(match, event.seat, holder=event.holder, nonce=event.nonce, parts=parts)


def _left(match: Match, event: Left) -> Match:
    return _chair(match, event.seat, holder=None, nonce="", parts=())


def _nonce(match: Match, event: Nonce) -> Match:
    return _chair(match, event.seat, nonce=event.nonce)


def _started(match: Match, event: Started[Any]) -> Match:
    state = fold(match.rules, event.facts)
    since = _waited(match.rules.to_act(state), match.since, event.seq, None)
    bond = event.prev if match.revision else ""
    begun = replace(match, state=state, position=event.seq, since=since, status="running")
    return replace(begun, bond=bond, changes={})


def acted(match: Match, events: Sequence[Acted[Any]], known: Any = None) -> Match:
    """Actions one after another: most of a log. The match is written down once, at the end.

    `known` is the state after the one event of somebody who has just played it: nothing is folded again.
    """
    rules, state, runner, run, since = match.rules, match.state, match.runner, match.run, match.since
    evolve, reveals, to_act = rules.evolve, rules.reveals, rules.to_act
    seq, at = match.seq, match.updated
    bond = match.bond or (events[0].prev if match.revision else "")  # a fork has no start
    for event in events:
        seq, at, seat = event.seq, event.at, event.seat
        shown = False
        for fact in event.facts:
            if known is None:
                state = evolve(state, fact)
            shown = shown or reveals(fact)
        state = state if known is None else known
        run = () if shown else (*run[-LONGEST_RUN + 1 :], seq) if runner == seat else (seq,)
        runner = seat
        since = _waited(to_act(state), since, seq, seat)
    return replace(
        match,
        state=state,
        position=seq,
        since=since,
        runner=runner,
        run=run,
        ask=None,
        advice=_still_asked(match, since),
        votes=(),
        bond=bond,
        seq=seq,
        updated=at,
    )


def _still_asked(match: Match, since: tuple[int, ...]) -> tuple[int, int] | None:
    """Advice is asked for a turn: what others do meanwhile does not answer it."""
    asked = match.advice
    return asked if asked is not None and since[asked[0]] == match.since[asked[0]] else None


def _acted(match: Match, event: Acted[Any]) -> Match:
    return acted(match, (event,))


def _waited(waiting: frozenset[int], since: tuple[int, ...], seq: int, actor: int | None) -> tuple[int, ...]:
    """Who is waited for since when: whoever acted and must act again starts a new turn."""
    if len(waiting) == 1:  # a list of zeros with one seq in it: most games, most of the time
        (seat,) = waiting
        old = since[seat]
        return (0,) * seat + (old if old and seat != actor else seq,) + (0,) * (len(since) - seat - 1)
    return tuple(
        0 if seat not in waiting else seq if seat == actor or not old else old
        for seat, old in enumerate(since)
    )


def _handed_over(match: Match, event: HandedOver) -> Match:
    assert event.seat is not None
    chair = match.chairs[event.seat]
    return _taken(match, event, event.holder, chair.owner or chair.holder, event.why)


def _returned(match: Match, event: Returned) -> Match:
    return _taken(match, event, event.holder, None, "returned")


def _taken(match: Match, event: Event, holder: Holder, owner: Holder | None, why: str) -> Match:
    """Somebody else plays on: if the seat is waited for, that is a turn of their own."""
    seat = event.seat
    assert seat is not None
    parts = (*match.chairs[seat].parts, Tenure(event.seq, holder, why))
    since = tuple(event.seq if n == seat and old else old for n, old in enumerate(match.since))
    run = () if match.runner == seat else match.run
    votes = tuple(vote for vote in match.votes if vote[0] != seat)
    after = _chair(match, seat, holder=holder, owner=owner, parts=parts)
    return replace(after, since=since, run=run, votes=votes, ask=None, advice=None)


def _resigned(match: Match, event: Resigned) -> Match:
    return _chair(match, event.seat, resigned=True)


def _undo_asked(match: Match, event: UndoAsked) -> Match:
    assert event.seat is not None
    return replace(match, ask=Ask(event.seat, event.to, event.seq, event.at))


def _undo_answered(match: Match, event: UndoAnswered) -> Match:
    if match.ask is None or not event.agree or event.seat is None:
        return replace(match, ask=None)
    return replace(match, ask=replace(match.ask, agreed=(*match.ask.agreed, event.seat)))


def _advised(match: Match, event: Advised) -> Match:
    """Whoever was helped has not played alone: it counts like an undo that others allowed."""
    assert event.seat is not None
    return replace(match, advice=(event.seat, event.seq), assisted=True)


def _agreed(match: Match, event: Agreed) -> Match:
    assert event.seat is not None
    vote = (event.seat, event.what)
    others = tuple(given for given in match.votes if given != vote)
    return replace(match, votes=(*others, vote) if event.agree else others)


def _paused(match: Match, _: Paused) -> Match:
    return replace(match, paused=True, votes=())


def _resumed(match: Match, _: Resumed) -> Match:
    return replace(match, paused=False, votes=())


def _finished(match: Match, event: Finished) -> Match:
    return _over(match, "finished", result=event.result)


def _ended(match: Match, event: Abandoned | Cancelled) -> Match:
    return _over(match, "cancelled" if isinstance(event, Cancelled) else "finished")


def _over(match: Match, status: Status, **more: Any) -> Match:
    since = (0,) * len(match.since)
    return replace(match, status=status, since=since, run=(), ask=None, advice=None, votes=(), **more)


def _forked(match: Match, event: Forked) -> Match:
    state = codec.unpack(codec.decode(bytes(event.state)), match.rules.State)
    chairs = match.chairs if event.kept else tuple(_vacated(chair) for chair in match.chairs)
    assisted, paused = match.assisted or not event.kept, match.paused and event.kept
    forked = replace(match, seal=event.seal, seed=event.seed, status="running", chairs=chairs)
    since = _waited(match.rules.to_act(state), (0,) * len(chairs), event.seq, None)
    forked = replace(forked, state=state, position=event.seq, since=since, bond="", changes={})
    return replace(forked, assisted=assisted, run=(), ask=None, advice=None, votes=(), paused=paused)


def _vacated(chair: Chair) -> Chair:
    """People of another server are not known here; built-in bots are at home everywhere."""
    if chair.holder is None:
        return chair
    if chair.holder.kind == "bot" and chair.owner is None:
        return chair
    return replace(chair, place=Place("open"), holder=None, owner=None, parts=())


def _noted(match: Match, _: Event) -> Match:
    """Events that matter to clocks and readers, not to the fold."""
    return match


_PLAYED = frozenset({Started, Acted, Finished, Forked})  # the rest is what people do around the play
_APPLY: dict[type, Callable[[Any, Any], Match]] = {
    Opened: _opened,
    Seated: _seated,
    Left: _left,
    Nonce: _nonce,
    Started: _started,
    Acted: _acted,
    UndoAsked: _undo_asked,
    UndoAnswered: _undo_answered,
    Agreed: _agreed,
    Advised: _advised,
    Paused: _paused,
    Resumed: _resumed,
    HandedOver: _handed_over,
    Returned: _returned,
    Resigned: _resigned,
    Finished: _finished,
    Abandoned: _ended,
    Cancelled: _ended,
    Forked: _forked,
}
