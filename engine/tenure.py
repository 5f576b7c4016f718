"""Seats that outlive their holders: a caretaker plays on, a substitute may come, the owner may return.

Each change is an event that says who holds the seat from then on, and why.
"""

from collections.abc import Callable

from engine.events import HandedOver, Holder, Returned, TimedOut
from engine.match import Match
from engine.policy import Timeout
from engine.table import CARETAKER, LogWriter, Refused, check_holder, give_up


def hand_over(writer: LogWriter, seat: int, account: str) -> None:
    """Leave the seat to the caretaker without giving the match up."""
    match = writer.match
    check_running(match, seat)
    check_holder(match, seat, account)
    if match.chairs[seat].holder == CARETAKER:
        raise Refused("already_away")
    writer.write(HandedOver, seat=seat, holder=CARETAKER, why="left")


def return_to(writer: LogWriter, seat: int, account: str) -> None:
    """The owner takes the seat back, from the caretaker or from a substitute."""
    match = writer.match
    check_running(match, seat)
    chair = match.chairs[seat]
    if chair.owner is None or chair.owner.id != account:
        raise Refused("not_your_seat")
    if chair.resigned:
        raise Refused("already_resigned")
    writer.write(Returned, seat=seat, holder=chair.owner)


def substitute(writer: LogWriter, seat: int, holder: Holder) -> None:
    """Somebody invited plays on where the caretaker sits. The owner may still return."""
    match = writer.match
    check_running(match, seat)
    chair = match.chairs[seat]
    if chair.owner is None or chair.holder != CARETAKER:
        raise Refused("seat_taken", seat=seat)
    if chair.resigned:
        raise Refused("already_resigned")
    if match.seat_of(holder.id) is not None:
        raise Refused("already_seated")
    writer.write(HandedOver, seat=seat, holder=holder, why="substitute")


def time_out(writer: LogWriter, seat: int, consequence: Timeout) -> None:
    """A seat's time is up. Whether it is, the clock decides; here is only what follows."""
    check_running(writer.match, seat)
    writer.write(TimedOut, seat=seat)
    _CONSEQUENCES[consequence](writer, seat)


def _caretaker(writer: LogWriter, seat: int) -> None:
    writer.write(HandedOver, seat=seat, holder=CARETAKER, why="timed_out")


def _resign(writer: LogWriter, seat: int) -> None:
    give_up(writer, seat, "timed_out")


def _wait(writer: LogWriter, seat: int) -> None:
    """Everybody sees that the time is up; nothing else happens."""


_CONSEQUENCES: dict[str, Callable[[LogWriter, int], None]] = {
    "caretaker": _caretaker,
    "resign": _resign,
    "wait": _wait,
}


def check_running(match: Match, seat: int) -> None:
    if not 0 <= seat < len(match.chairs):
        raise Refused("no_such_seat", seat=seat)
    if match.status != "running":
        raise Refused("not_running")
