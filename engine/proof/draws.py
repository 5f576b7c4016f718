"""What chance did in a match, draw by draw: enough to roll every die again without knowing the rules.

The odds of each draw come from the rules; which outcome it was, from the facts in the log. Whoever has the
opened seed can then compute the number of each draw and see whether it leads to that outcome.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from engine.events import Acted, Started
from engine.game import CHANCE, AnyGame, Illegal, Odds, fold
from engine.log import FORGED, BadLog, Match, steps
from engine.proof.redecide import action


class Draw(msgspec.Struct, frozen=True, omit_defaults=True):
    """Draw `n`, made in event `seq`: one of so many outcomes, with weights unless all are equal."""

    seq: int
    n: int
    outcomes: int
    chosen: int
    outcome: Any
    weights: Sequence[int] | None = None


def draws(lines: Sequence[bytes]) -> Iterator[Draw]:
    """Every draw of a log. Raises BadLog at an event whose draws cannot be told from its facts."""
    before: Match | None = None
    for event, match in steps(lines):
        if before is not None and isinstance(event, (Started, Acted)):
            yield from _told(before, event)
        before = match


def _told(match: Match, event: Started[Any] | Acted[Any]) -> list[Draw]:
    """Facts that nobody ever decided may break the rules themselves."""
    try:
        return list(_of_event(match, event))
    except FORGED as problem:
        raise BadLog(event.seq, "impossible", f"it cannot have happened: {problem!r}") from None


def _of_event(match: Match, event: Started[Any] | Acted[Any]) -> Iterator[Draw]:
    """Chance acts after whatever was decided, until somebody else must."""
    rules = match.rules
    decided = _decided(match, event)
    state, told = fold(rules, decided, match.state), len(decided)
    while CHANCE in rules.to_act(state):
        odds, n = rules.odds(state), state.draws
        chosen = _chosen(match, state, odds, event.facts[told:], event.seq)
        yield Draw(event.seq, n, len(odds.outcomes), chosen, odds.outcomes[chosen], odds.weights)
        facts = rules.decide(state, CHANCE, odds.outcomes[chosen])
        state, told = fold(rules, facts, state), told + len(facts)


def _decided(match: Match, event: Started[Any] | Acted[Any]) -> list[Any]:
    rules = match.rules
    try:
        if isinstance(event, Started):
            return list(rules.start(len(match.chairs), match.options))
        assert event.seat is not None
        return list(rules.decide(match.state, event.seat, action(match, event)))
    except Illegal as refusal:
        raise BadLog(event.seq, "illegal", f"the action is refused: {refusal.code}") from None


def _chosen(match: Match, state: Any, odds: Odds[Any], stored: Sequence[Any], seq: int) -> int:
    """Which outcome led to these facts. Of several that would have, the one that the dice gave."""
    rolled = _index(odds, match.dice(odds, state.draws))
    for index in (rolled, *range(len(odds.outcomes))):
        if _leads_to(match.rules, state, odds.outcomes[index], stored):
            return int(index)
    raise BadLog(seq, "impossible_draw", f"draw {state.draws} has no outcome that leads to this")


def _index(odds: Odds[Any], outcome: Any) -> int:
    return next(n for n, other in enumerate(odds.outcomes) if other is outcome or other == outcome)


def _leads_to(rules: AnyGame, state: Any, outcome: Any, stored: Sequence[Any]) -> bool:
    return list(rules.decide(state, CHANCE, outcome))[:1] == list(stored[:1])
