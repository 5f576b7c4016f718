"""What positions of imagined worlds are worth, by the game's own hints."""

from collections.abc import Sequence
from math import exp, sqrt
from random import Random
from typing import Any

from engine import registry
from engine.game import AnyGame, Pick, Result, play

SURE = 1e9  # a won match beats any promise
FLAT = 1e-6


class Spread:
    """Mean and deviation of the numbers seen so far (Welford's way)."""

    __slots__ = ("_count", "_mean", "_squares")

    def __init__(self) -> None:
        self._count, self._mean, self._squares = 0, 0.0, 0.0

    def place(self, value: float) -> float:
        """Note a number; returns where it lies among the others, between 0 and 1."""
        self._count += 1
        step = value - self._mean
        self._mean += step / self._count
        self._squares += step * (value - self._mean)
        deviation = sqrt(self._squares / self._count)
        if deviation < FLAT:
            return 0.5
        return 1 / (1 + exp(min(50.0, (self._mean - value) / deviation)))


class Outlook:
    """Hints of a game: raw values, and chances of winning that can be averaged.

    A raw value has a unit of the game's own. Its spread over the positions that a search looks at becomes the
    unit here, so that no game has to say how much a point is worth.
    """

    def __init__(self, game: AnyGame) -> None:
        hints = registry.part(game.key, "hints", game.version)
        self.game = game
        self._value = hints.value
        self._judge = getattr(hints, "judge", None)
        self.prior = getattr(hints, "prior", None)
        self._seen: dict[int, Spread] = {}

    def raw(self, state: Any, seat: int) -> float:
        """Worth of a position to a seat, from what that seat sees.

        A game may say the same faster from the state (`judge`); a test compares, so it sees no more either.
        """
        if self._judge is not None:
            return float(self._judge(state, seat))
        return float(self._value(self.game.view(state, seat), seat))

    def worth(self, state: Any, seat: int) -> float:
        """The same, but a finished match is judged by its result."""
        if self.game.to_act(state):
            return self.raw(state, seat)
        result = self.game.result(state)
        assert result is not None
        return SURE * (2 * _share(result, seat) - 1)

    def chance(self, state: Any, seat: int) -> float:
        """Between 0 and 1: half for a position like the average of those seen so far."""
        seen = self._seen.get(seat)
        if seen is None:
            seen = self._seen[seat] = Spread()
        return seen.place(self.raw(state, seat))


def ended(result: Result, seats: int) -> list[float]:
    """What everybody got: the win, shared among the winners."""
    return [_share(result, seat) for seat in range(seats)]


def _share(result: Result, seat: int) -> float:
    return 1 / len(result.winners) if seat in result.winners else 0.0


def shortlist(
    outlook: Outlook, view: Any, seat: int, legal: Sequence[Any], most: int, rng: Random
) -> list[Any]:
    """At most so many actions: the best by the game's prior, or any."""
    if len(legal) <= most:
        return list(legal)
    prior = outlook.prior
    if prior is None:
        return rng.sample(list(legal), most)
    ranked = sorted(((-prior(view, seat, a), rng.random(), n) for n, a in enumerate(legal)))
    return [legal[n] for _, _, n in ranked[:most]]


def best_of(
    outlook: Outlook, state: Any, seat: int, actions: Sequence[Any], most: int, imagine: Pick, rng: Random
) -> Any:
    """A quick player: the best of a few actions by the game's prior, or else by a step ahead.

    The step meets dice of its own, not the world's: nobody knows how they are going to fall.
    """
    count = len(actions)
    if count == 1:
        return actions[0]
    if most == 1:
        return actions[int(rng.random() * count)]
    if count > most:
        actions = [actions[int(rng.random() * count)] for _ in range(most)]
    game, prior = outlook.game, outlook.prior
    if prior is not None:
        view = game.view(state, seat)
        return max(actions, key=lambda action: prior(view, seat, action))
    return max(actions, key=lambda action: outlook.worth(play(game, state, seat, action, imagine)[0], seat))
