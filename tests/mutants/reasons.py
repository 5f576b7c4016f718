"""Mutants that may live: the change makes no difference that anybody could see, and why."""

from tests.mutants.mutant import ARROW, Mutant

# By path, the changed line as it was, and as the mutant has it.
REASONS: dict[tuple[str, str, str], str] = {}


def why(mutant: Mutant) -> str:
    """Why a mutant may survive; empty if it may not."""
    before, _, after = mutant.where.partition(ARROW)
    return REASONS.get((mutant.path, before, after), "")
