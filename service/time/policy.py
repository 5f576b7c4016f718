"""Deadlines as a pure function of a history, a clock policy and the players' times."""

from collections.abc import Iterable, Mapping
from itertools import groupby
from math import inf

from engine.policy import Bank, Policy
from infra.people.profiles import Times
from service.time.history import History, Pause, TurnSpan
from service.time.waking_hours import Profile, after, between, hours_at, in_force, with_vacations


def deadlines(
    past: History, policy: Policy | None, times: Mapping[int, Times], known: float = inf
) -> dict[int, float]:
    """By seat that is waited for: when its time is up. Seats without times (bots) have no deadline.

    `known`: only vacations that were announced by then count, so that a past answer can be given again.
    """
    if policy is None or (past.pauses and past.pauses[-1].end is None):
        return {}
    waiting = [turn for turn in past.turns if turn.end is None and turn.seat in times and not turn.timed_out]
    return {turn.seat: _deadline(past, policy, times[turn.seat], turn, known) for turn in waiting}


def _deadline(past: History, policy: Policy, times: Times, turn: TurnSpan, known: float) -> float:
    profile = in_force(times, turn.start, known)
    left = allowed(past, policy, times, turn, known) + _rest(past, turn, profile)
    return after(turn.start, left, profile)


def allowed(past: History, policy: Policy, times: Times, turn: TurnSpan, known: float = inf) -> float:
    """The waking time that a turn has when it begins."""
    if isinstance(policy, Bank):
        return _banked(past, policy, times, turn, known)
    earlier = [t for t in past.turns if t.root == turn.root and t.seat == turn.seat and t.seq < turn.seq]
    return max(0.0, policy.seconds - _spent(past, earlier, times, known))


def _spent(past: History, turns: Iterable[TurnSpan], times: Times, known: float) -> float:
    """What several stretches used: a turn may have been taken up again many times, in the same hours."""
    total = 0.0
    for hours, some in groupby(turns, lambda turn: hours_at(times, turn.start)):
        profile = with_vacations(hours, times, known)
        total += sum(_used(past, turn, profile) for turn in some)
    return total


def _banked(past: History, policy: Bank, times: Times, now: TurnSpan, known: float) -> float:
    """What is left in the bank when a turn begins, its own increment included.

    Whoever takes a seat begins with a full bank: it counts from the last time somebody else held the seat.
    """
    left = float(policy.seconds)
    for turn in _tenure(past, now):
        if turn.root == turn.seq:
            left = min(float(policy.most), left + policy.increment)
        if turn.seq == now.seq:
            break
        left = max(0.0, left - _used(past, turn, in_force(times, turn.start, known)))
    return left


def _tenure(past: History, now: TurnSpan) -> list[TurnSpan]:
    mine: list[TurnSpan] = []
    for turn in past.turns:
        if turn.seat == now.seat and turn.seq <= now.seq:
            if turn.who == now.who:
                mine.append(turn)
            else:
                mine.clear()
    return mine


def _used(past: History, turn: TurnSpan, profile: Profile) -> float:
    assert turn.end is not None
    return between(turn.start, turn.end, profile) - _rest(past, turn, profile)


def _rest(past: History, turn: TurnSpan, profile: Profile) -> float:
    """Waking time of a turn that fell into pauses: given back."""
    if not past.pauses:
        return 0.0
    return sum(_overlap(pause, turn, profile) for pause in past.pauses)


def _overlap(pause: Pause, turn: TurnSpan, profile: Profile) -> float:
    ends = [end for end in (pause.end, turn.end) if end is not None]
    start = max(pause.start, turn.start)
    return between(start, min(ends), profile) if ends and min(ends) > start else 0.0
