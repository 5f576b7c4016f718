"""Checks a log from its bytes alone: the chain, the seal, every draw and every decision.

`verify` rolls the sealed dice again; `audit` feeds the stored outcomes to today's rules instead, so that it
reports a change of the rules and not a change of the dice.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple

import msgspec

from engine import chance, codec
from engine.events import Acted, Finished, Forked, Opened, Started, reader
from engine.game import CHANCE, AnyGame, Illegal, begin, fold, play
from engine.log import BadLog, Match, load, steps

Redecide = Callable[[Match, Any], list[Any]]  # (the match before, event) -> the facts it should have


class Closing(msgspec.Struct, forbid_unknown_fields=True):
    end: int
    head: str
    redacted: bool = False


def closing(match: Match) -> bytes:
    """The last line of an export."""
    return codec.encode({"end": match.seq, "head": match.head})


def split(data: bytes) -> list[bytes]:
    """The event lines of an export: canonical, whole, and closed by the right closing line."""
    if not data:
        raise BadLog(1, "empty_log", "the file is empty")
    lines = data.split(b"\n")
    if lines.pop() != b"":
        raise BadLog(len(lines) + 1, "cut_log", "the last line is cut: it does not end with a newline")
    for number, line in enumerate(lines, 1):
        if not codec.is_canonical(line):
            raise BadLog(number, "not_canonical", "not the canonical spelling of a JSON value")
    end = _closing(lines)
    events = lines[:-1]
    if end.redacted:
        raise BadLog(
            len(lines), "incomplete_log", "a redacted export of a running match: secrets are missing"
        )
    if end.end != len(events) or not events:
        raise BadLog(
            len(lines), "cut_log", f"the closing line counts {end.end} events, there are {len(events)}"
        )
    return events


def _closing(lines: Sequence[bytes]) -> Closing:
    try:
        return codec.decoder(Closing).decode(lines[-1])  # type: ignore[no-any-return]
    except msgspec.DecodeError:
        raise BadLog(len(lines), "incomplete_log", "the closing line is missing") from None


def read(data: bytes) -> tuple[Match, list[bytes]]:
    """A complete log from an export's bytes: chain and closing hash hold. Raises BadLog."""
    lines = split(data)
    match = load(lines)
    if _closing([*lines, data.split(b"\n")[-2]]).head != match.head:
        raise BadLog(len(lines) + 1, "broken_chain", "the closing hash is not that of the last event")
    return match, lines


def verify(lines: Sequence[bytes]) -> None:
    """Everything that can be checked about a loaded log's events. Raises BadLog at the first that fails."""
    for problem in redecide(lines, _by_dice):
        raise problem
    _check_secrets(lines)


class Check(NamedTuple):
    """One kind of check of a whole log, and where it fails."""

    what: Literal["chain", "seal", "dice"]
    problem: BadLog | None


def checks(data: bytes) -> list[Check]:
    """The same one by one, from an export's bytes; what rests on a check that failed is not looked at."""
    try:
        lines = read(data)[1]
    except BadLog as problem:
        return [Check("chain", problem)]
    done = [Check("chain", None), Check("seal", _caught(_check_secrets, lines))]
    if done[-1].problem is None:
        done.append(Check("dice", next(redecide(lines, _by_dice), None)))
    return done


def _caught(check: Callable[[Sequence[bytes]], None], lines: Sequence[bytes]) -> BadLog | None:
    try:
        check(lines)
    except BadLog as problem:
        return problem
    return None


class Audit(NamedTuple):
    """What today's rules say of a stored log: `same`, `differs` or `illegal`, and from which event on."""

    verdict: str
    seq: int = 0
    detail: str = ""


def audit(lines: Sequence[bytes]) -> Audit:
    """Re-decide every event under the current rules, with the stored outcomes of chance."""
    for problem in redecide(lines, _by_outcomes):
        return Audit("illegal" if problem.code == "illegal" else "differs", problem.line, problem.reason)
    return Audit("same")


def redecide(lines: Sequence[bytes], decide: Redecide) -> Iterator[BadLog]:
    """Events whose facts are not what deciding them again gives."""
    before: Match | None = None
    for event, match in steps(lines):
        problem = None if before is None else _again(before, event, event.seq, decide)
        if problem is not None:
            yield problem
        before = match


def _again(match: Match, event: Any, number: int, decide: Redecide) -> BadLog | None:
    if isinstance(event, (Started, Acted)):
        try:
            facts = decide(match, event)
        except Illegal as refusal:
            return BadLog(number, "illegal", f"the action is refused: {refusal.code}")
        if facts != list(event.facts):
            return BadLog(number, "differs", _difference(facts, event.facts))
    if isinstance(event, Finished) and event.result.how == "played":
        result = match.rules.result(match.state)
        if result is None or result.scores != event.result.scores:
            return BadLog(number, "differs", "the result does not follow from the position")
    return None


def _difference(facts: Sequence[Any], stored: Sequence[Any]) -> str:
    for n, (now, then) in enumerate(zip(facts, stored, strict=False), 1):
        if now != then:
            return f"fact {n} is {codec.encode(then).decode()}, the rules give {codec.encode(now).decode()}"
    return f"{len(stored)} facts are stored, the rules give {len(facts)}"


def _by_dice(match: Match, event: Started[Any] | Acted[Any]) -> list[Any]:
    rules = match.rules
    if isinstance(event, Started):
        return begin(rules, len(match.chairs), match.options, match.dice)[1]
    return play(rules, match.state, _seat(event), _action(rules, match, event), match.dice)[1]


def _by_outcomes(match: Match, event: Started[Any] | Acted[Any]) -> list[Any]:
    rules, state = match.rules, match.state
    if isinstance(event, Started):
        facts = list(rules.start(len(match.chairs), match.options))
    else:
        facts = list(rules.decide(state, _seat(event), _action(rules, match, event)))
    state = fold(rules, facts, state)
    while CHANCE in rules.to_act(state):
        more = _outcome(rules, state, event.facts[len(facts) :])
        state = fold(rules, more, state)
        facts += more
    return facts


def _outcome(rules: AnyGame, state: Any, stored: Sequence[Any]) -> list[Any]:
    """What chance did, recognised by the facts it led to."""
    for outcome in rules.odds(state).outcomes:
        facts = list(rules.decide(state, CHANCE, outcome))
        if facts[:1] == list(stored[:1]):
            return facts
    raise Illegal("impossible_draw")


def _seat(event: Acted[Any]) -> int:
    assert event.seat is not None
    return event.seat


def _action(rules: AnyGame, match: Match, event: Acted[Any]) -> Any:
    return rules.parse(match.state, _seat(event), codec.decode(bytes(event.action)))


def _check_secrets(lines: Sequence[bytes]) -> None:
    """The seed opens the seal, and every salt follows from it."""
    decode = reader(load(lines[:1]).game).decode
    seed = b""
    for number, event in enumerate(map(decode, lines), 1):
        if isinstance(event, (Opened, Forked)):
            seed = _seed(event, number)
        if isinstance(event, Finished) and event.seed != seed.hex():
            raise BadLog(number, "wrong_seed", "the opened seed is not the sealed one")
        if event.salt != chance.salt(seed, number):
            raise BadLog(number, "wrong_salt", "the salt does not follow from the seed")


def _seed(event: Opened | Forked, number: int) -> bytes:
    try:
        seed = bytes.fromhex(event.seed)
    except ValueError:
        seed = b""
    if not seed:
        raise BadLog(number, "incomplete_log", "the seed is missing")
    if chance.seal(seed) != event.seal:
        raise BadLog(number, "broken_seal", "the seed does not open the seal")
    return seed
