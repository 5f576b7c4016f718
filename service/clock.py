"""Deadlines as a projection of the log, the match's policy and the players' profiles, and nothing else.

Nothing here is stored but the next deadline of a match, as a reminder to look; losing it loses nothing.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec

from engine.events import Event, Paused, Resumed, reader
from engine.log import Match, Rewound, apply, load
from service.waking import Profile, after, between, in_force

DAY_S = 24 * 3600
Seconds = Annotated[int, msgspec.Meta(ge=60, le=90 * DAY_S)]
Timeout = Literal["caretaker", "resign", "wait"]


class PerMove(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="per_move"):
    """So many seconds of waking time for every turn."""

    seconds: Seconds
    timeout: Timeout = "caretaker"


class Bank(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="bank"):
    """A bank that every turn adds to, up to a cap, and waking time takes from."""

    seconds: Seconds
    increment: Annotated[int, msgspec.Meta(ge=0, le=30 * DAY_S)]
    cap: Seconds
    timeout: Timeout = "caretaker"


Policy = PerMove | Bank


class Turn(msgspec.Struct, frozen=True):
    """A stretch of time in which a seat was waited for. `end` is None while it is."""

    seat: int
    seq: int
    start: float
    end: float | None = None


class Pause(msgspec.Struct, frozen=True):
    start: float
    end: float | None = None


class History(msgspec.Struct, frozen=True):
    """What clocks need of a log."""

    turns: tuple[Turn, ...]
    pauses: tuple[Pause, ...]


def seconds(stamp: str) -> float:
    return datetime.fromisoformat(stamp).timestamp()


def history(lines: Sequence[bytes]) -> History:
    """Who was waited for when. Folds the log once."""
    match = load(lines[:1])
    decode = reader(match.game).decode
    turns: list[Turn] = []
    pauses: list[Pause] = []
    for number, line in enumerate(lines[1:], 2):
        event = decode(line)
        before = match
        match = _next(match, event, lines[:number])
        moment = seconds(event.at)
        _note_turns(turns, before, match, moment)
        _note_pause(pauses, event, moment)
    return History(tuple(turns), tuple(pauses))


def _next(match: Match, event: Event, lines: Sequence[bytes]) -> Match:
    try:
        return load(lines) if type(event).__name__ == "Undone" else apply(match, event)
    except Rewound:
        return load(lines)


def _note_turns(turns: list[Turn], before: Match, match: Match, moment: float) -> None:
    for seat, since in enumerate(match.since):
        old = before.since[seat]
        if since == old:
            continue
        if old:
            _end(turns, seat, moment)
        if since:
            turns.append(Turn(seat, since, moment))


def _end(turns: list[Turn], seat: int, moment: float) -> None:
    for index in range(len(turns) - 1, -1, -1):
        if turns[index].seat == seat and turns[index].end is None:
            turns[index] = msgspec.structs.replace(turns[index], end=moment)
            return


def _note_pause(pauses: list[Pause], event: Event, moment: float) -> None:
    if isinstance(event, Paused):
        pauses.append(Pause(moment))
    elif isinstance(event, Resumed) and pauses:
        pauses[-1] = msgspec.structs.replace(pauses[-1], end=moment)


def deadlines(
    past: History, policy: Policy | None, profiles: Mapping[int, Sequence[Profile]]
) -> dict[int, float]:
    """By seat that is waited for: when its time is up. Seats without a profile (bots) have no deadline."""
    if policy is None or (past.pauses and past.pauses[-1].end is None):
        return {}
    open_turns = [turn for turn in past.turns if turn.end is None and turn.seat in profiles]
    return {turn.seat: _deadline(past, policy, profiles[turn.seat], turn) for turn in open_turns}


def _deadline(past: History, policy: Policy, profiles: Sequence[Profile], turn: Turn) -> float:
    profile = in_force(profiles, turn.start)
    allowed = policy.seconds if isinstance(policy, PerMove) else _banked(past, policy, profiles, turn)
    rest = sum(_overlap(pause, turn, profile) for pause in past.pauses)
    return after(turn.start, allowed + rest, profile)


def _overlap(pause: Pause, turn: Turn, profile: Profile) -> float:
    """Waking time of a turn that fell into a pause: given back."""
    end = pause.end if turn.end is None or pause.end is None else min(pause.end, turn.end)
    start = max(pause.start, turn.start)
    return between(start, end, profile) if end is not None and end > start else 0.0


def _banked(past: History, policy: Bank, profiles: Sequence[Profile], now: Turn) -> float:
    """What is left in the bank when a turn begins, its own increment included."""
    left = float(policy.seconds)
    for turn in past.turns:
        if turn.seat != now.seat or turn.seq > now.seq:
            continue
        left = min(float(policy.cap), left + policy.increment)
        if turn.seq == now.seq or turn.end is None:
            break
        profile = in_force(profiles, turn.start)
        used = between(turn.start, turn.end, profile)
        used -= sum(_overlap(pause, turn, profile) for pause in past.pauses)
        left = max(0.0, left - used)
    return left


def read_policy(raw: Any) -> Policy | None:
    """A policy from JSON; None for no clock. Raises msgspec.ValidationError."""
    return None if raw is None else msgspec.convert(raw, Policy)
