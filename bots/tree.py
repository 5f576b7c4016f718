"""The memory of a search: what was tried at a decision, how often it was possible, and what it brought."""

from collections.abc import Sequence
from math import log, sqrt
from typing import Any


class Arm:
    """An action at a node. `seen` counts the worlds in which it was legal, not only those that chose it."""

    __slots__ = ("node", "seen", "total", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.seen = 0
        self.total = 0.0
        self.node: Node | None = None

    @property
    def mean(self) -> float:
        return self.total / self.visits if self.visits else 0.0


class Node:
    """A decision, reached by what everybody has played since the root; worlds and dice are averaged over.

    Each seat that decides here has arms of its own: seats that choose at the same time never learn from
    one another's choice.
    """

    __slots__ = ("arms", "joint", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.arms: dict[int, dict[Any, Arm]] = {}
        self.joint: dict[tuple[Any, ...], Node] = {}

    def of(self, seat: int) -> dict[Any, Arm]:
        arms = self.arms.get(seat)
        if arms is None:
            arms = self.arms[seat] = {}
        return arms

    def after(self, arm: Arm, actions: Sequence[Any]) -> "tuple[Node, bool]":
        """Where a choice, or several at once, lead; says whether anybody was there before."""
        if len(actions) == 1:
            if arm.node is None:
                arm.node = Node()
                return arm.node, False
            return arm.node, True
        key = tuple(actions)
        node = self.joint.get(key)
        if node is None:
            node = self.joint[key] = Node()
            return node, False
        return node, True


def pick_arm(arms: dict[Any, Arm], known: Sequence[Any], explore: float) -> tuple[Any, Arm]:
    """Upper confidence bounds over the actions that this world allows."""
    found, best, chosen = known[0], -1.0, arms[known[0]]
    for action in known:
        arm = arms[action]
        arm.seen += 1
        if not arm.visits:
            return action, arm
        bound = arm.total / arm.visits + explore * sqrt(log(arm.seen) / arm.visits)
        if bound > best:
            found, best, chosen = action, bound, arm
    return found, chosen
