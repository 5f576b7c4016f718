"""Many tasks over several processes: results come in the order of the tasks, whoever did them."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import get_context
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")

MAX_AT_ONCE = 16  # tasks handed over together: short ones would else wait for one another's messages


@contextmanager
def results(work: Callable[[T], R], tasks: Sequence[T], jobs: int) -> Iterator[Iterator[R]]:
    """`work` is a function of a module and a task a plain value: both may travel to another process."""
    jobs = min(jobs, len(tasks))
    if jobs <= 1:
        yield map(work, tasks)
        return
    with get_context("spawn").Pool(jobs) as pool:
        at_once = max(1, min(MAX_AT_ONCE, len(tasks) // (8 * jobs)))
        yield pool.imap(work, tasks, at_once)
