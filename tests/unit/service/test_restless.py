"""How often one may sit down, get up, step out and come back at one table."""

from random import Random

import pytest
from msgspec.structs import replace

from engine import registry
from engine.accord import agree
from engine.events import Holder, Place
from engine.log import load
from engine.table import LogWriter, NewTable, Refused, leave, open_match, sit
from engine.tenure import hand_over, return_to
from service.commands.restraint import (
    LONG_LOBBY,
    LONG_MATCH,
    MAX_CHANGES,
    MAX_EARLY,
    MAX_PARTS,
    check_changes,
    check_early,
    check_hands,
)
from tests.tables import START, person, seated, step

ANNA, BERT, CYRIL = person(0), person(1), person(2)


def lobby() -> LogWriter:
    writer, rules = LogWriter(None, START, ANNA.id), registry.game("tides-of-time")
    new = NewTable("m1", [Place("open")] * 2, (None, None), bytes(32))
    open_match(writer, rules.key, rules.Options(), new)
    return writer


def come_and_go(writer: LogWriter, holder: Holder) -> LogWriter:
    writer = LogWriter(writer.match, START, holder.id)
    check_early(writer.match, holder.id)
    sit(writer, 1, holder)
    leave(writer, 1, holder.id)
    return writer


def test_nobody_fills_a_log_before_the_start() -> None:
    writer = lobby()
    for _ in range(MAX_EARLY // 2):
        writer = come_and_go(writer, BERT)
    with pytest.raises(Refused, match="changed_too_often"):
        check_early(writer.match, BERT.id)
    check_early(writer.match, CYRIL.id)  # nobody else is concerned
    sit(writer, 0, ANNA)
    sit(writer, 1, CYRIL)
    assert (writer.match.status, writer.match.changes) == ("running", {})


def test_what_is_counted_is_what_is_in_the_log() -> None:
    writer = lobby()
    sit(writer, 0, ANNA)
    sit(writer, 0, ANNA, "a nonce")
    assert writer.match.changes == {ANNA.id: 3} == load(writer.lines).changes


def test_what_people_do_around_the_play_is_counted_from_the_start_on() -> None:
    writer = seated("machi-koro")
    assert writer.match.changes == {}
    writer.by = BERT.id
    agree(writer, 1, "pause")
    agree(writer, 1, "pause", False)
    step(writer, Random(1))
    assert writer.match.changes == {BERT.id: 2} == load(writer.lines).changes


def test_the_seats_share_what_may_be_changed() -> None:
    writer = seated("machi-koro")
    share = MAX_CHANGES // len(writer.match.chairs)
    writer.by = BERT.id
    for number in range(share):
        check_changes(writer.match, BERT.id)
        agree(writer, 1, "pause", number % 2 == 0)
    with pytest.raises(Refused, match="changed_too_often"):
        check_changes(writer.match, BERT.id)
    check_changes(writer.match, ANNA.id)
    with pytest.raises(Refused, match="changed_too_often"):
        check_changes(replace(writer.match, seq=LONG_MATCH), ANNA.id)


def test_at_a_restless_table_everybody_sits_down_once() -> None:
    writer = lobby()
    guests = [Holder("person", f"account:{number}") for number in range(LONG_LOBBY // 2)]
    for guest in guests:
        writer = come_and_go(writer, guest)
    with pytest.raises(Refused, match="changed_too_often"):
        check_early(writer.match, guests[-1].id)
    check_early(writer.match, BERT.id)


def test_a_seat_changes_hands_so_often_and_its_owner_can_be_back_at_the_end() -> None:
    writer = seated("machi-koro")
    while len(writer.match.chairs[1].parts) < MAX_PARTS - 1:
        check_hands(writer.match, 1)
        hand_over(writer, 1, BERT.id)
        check_hands(writer.match, 1, returns=True)
        return_to(writer, 1, BERT.id)
    with pytest.raises(Refused, match="changed_too_often"):
        check_hands(writer.match, 1)
    check_hands(writer.match, 1, returns=True)
    check_hands(writer.match, 0)  # nobody else is concerned
