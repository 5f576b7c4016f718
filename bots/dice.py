"""Dice for imagined worlds: draw n of world w falls alike whatever was played before it.

Two actions that are compared in the same world meet the same luck, so their difference shows after a few
worlds instead of hundreds. No state and no seeding, hence far cheaper than a generator per world.
"""

from typing import Any

from engine.game import Odds, Pick

MASK = 2**64 - 1


def common(seed: int) -> Pick:
    """Dice that depend on the seed and the number of the draw alone (the mixing of SplitMix64)."""

    def pick(odds: Odds[Any], n: int) -> Any:
        x = (seed + n * 0x9E3779B97F4A7C15) & MASK
        x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
        x ^= x >> 31
        outcomes = odds.outcomes
        return outcomes[x % len(outcomes)] if odds.weights is None else odds.at(x % odds.total)

    return pick
