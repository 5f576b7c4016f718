"""What Pig is made of: actions, facts, state and view."""

from typing import Annotated

import msgspec

from engine.games.pig.content import GOAL
from engine.kit import records


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    goal: Annotated[int, msgspec.Meta(ge=1, le=100)] = GOAL  # PG-1


class Roll(records.Action, tag="roll"):
    pass


class Hold(records.Action, tag="hold"):
    pass


Action = Roll | Hold


# Unlike with records.Fact, defaults are written: tests take them away, as in lines older than the field.
class SetUp(records.Value, tag_field="type", tag="set_up"):
    seats: int
    options: Options


class Rolling(records.Value, tag_field="type", tag="rolling"):
    seat: int


class Rolled(records.Value, tag_field="type", tag="rolled"):
    seat: int
    n: int
    face: int
    lost: bool = False  # since version 2: the fold of version 1 knew by itself that a 1 loses


class Held(records.Value, tag_field="type", tag="held"):
    seat: int
    points: int


Fact = SetUp | Rolling | Rolled | Held


class State(records.Value):
    options: Options
    banked: tuple[int, ...]
    turn: int = 0
    at_risk: int = 0
    rolling: bool = False
    draws: int = 0


class View(records.Value):
    seat: int | None
    options: Options
    banked: tuple[int, ...]
    turn: int
    at_risk: int
