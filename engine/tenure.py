"""Seats that outlive their holders: a caretaker plays on, a substitute may come, the owner may return.

Each change is an event that says who holds the seat from then on, and why.
"""

from collections.abc import Callable
from typing import Literal

from engine.events import HandedOver, Holder, Returned, TimedOut
from engine.match import Match
from engine.table import CARETAKER, Pen, Refused, check_holder, give_up

Timeout = Literal["caretaker", "resign", "wait"]


def hand_over(pen: Pen, seat: int, account: str) -> None:
    """Leave the seat to the caretaker without giving the match up."""
    match = pen.match
    check_running(match, seat)
    check_holder(match, seat, account)
    if match.chairs[seat].holder == CARETAKER:
        raise Refused("already_away")
    pen.write(HandedOver, seat=seat, holder=CARETAKER, why="left")


def return_to(pen: Pen, seat: int, account: str) -> None:
    """The owner takes the seat back, from the caretaker or from a substitute."""
    match = pen.match
    check_running(match, seat)
    chair = match.chairs[seat]
    if chair.owner is None or chair.owner.id != account:
        raise Refused("not_your_seat")
    if chair.resigned:
        raise Refused("already_resigned")
    pen.write(Returned, seat=seat, holder=chair.owner)


def substitute(pen: Pen, seat: int, holder: Holder) -> None:
    """Somebody invited plays on where the caretaker sits. The owner may still return."""
    match = pen.match
    check_running(match, seat)
    chair = match.chairs[seat]
    if chair.owner is None or chair.holder != CARETAKER:
        raise Refused("seat_taken", seat=seat)
    if chair.resigned:
        raise Refused("already_resigned")
    if match.seat_of(holder.id) is not None:
        raise Refused("already_seated")
    pen.write(HandedOver, seat=seat, holder=holder, why="substitute")


def time_out(pen: Pen, seat: int, consequence: Timeout) -> None:
    """A seat's time is up. Whether it is, the clock decides; here is only what follows."""
    check_running(pen.match, seat)
    pen.write(TimedOut, seat=seat)
    _CONSEQUENCES[consequence](pen, seat)


def _caretaker(pen: Pen, seat: int) -> None:
    pen.write(HandedOver, seat=seat, holder=CARETAKER, why="timed_out")


def _resign(pen: Pen, seat: int) -> None:
    give_up(pen, seat, "timed_out")


def _wait(pen: Pen, seat: int) -> None:
    """Everybody sees that the time is up; nothing else happens."""


_CONSEQUENCES: dict[str, Callable[[Pen, int], None]] = {
    "caretaker": _caretaker,
    "resign": _resign,
    "wait": _wait,
}


def check_running(match: Match, seat: int) -> None:
    if not 0 <= seat < len(match.chairs):
        raise Refused("no_such_seat", seat=seat)
    if match.status != "running":
        raise Refused("not_running")
