"""Asking what a bot would do, where one person plays against bots. The match is assisted from then on."""

from engine.events import Advised
from engine.match import Match
from engine.table import LogWriter, Refused
from engine.tenure import check_running


def may_ask(match: Match, seat: int | None) -> bool:
    """Whether a seat may ask now: it is its turn, and everybody else is a bot of the house."""
    return seat is not None and seat in match.to_act and _alone(match, seat)


def ask(writer: LogWriter, seat: int) -> None:
    """Ask, once a turn: whoever asks again is not answered anew."""
    match = writer.match
    check_running(match, seat)
    if not _alone(match, seat):
        raise Refused("not_against_bots")
    if not may_ask(match, seat):
        raise Refused("not_your_turn")
    if match.advice is None or match.advice[0] != seat:
        writer.write(Advised, seat=seat)


def _alone(match: Match, seat: int) -> bool:
    """Nobody else has a part in it, also not one who is only away."""
    return match.people == [seat] and all(
        chair.holder is not None and chair.holder.kind == "bot" and chair.owner is None
        for number, chair in enumerate(match.chairs)
        if number != seat
    )
