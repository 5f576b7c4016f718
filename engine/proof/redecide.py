"""Deciding again what was decided, with the stored outcomes of chance: rules and dice are told apart."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from engine import codec
from engine.events import Acted, Finished, Started
from engine.game import CHANCE, Illegal, Result, fold
from engine.log import BadLog, steps
from engine.match import Match
from engine.table import with_resigned

Decided = Started[Any] | Acted[Any]


class Audit(NamedTuple):
    """What today's rules say of a stored log: `same`, `differs` or `illegal`, and from which event on."""

    verdict: str
    seq: int = 0
    detail: str = ""


def audit(lines: Sequence[bytes]) -> Audit:
    """Re-decide every event under the current rules, with the stored outcomes of chance."""
    for problem in differences(lines):
        return Audit("illegal" if problem.code == "illegal" else "differs", problem.line, problem.reason)
    return Audit("same")


def differences(lines: Sequence[bytes]) -> Iterator[BadLog]:
    """Events that today's rules would decide otherwise."""
    before: Match | None = None
    for event, match in steps(lines):
        problem = None if before is None else otherwise(before, event)
        if problem is not None:
            yield problem
        before = match


def otherwise(match: Match, event: Any) -> BadLog | None:
    """What today's rules, after this match, would not have written down like this."""
    if isinstance(event, (Started, Acted)):
        return undecided(match, event)
    if isinstance(event, Finished) and event.result.how == "played":
        return _result(match, event)
    return None


def _result(match: Match, event: Finished) -> BadLog | None:
    result = match.rules.result(match.state)
    if result is not None and same_result(with_resigned(result, match), event.result, match.revision):
        return None
    return BadLog(event.seq, "differs", "the result does not follow from the position")


def same_result(due: Result, stored: Result, revision: int) -> bool:
    """Whether two results read alike. Before the rules had names the lines of a score had no fixed order."""
    if not revision:
        due, stored = _ordered(due), _ordered(stored)
    return codec.encode(due) == codec.encode(stored)


def _ordered(result: Result) -> Result:
    return replace(result, breakdown=tuple(tuple(sorted(lines, key=str)) for lines in result.breakdown))


class ImpossibleDraw(Exception):
    """No outcome of chance leads to the stored facts."""


def undecided(match: Match, event: Decided, fell: list[bool] | None = None) -> BadLog | None:
    """Why the facts of an event are not what the rules make of its action, whatever chance did.

    Of each draw on the way it is added to `fell` whether it fell like the match's dice.
    """
    try:
        facts = _by_outcomes(match, event, [] if fell is None else fell)
    except ImpossibleDraw:
        return BadLog(event.seq, "impossible_draw", "no outcome of chance leads to its facts")
    except Illegal as refusal:
        return BadLog(event.seq, "illegal", f"the action is refused: {refusal.code}")
    if facts != list(event.facts):
        return BadLog(event.seq, "differs", difference(facts, event.facts))
    return None


def difference(facts: Sequence[Any], stored: Sequence[Any]) -> str:
    for n, (now, then) in enumerate(zip(facts, stored, strict=False), 1):
        if now != then:
            return f"fact {n} is {codec.encode(then).decode()}, the rules give {codec.encode(now).decode()}"
    return f"{len(stored)} facts are stored, the rules give {len(facts)}"


def _by_outcomes(match: Match, event: Decided, fell: list[bool]) -> list[Any]:
    rules, state = match.rules, match.state
    if isinstance(event, Started):
        facts = list(rules.start(len(match.chairs), match.options))
    else:
        assert event.seat is not None
        facts = list(rules.decide(state, event.seat, action(match, event)))
    state = fold(rules, facts, state)
    while CHANCE in rules.to_act(state):
        by_dice, more = _outcome(match, state, event.facts[len(facts) :])
        fell.append(by_dice)
        state = fold(rules, more, state)
        facts += more
    return facts


def action(match: Match, event: Acted[Any]) -> Any:
    """The wish of an event as the rules read it. Raises Illegal."""
    assert event.seat is not None
    return match.rules.parse(match.state, event.seat, codec.decode(bytes(event.action)))


def _outcome(match: Match, state: Any, stored: Sequence[Any]) -> tuple[bool, list[Any]]:
    """What chance did, recognised by the facts it led to, and whether that is what the dice give."""
    rules = match.rules
    odds = rules.odds(state)
    for n, outcome in enumerate((match.dice(odds, state.draws), *odds.outcomes)):
        facts = list(rules.decide(state, CHANCE, outcome))
        if facts[:1] == list(stored[:1]):
            return n == 0, facts
    raise ImpossibleDraw
