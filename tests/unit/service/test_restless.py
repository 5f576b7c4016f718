"""How often one may sit down, get up, step out and come back at one table."""

import pytest

from engine import registry
from engine.events import Holder, Place
from engine.log import load
from engine.table import Pen, Refused, leave, open_match, sit
from engine.tenure import hand_over, return_to
from service.restless import LONG_LOBBY, MOST_EARLY, MOST_PARTS, check_early, check_hands
from tests.tables import START, person, seated

ANNA, BERT, CYRIL = person(0), person(1), person(2)


def lobby() -> Pen:
    pen, rules = Pen(None, START, ANNA.id), registry.game("tides-of-time")
    open_match(pen, "m1", rules.key, rules.Options(), [Place("open")] * 2, (None, None), bytes(32))
    return pen


def come_and_go(pen: Pen, holder: Holder) -> Pen:
    pen = Pen(pen.match, START, holder.id)
    check_early(pen.match, holder.id)
    sit(pen, 1, holder)
    leave(pen, 1, holder.id)
    return pen


def test_nobody_fills_a_log_before_the_start() -> None:
    pen = lobby()
    for _ in range(MOST_EARLY // 2):
        pen = come_and_go(pen, BERT)
    with pytest.raises(Refused, match="changed_too_often"):
        check_early(pen.match, BERT.id)
    check_early(pen.match, CYRIL.id)  # nobody else is concerned
    sit(pen, 0, ANNA)
    sit(pen, 1, CYRIL)
    assert (pen.match.status, pen.match.early) == ("running", {})


def test_what_is_counted_is_what_is_in_the_log() -> None:
    pen = lobby()
    sit(pen, 0, ANNA)
    sit(pen, 0, ANNA, "a nonce")
    assert pen.match.early == {ANNA.id: 3} == load(pen.lines).early


def test_at_a_restless_table_everybody_sits_down_once() -> None:
    pen = lobby()
    guests = [Holder("person", f"account:{number}") for number in range(LONG_LOBBY // 2)]
    for guest in guests:
        pen = come_and_go(pen, guest)
    with pytest.raises(Refused, match="changed_too_often"):
        check_early(pen.match, guests[-1].id)
    check_early(pen.match, BERT.id)


def test_a_seat_changes_hands_so_often_and_its_owner_can_be_back_at_the_end() -> None:
    pen = seated("machi-koro")
    while len(pen.match.chairs[1].parts) < MOST_PARTS - 1:
        check_hands(pen.match, 1)
        hand_over(pen, 1, BERT.id)
        check_hands(pen.match, 1, returns=True)
        return_to(pen, 1, BERT.id)
    with pytest.raises(Refused, match="changed_too_often"):
        check_hands(pen.match, 1)
    check_hands(pen.match, 1, returns=True)
    check_hands(pen.match, 0)  # nobody else is concerned
