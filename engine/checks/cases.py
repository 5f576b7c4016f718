"""Runs rule cases: a game's scenario builds the position, this counts what holds.

A game's `scenario.check(case)` answers the list of differences, empty if the case holds.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from engine import registry
from engine.game import Illegal
from engine.kit.casework import CaseError


class CaseOutcome(NamedTuple):
    name: str
    problems: list[str]
    skipped: bool = False

    @property
    def passed(self) -> bool:
        return not self.problems and not self.skipped


class Unsupported(Exception):
    """Raised by a scenario for a case about optional rules that are not implemented."""


def game_of(data: Mapping[str, Any], folders: Sequence[str]) -> str:
    """The game that a file of cases is about: as it says itself, or else as its folder does.

    >>> game_of({"cases": []}, ["tests", "games", "machi_koro", "cases"])
    'machi-koro'
    """
    folder = next((name for name in reversed(folders) if name != "cases"), "")
    return str(data.get("game") or folder.replace("_", "-"))


def run(key: str, cases: list[Any]) -> Iterator[CaseOutcome]:
    """Each case's outcome, in order."""
    check = registry.part(key, "scenario").check
    for number, case in enumerate(cases, 1):
        if not isinstance(case, dict):
            yield CaseOutcome(f"{number}.", ["cannot be run: a case is an object"])
        else:
            yield _run(check, case, f"{number}. {case.get('name', 'without a name')}")


def _run(check: Any, case: dict[str, Any], name: str) -> CaseOutcome:
    try:
        return CaseOutcome(name, check(case))
    except Unsupported as reason:
        if case.get("optional"):
            return CaseOutcome(name, [], skipped=True)
        return CaseOutcome(name, [f"not supported: {reason}"])
    except (
        CaseError,
        Illegal,
        AssertionError,
        LookupError,
        ValueError,
        TypeError,
        AttributeError,
    ) as problem:
        return CaseOutcome(name, [f"cannot be run: {type(problem).__name__}: {problem}"])
