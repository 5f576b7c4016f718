"""Seats that outlive their holders, and what a table does only together."""

from random import Random

import pytest

from engine import codec
from engine.accord import agree, missing, resume
from engine.events import Holder
from engine.log import load
from engine.table import CARETAKER, Pen, Refused, resign
from engine.tenure import hand_over, return_to, substitute, time_out
from tests.tables import person, seated, step

EVE = Holder("person", "account:eve")


def kinds(pen: Pen) -> list[str]:
    return [codec.decode(line)["kind"] for line in pen.lines]


def test_a_caretaker_holds_the_seat_until_its_owner_returns() -> None:
    pen = seated("machi-koro")
    seat = pen.match.to_act[0]
    time_out(pen, seat, "caretaker")
    assert kinds(pen)[-2:] == ["timed_out", "handed_over"]
    chair = pen.match.chairs[seat]
    assert (chair.holder, chair.owner) == (CARETAKER, person(seat))
    assert pen.match.since[seat] == pen.match.seq  # a turn of the caretaker's own
    assert pen.match.seat_of(person(seat).id) == seat
    step(pen, Random(1))
    return_to(pen, seat, person(seat).id)
    assert pen.match.chairs[seat].holder == person(seat)
    assert [part.why for part in pen.match.chairs[seat].parts] == ["seated", "timed_out", "returned"]
    assert load(pen.lines) == pen.match


def test_a_substitute_plays_on_and_the_owner_may_still_return() -> None:
    pen = seated("machi-koro", seats=3)
    hand_over(pen, 1, person(1).id)
    with pytest.raises(Refused, match="already_away"):
        hand_over(pen, 1, person(1).id)
    with pytest.raises(Refused, match="already_seated"):
        substitute(pen, 1, person(0))
    substitute(pen, 1, EVE)
    assert pen.match.seat_of(EVE.id) == pen.match.seat_of(person(1).id) == 1
    with pytest.raises(Refused, match="seat_taken"):
        substitute(pen, 1, Holder("person", "account:mallory"))
    with pytest.raises(Refused, match="not_your_seat"):
        return_to(pen, 1, EVE.id)
    return_to(pen, 1, person(1).id)
    assert pen.match.seat_of(EVE.id) is None


def test_time_up_may_mean_resigning() -> None:
    pen = seated("machi-koro")
    seat = pen.match.to_act[0]
    time_out(pen, seat, "resign")
    assert kinds(pen)[-3:] == ["timed_out", "resigned", "finished"]
    assert pen.match.result is not None
    assert (pen.match.result.how, pen.match.result.winners) == ("timed_out", (1 - seat,))


def test_of_three_who_resigned_is_replaced_and_does_not_return() -> None:
    pen = seated("machi-koro", seats=3)
    seat = pen.match.to_act[0]
    time_out(pen, seat, "resign")
    assert kinds(pen)[-3:] == ["timed_out", "resigned", "handed_over"]
    for attempt in (lambda: return_to(pen, seat, person(seat).id), lambda: substitute(pen, seat, EVE)):
        with pytest.raises(Refused, match="already_resigned"):
            attempt()
    with pytest.raises(Refused, match="already_resigned"):
        resign(pen, seat, person(seat).id)


def test_waiting_only_says_so() -> None:
    pen = seated("machi-koro")
    before = pen.match
    time_out(pen, before.to_act[0], "wait")
    assert kinds(pen)[-1] == "timed_out"
    assert pen.match.chairs == before.chairs
    assert pen.match.since == before.since


def test_a_pause_needs_everybody_and_one_ends_it() -> None:
    pen = seated("machi-koro", bots=(2,), seats=3)
    agree(pen, 0, "pause")
    agree(pen, 0, "pause")  # saying it twice says it once
    assert missing(pen.match, "pause") == [1]
    agree(pen, 1, "pause")
    assert kinds(pen)[-3:] == ["agreed", "agreed", "paused"]
    assert pen.match.paused
    with pytest.raises(Refused, match="already_paused"):
        agree(pen, 0, "pause")
    resume(pen, 1)
    assert not pen.match.paused
    with pytest.raises(Refused, match="not_paused"):
        resume(pen, 0)


def test_an_agreement_is_forgotten_when_somebody_acts_or_changes_their_mind() -> None:
    pen = seated("machi-koro")
    agree(pen, 0, "abandon")
    agree(pen, 0, "abandon", False)
    assert missing(pen.match, "abandon") == [0, 1]
    agree(pen, 0, "abandon")
    step(pen, Random(1))
    agree(pen, 1, "abandon")
    assert pen.match.status == "running"


def test_a_match_given_up_by_all_opens_its_seed_and_has_no_winner() -> None:
    pen = seated("machi-koro")
    agree(pen, 0, "abandon")
    agree(pen, 1, "abandon")
    assert kinds(pen)[-2:] == ["abandoned", "finished"]
    assert pen.match.result is not None
    assert (pen.match.result.how, pen.match.result.winners) == ("abandoned", ())
    assert codec.decode(pen.lines[-1])["seed"]
    assert load(pen.lines) == pen.match
    with pytest.raises(Refused, match="not_running"):
        agree(pen, 0, "pause")
