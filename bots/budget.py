"""How long a search may think: so many iterations, or so many milliseconds."""

import re
from typing import NamedTuple

MAX_ITERATIONS = 1_000_000
MAX_MS = 600_000


class BadBudget(ValueError):
    """Not a number of iterations, and not a time."""


class Budget(NamedTuple):
    """Exactly one of the two is set. Iterations repeat exactly, times do not."""

    iterations: int = 0
    ms: int = 0


DEFAULT = Budget(iterations=400)


def parse(text: str) -> Budget:
    """
    >>> parse("200"), parse("200ms"), parse("2s")
    (Budget(iterations=200, ms=0), Budget(iterations=0, ms=200), Budget(iterations=0, ms=2000))
    """
    found = re.fullmatch(r"([1-9][0-9]{0,6})(|ms|s)", text)
    if found is None:
        raise BadBudget(text)
    number, unit = int(found[1]), found[2]
    budget = Budget(iterations=number) if not unit else Budget(ms=number * (1000 if unit == "s" else 1))
    if budget.iterations > MAX_ITERATIONS or budget.ms > MAX_MS:
        raise BadBudget(text)
    return budget
