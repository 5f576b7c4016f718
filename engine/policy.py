"""Clock policies: which terms a table may name. What follows from them is reckoned with times, not here."""

from typing import Annotated, Any, Literal

import msgspec

DAY_S = 24 * 3600
Seconds = Annotated[int, msgspec.Meta(ge=1, le=365 * DAY_S)]
Timeout = Literal["caretaker", "resign", "wait"]


class PerMove(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="per_move"):
    """So many seconds of waking time for every turn."""

    seconds: Seconds
    timeout: Timeout = "caretaker"


class Bank(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="bank"):
    """A bank that every turn adds to, up to a cap, and waking time takes from."""

    seconds: Seconds
    increment: Annotated[int, msgspec.Meta(ge=0, le=365 * DAY_S)] = 0
    cap: Seconds | None = None
    timeout: Timeout = "caretaker"

    @property
    def most(self) -> int:
        return self.cap or self.seconds


Policy = PerMove | Bank


class InvalidClock(ValueError):
    """A policy that nobody can mean."""


def read_policy(raw: Any) -> Policy | None:
    """A policy from JSON; None for no clock. Raises InvalidClock.

    >>> read_policy({"kind": "per_move", "seconds": 259200})
    PerMove(seconds=259200, timeout='caretaker')
    """
    try:
        policy: Policy | None = msgspec.convert(raw, Policy | None)
    except msgspec.ValidationError as problem:
        raise InvalidClock(str(problem)) from None
    if isinstance(policy, Bank) and policy.cap is not None and policy.cap < policy.seconds:
        raise InvalidClock("the cap is smaller than the bank")
    return policy
