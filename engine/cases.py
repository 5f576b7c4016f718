"""Runs rule cases: a game's scenario builds the position, this counts what holds.

A game's `scenario.check(case)` answers the list of differences, empty if the case holds.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from engine import registry
from engine.game import Illegal
from engine.kit.casework import CaseError


class Outcome(NamedTuple):
    name: str
    problems: list[str]
    skipped: bool = False

    @property
    def passed(self) -> bool:
        return not self.problems and not self.skipped


class Unsupported(Exception):
    """Raised by a scenario for a case about optional rules that are not implemented."""


def run(key: str, cases: list[Any]) -> Iterator[Outcome]:
    """Each case's outcome, in order."""
    check = registry.part(key, "scenario").check
    for number, case in enumerate(cases, 1):
        if not isinstance(case, dict):
            yield Outcome(f"{number}.", ["cannot be run: a case is an object"])
        else:
            yield _run(check, case, f"{number}. {case.get('name', 'without a name')}")


def _run(check: Any, case: dict[str, Any], name: str) -> Outcome:
    try:
        return Outcome(name, check(case))
    except Unsupported as reason:
        if case.get("optional"):
            return Outcome(name, [], skipped=True)
        return Outcome(name, [f"not supported: {reason}"])
    except (
        CaseError,
        Illegal,
        AssertionError,
        LookupError,
        ValueError,
        TypeError,
        AttributeError,
    ) as problem:
        return Outcome(name, [f"cannot be run: {type(problem).__name__}: {problem}"])
