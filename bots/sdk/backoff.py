"""Waiting between tries: longer each time, never in step with others, and over at once when told to stop."""

import threading
from random import Random

FIRST_WAIT, MAX_WAIT = 0.5, 30.0


class Backoff:
    def __init__(self, stop: threading.Event, first: float = FIRST_WAIT, longest: float = MAX_WAIT) -> None:
        self._stop, self._first, self._longest = stop, first, longest
        self._random = Random()
        self._next = first

    def reset(self) -> None:
        """Something came through: the next trouble starts from the beginning."""
        self._next = self._first

    def wait(self, at_least: float = 0.0) -> None:
        delay = self._next * self._random.uniform(0.5, 1.0)
        self._next = min(self._longest, 2 * self._next)
        self._stop.wait(max(delay, at_least))
