"""What Pig is made of: actions, facts, state and view."""

from typing import Annotated

import msgspec

from engine.games.pig.v1.content import GOAL


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    goal: Annotated[int, msgspec.Meta(ge=1, le=100)] = GOAL  # PG-1


class Roll(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="type", tag="roll"):
    pass


class Hold(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="type", tag="hold"):
    pass


Action = Roll | Hold


class SetUp(msgspec.Struct, frozen=True, gc=False, tag_field="type", tag="set_up"):
    seats: int
    options: Options


class Rolling(msgspec.Struct, frozen=True, gc=False, tag_field="type", tag="rolling"):
    seat: int


class Rolled(msgspec.Struct, frozen=True, gc=False, tag_field="type", tag="rolled"):
    seat: int
    n: int
    face: int


class Held(msgspec.Struct, frozen=True, gc=False, tag_field="type", tag="held"):
    seat: int
    points: int


Fact = SetUp | Rolling | Rolled | Held


class State(msgspec.Struct, frozen=True, gc=False):
    options: Options
    banked: tuple[int, ...]
    turn: int = 0
    at_risk: int = 0
    rolling: bool = False
    draws: int = 0


class View(msgspec.Struct, frozen=True, gc=False):
    seat: int | None
    options: Options
    banked: tuple[int, ...]
    turn: int
    at_risk: int
