"""How long a bot may think, and how it is stopped.

An alarm interrupts a bot that runs Python. One that is lost in foreign code hears no alarm: then the whole
worker process is ended a little later, whoever keeps it alive starts a new one, and the turn's count of
beginnings says that another bot must answer.
"""

import faulthandler
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from bots.budget import DEFAULT, BadBudget, Budget, parse
from infra.store.lanes import Lane

QUICK_S, GREEDY_S, SLOWEST_ITERATION_S = 5.0, 15.0, 0.06
GRACE_S = 5.0
LIGHT_MS = 100  # who thinks longer plays in a lane of its own
GREEDY_MS, ITERATION_MS = 50, 2
STDERR = 2
_hard: list[bool] = []


class TooSlow(Exception):
    """A bot did not answer within its time."""


def seconds(name: str) -> float:
    """The time that a level has for one answer: ample, because machines differ.

    >>> seconds("random"), seconds("greedy"), seconds("search:200ms"), seconds("search:2s")
    (5.0, 15.0, 15.6, 21.0)
    """
    if not name.startswith("search"):
        return QUICK_S if name == "random" else GREEDY_S
    budget = _budget(name)
    return GREEDY_S + budget.iterations * SLOWEST_ITERATION_S + 3 * budget.ms / 1000


def thinking_ms(name: str) -> int:
    """About how long a level thinks about one answer: what its opener is charged.

    >>> [thinking_ms(name) for name in ("random", "greedy", "search:25", "search", "search:2s")]
    [50, 50, 50, 800, 2000]
    """
    if not name.startswith("search"):
        return GREEDY_MS
    budget = _budget(name)
    return max(GREEDY_MS, budget.ms or budget.iterations * ITERATION_MS)


def lane(name: str) -> Lane:
    """
    >>> [lane(name) for name in ("greedy", "search:50", "search:51", "search:200ms")]
    ['light', 'light', 'heavy', 'heavy']
    """
    return "light" if thinking_ms(name) <= LIGHT_MS else "heavy"


def _budget(name: str) -> Budget:
    _, _, text = name.partition(":")
    try:
        return parse(text) if text else DEFAULT
    except BadBudget:
        return Budget()


def end_process_when_deaf() -> None:
    """From now on a bot that hears no alarm takes this process with it."""
    _hard[:] = [True]


@contextmanager
def within(limit: float) -> Iterator[None]:
    """Raise TooSlow in the block after so many seconds. An alarm that was set before goes off later."""
    if threading.current_thread() is not threading.main_thread():
        yield  # alarms go to the main thread alone: whoever works in another one watches itself
        return
    began = time.monotonic()
    handler = signal.signal(signal.SIGALRM, _ring)
    left, _ = signal.setitimer(signal.ITIMER_REAL, limit)
    if _hard:
        faulthandler.dump_traceback_later(limit + GRACE_S, exit=True, file=STDERR)
    try:
        yield
    finally:
        if _hard:
            faulthandler.cancel_dump_traceback_later()
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
        if left:
            signal.setitimer(signal.ITIMER_REAL, max(0.001, left - (time.monotonic() - began)))


def _ring(_number: int, _frame: FrameType | None) -> None:
    raise TooSlow
