"""How a check of the contract says that a promise is broken."""

from typing import Any


class Broken(AssertionError):
    """A promise of the contract is broken."""


def require(holds: bool, promise: str, detail: Any = "") -> None:
    if not holds:
        raise Broken(f"{promise}: {detail}" if detail else promise)
