"""Who was waited for when, in logs with undos: found in one pass."""

from random import Random

import pytest

from engine import registry
from engine.events import Undone
from engine.table import act
from service.time.history import History, extend, history
from tests.rewinding import plain_steps, rewinding
from tests.tables import seated


@pytest.mark.parametrize("key", registry.GAMES)
@pytest.mark.parametrize("seed", range(12))
def test_turns_are_found_as_the_log_plainly_reads(key: str, seed: int) -> None:
    lines = rewinding(key, Random(seed))
    (_, first), *rest = plain_steps(lines)
    assert history(lines) == extend(History(), first, rest)


def test_a_thousand_undos_are_a_thousand_stretches_of_one_turn() -> None:
    """Each goes back behind all the others: by folding anew, 2^1000 folds."""
    writer = seated("tides-of-time")
    before = writer.match
    for _ in range(1000):
        act(writer, 0, before.rules.legal(before.state, 0)[0])
        writer.write(Undone, seat=0, to=before.seq, past=before)
        before = writer.match
    mine = [turn for turn in history(writer.lines).turns if turn.seat == 0]
    assert len(mine) == 1001
    assert {turn.root for turn in mine} == {4}


def test_a_turn_is_found_by_its_seat_and_its_beginning() -> None:
    """Both are waited for since the same event, and each for several: neither alone says which turn it is."""
    writer = seated("tides-of-time")
    start = writer.match
    act(writer, 0, start.rules.legal(start.state, 0)[0])
    act(writer, 1, start.rules.legal(start.state, 1)[0])
    past = history(writer.lines)
    roots = sorted({turn.root for turn in past.turns})
    assert len(roots) == 2
    for root in roots:
        for seat in (0, 1):
            found = past.rooted(seat, root)
            assert (found.seat, found.root) == (seat, root)
    assert past.rooted(0, 99) is None
    taken_back = seated("tides-of-time")
    act(taken_back, 0, start.rules.legal(start.state, 0)[0])
    taken_back.write(Undone, seat=0, to=start.seq, past=start)
    again = history(taken_back.lines)
    assert again.rooted(0, roots[0]) == again.current(0), "the latest stretch of a turn"
