"""A progress bar on a terminal, nothing in a pipe."""

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")


def progress(items: Iterable[T], total: int, what: str) -> Iterator[T]:
    """Passes items on; draws a bar on a terminal, nothing in a pipe."""
    if not sys.stderr.isatty() or total < 2:
        yield from items
        return
    started = drawn = time.monotonic()
    for number, item in enumerate(items, 1):
        yield item
        now = time.monotonic()
        if now - drawn > 0.1 or number == total:
            drawn = now
            _draw(what, number, total, now - started)
    sys.stderr.write("\r\x1b[K")


def _draw(what: str, number: int, total: int, seconds: float) -> None:
    done = min(1.0, number / total)
    left = seconds / done - seconds
    bar = "█" * round(30 * done)
    sys.stderr.write(f"\r{what} {bar:░<30} {number}/{total}, {left:.0f} s left\x1b[K")
    sys.stderr.flush()
