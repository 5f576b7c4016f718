"""How a check of the contract says that something does not hold."""

from typing import Any

LANGS = ("en", "cs")


class Broken(AssertionError):
    """A promise of the contract does not hold."""


def require(holds: bool, promise: str, detail: Any = "") -> None:
    if not holds:
        raise Broken(f"{promise}: {detail}" if detail else promise)
