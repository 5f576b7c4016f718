"""What is shown of Pig: everything."""

from random import Random
from typing import Any

from engine.games.pig.model import Fact, Rolled, State, View


def view(state: State, seat: int | None) -> View:
    return View(seat, state.options, state.banked, state.turn, state.at_risk)


def redact(item: Any, seat: int | None) -> Any:
    return item


def reveals(fact: Fact) -> bool:
    """A roll cannot be taken back freely."""
    return isinstance(fact, Rolled)


def determinise(view: View, rng: Random) -> State:
    return State(view.options, view.banked, view.turn, view.at_risk)
