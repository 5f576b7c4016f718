"""What somebody is answered who asks to take something back does not depend on what they may not know."""

from random import Random

import pytest

from engine import registry, undo
from engine.game import may_act
from engine.log import load
from engine.match import Match
from engine.table import LogWriter, Refused, act
from tests.tables import START, seated
from tests.worlds import otherwise

HIDING = [game.key for game in registry.games() if game.exchange is not None]


def step(writer: LogWriter, rng: Random) -> None:
    """One random action, often of a seat that changes its mind."""
    match = writer.match
    others = may_act(match.rules, match.state, len(match.chairs)) if rng.random() < 0.5 else []
    seat = rng.choice(others or match.to_act)
    act(writer, seat, rng.choice(list(match.rules.legal(match.state, seat))))


def answers(lines: list[bytes], seat: int) -> list[object]:
    """What the table says to this seat about every event that it could go back to."""
    match = load(lines)
    pasts = [load(lines[:to]) for to in range(1, len(lines))]
    return [undo.free_to(match, seat), *(said(match, seat, past) for past in pasts)]


def said(match: Match, seat: int, past: Match) -> object:
    try:
        return undo.undo(LogWriter(match, START, "account:a"), seat, past.seq, past)
    except Refused as refusal:
        return refusal.code


@pytest.mark.parametrize("key", HIDING)
def test_answers_to_undo_tell_nothing(key: str) -> None:
    other = 0
    for number in range(4):
        writer, rng = seated(key), Random(number)
        for _ in range(14):
            step(writer, rng)
            for seat in range(len(writer.match.chairs)):
                lines = otherwise(writer.lines, seat, rng)
                other += lines != writer.lines
                assert answers(lines, seat) == answers(writer.lines, seat)
    assert other > 50, "hardly anything was exchanged"
