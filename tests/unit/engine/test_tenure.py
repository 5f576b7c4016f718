"""Seats that outlive their holders, and what a table does only together."""

from random import Random

import pytest

from engine import codec
from engine.accord import agree, missing, resume
from engine.events import Holder
from engine.log import load
from engine.table import CARETAKER, LogWriter, Refused, resign
from engine.tenure import hand_over, return_to, substitute, time_out
from tests.tables import person, seated, step

EVE = Holder("person", "account:eve")


def kinds(writer: LogWriter) -> list[str]:
    return [codec.decode(line)["kind"] for line in writer.lines]


def test_a_caretaker_holds_the_seat_until_its_owner_returns() -> None:
    writer = seated("machi-koro")
    seat = writer.match.to_act[0]
    time_out(writer, seat, "caretaker")
    assert kinds(writer)[-2:] == ["timed_out", "handed_over"]
    chair = writer.match.chairs[seat]
    assert (chair.holder, chair.owner) == (CARETAKER, person(seat))
    assert writer.match.since[seat] == writer.match.seq  # a turn of the caretaker's own
    assert writer.match.seat_of(person(seat).id) == seat
    step(writer, Random(1))
    return_to(writer, seat, person(seat).id)
    assert writer.match.chairs[seat].holder == person(seat)
    assert [part.why for part in writer.match.chairs[seat].parts] == ["seated", "timed_out", "returned"]
    assert load(writer.lines) == writer.match


def test_a_substitute_plays_on_and_the_owner_may_still_return() -> None:
    writer = seated("machi-koro", seats=3)
    hand_over(writer, 1, person(1).id)
    with pytest.raises(Refused, match="already_away"):
        hand_over(writer, 1, person(1).id)
    with pytest.raises(Refused, match="already_seated"):
        substitute(writer, 1, person(0))
    substitute(writer, 1, EVE)
    assert writer.match.seat_of(EVE.id) == writer.match.seat_of(person(1).id) == 1
    with pytest.raises(Refused, match="seat_taken"):
        substitute(writer, 1, Holder("person", "account:mallory"))
    with pytest.raises(Refused, match="not_your_seat"):
        return_to(writer, 1, EVE.id)
    return_to(writer, 1, person(1).id)
    assert writer.match.seat_of(EVE.id) is None


def test_time_up_may_mean_resigning() -> None:
    writer = seated("machi-koro")
    seat = writer.match.to_act[0]
    time_out(writer, seat, "resign")
    assert kinds(writer)[-3:] == ["timed_out", "resigned", "finished"]
    assert writer.match.result is not None
    assert (writer.match.result.how, writer.match.result.winners) == ("timed_out", (1 - seat,))


def test_of_three_who_resigned_is_replaced_and_does_not_return() -> None:
    writer = seated("machi-koro", seats=3)
    seat = writer.match.to_act[0]
    time_out(writer, seat, "resign")
    assert kinds(writer)[-3:] == ["timed_out", "resigned", "handed_over"]
    for attempt in (lambda: return_to(writer, seat, person(seat).id), lambda: substitute(writer, seat, EVE)):
        with pytest.raises(Refused, match="already_resigned"):
            attempt()
    with pytest.raises(Refused, match="already_resigned"):
        resign(writer, seat, person(seat).id)


def test_waiting_only_says_so() -> None:
    writer = seated("machi-koro")
    before = writer.match
    time_out(writer, before.to_act[0], "wait")
    assert kinds(writer)[-1] == "timed_out"
    assert writer.match.chairs == before.chairs
    assert writer.match.since == before.since


def test_a_pause_needs_everybody_and_one_ends_it() -> None:
    writer = seated("machi-koro", bots=(2,), seats=3)
    agree(writer, 0, "pause")
    agree(writer, 0, "pause")  # saying it twice says it once
    assert missing(writer.match, "pause") == [1]
    agree(writer, 1, "pause")
    assert kinds(writer)[-3:] == ["agreed", "agreed", "paused"]
    assert writer.match.paused
    with pytest.raises(Refused, match="already_paused"):
        agree(writer, 0, "pause")
    resume(writer, 1)
    assert not writer.match.paused
    with pytest.raises(Refused, match="not_paused"):
        resume(writer, 0)


def test_an_agreement_is_forgotten_when_somebody_acts_or_changes_their_mind() -> None:
    writer = seated("machi-koro")
    agree(writer, 0, "abandon")
    agree(writer, 0, "abandon", False)
    assert missing(writer.match, "abandon") == [0, 1]
    agree(writer, 0, "abandon")
    step(writer, Random(1))
    agree(writer, 1, "abandon")
    assert writer.match.status == "running"


def test_a_match_given_up_by_all_opens_its_seed_and_has_no_winner() -> None:
    writer = seated("machi-koro")
    agree(writer, 0, "abandon")
    agree(writer, 1, "abandon")
    assert kinds(writer)[-2:] == ["abandoned", "finished"]
    assert writer.match.result is not None
    assert (writer.match.result.how, writer.match.result.winners) == ("abandoned", ())
    assert load(writer.lines[:-1]).status == "finished", "it was played, and given up: not cancelled"
    assert codec.decode(writer.lines[-1])["seed"]
    assert load(writer.lines) == writer.match
    with pytest.raises(Refused, match="not_running"):
        agree(writer, 0, "pause")
