"""Monte-Carlo tree search over what a seat does not know.

Every iteration imagines a world that the seat's view allows, tries one of the candidate actions in it, lets
everybody play on for a few turns and asks the hints what came of it. Candidates are the best actions one
step ahead; they are compared in the same worlds under the same dice, and the worse half is dropped again and
again until one is left. Below the candidates grows a tree of the replies that served whoever made them.

With a budget in iterations the choice depends on the view and the generator alone.
"""

import time
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from math import sqrt
from random import Random
from typing import Any, NamedTuple

from bots.budget import DEFAULT, Budget
from bots.dice import common
from bots.greedy import rank
from bots.outlook import Outlook, best_of, ended, shortlist
from bots.tree import Arm, Node, pick_arm
from engine import registry
from engine.game import AnyGame, Illegal, Pick, play

SIMULTANEOUS = -2  # "whose turn it is" while several decide at once
LONG = 1000  # iterations or milliseconds from which a budget is a long one


class Tuning(NamedTuple):
    """How to search. A game may set its own in `hints.SEARCH`, as a mapping of some of these.

    Where more iterations alone do not pay, a game says in `hints.SEARCH_LONG` what else to look at with a
    long budget.
    """

    candidates: int = 8  # actions that are looked into
    turns: int = 2  # how far ahead: changes of whose turn it is
    sample: int = 1  # actions that the quick player compares; 1 = it plays at random
    depth: int = 4  # decisions below the candidates that are remembered as a tree
    explore: float = 0.5
    widen: float = 1.5  # arms of a node grow with the root of its visits, times this
    breadth: int = 0  # actions of such a decision that are ranked one step ahead; 0 = they come at random


class Thought(NamedTuple):
    """What a search found."""

    action: Any
    iterations: int


def choose(
    game: AnyGame, view: Any, seat: int, legal: Sequence[Any], rng: Random, budget: Budget = DEFAULT
) -> Any:
    if len(legal) == 1:
        return legal[0]
    return think(game, view, seat, legal, rng, budget).action


def think(game: AnyGame, view: Any, seat: int, legal: Sequence[Any], rng: Random, budget: Budget) -> Thought:
    """Search, and say how much of it was done."""
    return Search(game, view, seat, rng, tuning_of(game, budget)).run(legal, budget)


class Candidate(NamedTuple):
    action: Any
    arm: Arm


class Search:
    def __init__(self, game: AnyGame, view: Any, seat: int, rng: Random, tuning: Tuning) -> None:
        self.game, self.view, self.seat, self.rng = game, view, seat, rng
        self.outlook = Outlook(game)
        self.tuning = tuning
        self.root = Node()
        self.seed = rng.getrandbits(60)
        self.iterations = 0

    def run(self, legal: Sequence[Any], budget: Budget) -> Thought:
        started = time.monotonic()
        ranked = rank(self.game, self.outlook, self.view, self.seat, legal, self.rng)
        left = [Candidate(action, Arm()) for action in ranked[: self.tuning.candidates]]
        rounds = (len(left) - 1).bit_length()
        for number in range(rounds):
            share = (number + 1) / rounds
            for candidate, _ in zip(cycle(left), self._until(budget, share, started), strict=False):
                self._iterate(candidate)
            left.sort(key=lambda candidate: -candidate.arm.mean)  # stable: greedy's order decides ties
            left = left[: (len(left) + 1) // 2]
        return Thought(left[0].action, self.iterations)

    def _until(self, budget: Budget, share: float, started: float) -> Iterator[None]:
        """Goes on as long as this share of the budget is not used up."""
        if budget.iterations:
            while self.iterations < budget.iterations * share:
                yield
        while time.monotonic() - started < budget.ms / 1000 * share:
            yield

    def _iterate(self, candidate: Candidate) -> None:
        """One world, from the candidate to the horizon, and back."""
        rng = Random(self.seed + candidate.arm.visits)  # visit n of every candidate is to the same world
        world = _World(self, rng)
        path = world.play_out(candidate)
        chances = world.chances(path)
        for seat, arm in path:
            arm.visits += 1
            arm.total += chances[seat]
        self.iterations += 1


Path = list[tuple[int, Arm]]


class _World:
    """One imagined world, played from the root on."""

    def __init__(self, search: Search, rng: Random) -> None:
        self.search, self.rng = search, rng
        self.game, self.tuning = search.game, search.tuning
        self.state = search.game.determinise(search.view, rng)
        self.pick: Pick = common(rng.getrandbits(60))
        self.imagine: Pick = common(rng.getrandbits(60))

    def play_out(self, candidate: Candidate) -> Path:
        """Everybody plays: remembered choices first, then quick ones, until the horizon."""
        node: Node | None = self.search.root
        path: Path = []
        left, depth = self.tuning.turns, 0
        waiting = self.game.to_act(self.state)
        turn = SIMULTANEOUS if len(waiting) > 1 else self.search.seat
        while True:
            seats = sorted(waiting)
            node = self._step(seats, node, path, candidate if depth == 0 else None)
            depth += 1
            if depth > self.tuning.depth:
                node = None
            waiting = self.game.to_act(self.state)
            if not waiting:
                return path
            now = SIMULTANEOUS if len(waiting) > 1 else next(iter(waiting))
            if now != turn or now == SIMULTANEOUS:
                turn, left = now, left - 1
                if left < 0:
                    return path

    def _step(
        self, seats: Sequence[int], node: Node | None, path: Path, candidate: Candidate | None
    ) -> Node | None:
        """One decision of each seat that is to act; where the tree goes on, if it does."""
        if node is None:
            choices = [self._quick(seat) for seat in seats]
            self._play(seats, choices)
            return None
        node.visits += 1
        choices = []
        for seat in seats:
            if candidate is not None and seat == self.search.seat:
                action, arm = candidate
            else:
                action, arm = self._remembered(node, seat)
            choices.append(action)
            path.append((seat, arm))
        self._play(seats, choices)
        after, known = node.after(arm, choices)
        return after if known or self.tuning.breadth else None

    def _play(self, seats: Sequence[int], choices: Sequence[Any]) -> None:
        for seat, action in zip(seats, choices, strict=True):
            self.state, _ = play(self.game, self.state, seat, action, self.pick)

    def _remembered(self, node: Node, seat: int) -> tuple[Any, Arm]:
        """The arm to try: a new one while there are few for so many visits, else the most promising."""
        if self.tuning.breadth:
            return self._ranked(node, seat)
        arms, actions = node.of(seat), self.game.legal(self.state, seat)
        known = [action for action in actions if action in arms]
        if len(known) < len(actions) and len(known) ** 2 <= self.tuning.widen**2 * node.visits:
            action = self._quick(seat, [action for action in actions if action not in arms])
            arm = arms[action] = Arm()
            arm.seen = 1
            return action, arm
        return pick_arm(arms, known, self.tuning.explore)

    def _ranked(self, node: Node, seat: int) -> tuple[Any, Arm]:
        """The same with arms in the order in which they looked best from here, one step ahead."""
        arms = node.of(seat)
        if not arms:
            for action in self._order(seat):
                arms[action] = Arm()
        most = 1 + int(self.tuning.widen * sqrt(node.visits))
        known = list(islice((action for action in arms if self._possible(seat, action)), most))
        if known:
            return pick_arm(arms, known, self.tuning.explore)
        action = self._quick(seat)
        return action, arms.setdefault(action, Arm())

    def _order(self, seat: int) -> list[Any]:
        """The actions that look best, best first; dice are imagined, the same ones for each."""
        game, outlook = self.game, self.search.outlook
        legal = game.legal(self.state, seat)
        actions = shortlist(outlook, game.view(self.state, seat), seat, legal, self.tuning.breadth, self.rng)
        pick = common(self.rng.getrandbits(60))
        worths = [outlook.worth(play(game, self.state, seat, action, pick)[0], seat) for action in actions]
        return [actions[n] for n in sorted(range(len(actions)), key=lambda n: -worths[n])]

    def _possible(self, seat: int, action: Any) -> bool:
        """Whether this world allows it. Cheaper than listing all that it allows."""
        try:
            self.game.decide(self.state, seat, action)
        except Illegal:
            return False
        return True

    def _quick(self, seat: int, actions: Sequence[Any] | None = None) -> Any:
        if actions is None:
            actions = self.game.legal(self.state, seat)
        return best_of(
            self.search.outlook, self.state, seat, actions, self.tuning.sample, self.imagine, self.rng
        )

    def chances(self, path: Path) -> dict[int, float]:
        """Everybody's chance of winning, for the seats that have to learn from it."""
        if not self.game.to_act(self.state):
            result = self.game.result(self.state)
            assert result is not None
            return dict(enumerate(ended(result, len(result.scores))))
        outlook, me = self.search.outlook, self.search.seat
        chances = {me: outlook.chance(self.state, me)}
        others = sorted({seat for seat, _ in path} - {me})
        if len(others) == 1:  # what is good for one is bad for the other: no need to ask twice
            return {**chances, others[0]: 1 - chances[me]}
        return chances | {seat: outlook.chance(self.state, seat) for seat in others}


def tuning_of(game: AnyGame, budget: Budget) -> Tuning:
    """How this game is searched when there is so much time."""
    hints = registry.part(game.key, "hints", game.version)
    tuning = Tuning()._replace(**getattr(hints, "SEARCH", {}))
    if max(budget.iterations, budget.ms) < LONG:
        return tuning
    return tuning._replace(**getattr(hints, "SEARCH_LONG", {}))
