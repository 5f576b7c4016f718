"""Mutants that may live: the change makes no difference that anybody could see, and why."""

from tests.mutants.mutant import Mutant

# By path and the changed line as it was: `where` of a mutant, before the arrow.
REASONS: dict[tuple[str, str], str] = {}


def why(mutant: Mutant) -> str:
    """Why a mutant may survive; empty if it may not."""
    before = mutant.where.split("  ->  ")[0]
    return REASONS.get((mutant.path, before), "")
