"""Shadow seats: what would a bot have played in a match that others played?"""

import time
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

from bots.registry import Choose
from bots.sdk_bot import IllegalAnswer, SdkBot
from engine import codec
from engine.events import Acted, seen
from engine.log import Match, load, steps


class Answer(NamedTuple):
    """One decision of a recorded seat, and the shadow's."""

    seq: int
    seat: int
    choices: int
    agrees: bool
    legal: bool
    ms: float


class Summary(NamedTuple):
    decisions: int
    agreed: int
    illegal: int
    by_chance: float  # agreement that blind guessing would reach on average
    median_ms: float
    worst_ms: float


def shadow(lines: Sequence[bytes], choose: Choose, seat: int | None = None) -> Iterator[Answer]:
    """Give the bot every observation on which a seat (None: any) had a choice."""
    match = load(lines[:1])
    heard: dict[int, int] = {}  # by seat: the line up to which it was told everything
    for number, (event, after) in enumerate(steps(lines[1:], match), 2):
        if isinstance(event, Acted) and event.seat is not None and seat in (None, event.seat):
            answer = _ask(match, event, choose, lines[heard.get(event.seat, 0) : number - 1])
            heard[event.seat] = number - 1
            if answer is not None:
                yield answer
        match = after


def _ask(match: Match, event: Acted[Any], choose: Choose, since: Sequence[bytes]) -> Answer | None:
    seat, rules = event.seat, match.rules
    assert seat is not None
    legal = rules.legal(match.state, seat)
    if len(legal) < 2 or seat not in match.to_act:
        return None
    played = rules.parse(match.state, seat, codec.decode(bytes(event.action)))
    started = time.perf_counter()
    try:
        chosen = _choice(match, seat, legal, choose, since)
    except IllegalAnswer:
        chosen = None
    ms = 1000 * (time.perf_counter() - started)
    return Answer(event.seq, seat, len(legal), chosen == played, chosen in legal, ms)


def _choice(match: Match, seat: int, legal: Sequence[Any], choose: Choose, since: Sequence[bytes]) -> Any:
    """The very turn that the seat had; a bot of the SDK gets it as it would over the network."""
    rules, turn = match.rules, match.since[seat]
    view = rules.view(match.state, seat)
    if not isinstance(choose, SdkBot):
        return choose(rules, view, seat, legal, Random(f"{match.id} {turn} {seat}"))
    message = {"match": match.id, "game": match.game, "version": match.version, "seat": seat, "seq": turn}
    known = [seen(rules, line, seat, over=False) for line in since]
    return choose.answer({**message, "view": view, "since": known}, legal)


def summary(answers: Sequence[Answer]) -> Summary:
    times = sorted(answer.ms for answer in answers) or [0.0]
    count = len(answers)
    return Summary(
        decisions=count,
        agreed=sum(answer.agrees for answer in answers),
        illegal=sum(not answer.legal for answer in answers),
        by_chance=sum(1 / answer.choices for answer in answers) / max(1, count),
        median_ms=times[len(times) // 2],
        worst_ms=times[-1],
    )
