"""Events of older envelopes, lifted to today's while they are read.

`v` of an event counts the shapes that the envelope has had. A stored line is never written anew, for its
bytes are what the chain holds together: it is lifted in memory, one version at a time, and everything else
knows only the newest. A change of the envelope adds one function here and a log to `tests/golden/earlier`.
It refuses what is not of its version: nobody may change `v` of an event and have it read all the same.
"""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

Lift = Callable[[dict[str, Any]], dict[str, Any]]


class UnknownEnvelope(ValueError):
    """An event of an envelope that this build has never heard of."""


def _from_0(event: dict[str, Any]) -> dict[str, Any]:
    """An exercise, which no server ever wrote: whoever did it was called `who`."""
    if "by" in event or "who" not in event:
        raise msgspec.ValidationError("an event of envelope 0 says `who` did it, and not `by`")
    return {"by" if name == "who" else name: value for name, value in event.items()}


LIFTS: Mapping[int, Lift] = {0: _from_0}  # by the version that it lifts to the next one
NEWEST = max(LIFTS) + 1


def lifted(event: dict[str, Any]) -> dict[str, Any]:
    """An event of any known envelope as the newest has it; that of the newest is itself.

    >>> lifted({"v": 0, "kind": "left", "who": "account:a"})
    {'v': 1, 'kind': 'left', 'by': 'account:a'}
    """
    while (v := event["v"]) != NEWEST:
        if v not in LIFTS:
            raise UnknownEnvelope(f"version {v} of the envelope of events is not known here")
        event = {**LIFTS[v](event), "v": v + 1}
    return event
