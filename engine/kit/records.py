"""What the records of every game have in common: frozen, small, and tagged by `type` on the wire.

>>> class Roll(Action, tag="roll"):
...     dice: int
>>> msgspec.json.encode(Roll(2))
b'{"type":"roll","dice":2}'
"""

from typing import dataclass_transform

import msgspec


@dataclass_transform(frozen_default=True)
class Value(msgspec.Struct, frozen=True, gc=False):
    """Part of a state, a view or a fact, or an outcome of chance; never in a circle, so not collected."""


class Action(Value, forbid_unknown_fields=True, tag_field="type"):
    """What a seat may send; what it does not know it refuses."""


class Fact(Value, omit_defaults=True, tag_field="type"):
    """What happened. A default is not written: a field that is added later leaves old logs as they are."""
