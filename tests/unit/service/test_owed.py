"""Whether a notice that was noted is still true when it is due."""

from __future__ import annotations

from engine.events import Holder
from engine.tenure import hand_over, return_to, substitute
from service.notices.owed import Owed, recipient
from service.time.history import history
from tests.tables import seated

CYRIL = Holder("person", "account:cyril")


def told(writer, kind, since):
    """Who is told so of seat 1, if anybody."""
    owed = Owed(kind, "m1", 1, since)
    return recipient(writer.match, history(writer.lines), owed)


def test_of_an_absence_that_is_over_nobody_is_told():
    writer = seated("tides-of-time")
    writer.by = "account:b"
    absences = []
    for _ in range(2):
        hand_over(writer, 1, "account:b")
        absences.append(writer.match.seq)
        assert told(writer, "away", absences[-1]) == "b"
        return_to(writer, 1, "account:b")
        assert told(writer, "away", absences[-1]) is None
    hand_over(writer, 1, "account:b")
    assert [told(writer, "away", since) for since in absences] == [None, None], "another one than these"


def test_of_a_substitute_who_has_gone_nobody_is_told():
    writer = seated("tides-of-time")
    writer.by = "account:b"
    hand_over(writer, 1, "account:b")
    writer.by = CYRIL.id
    substitute(writer, 1, CYRIL)
    stepped = writer.match.seq
    assert told(writer, "stepped-owner", stepped) == "b"
    writer.by = "account:b"
    return_to(writer, 1, "account:b")
    assert told(writer, "stepped-owner", stepped) is None
