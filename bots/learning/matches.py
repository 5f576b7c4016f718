"""Self-play for learning, a line of JSON a match: its seed, and which of the legal actions were played.

That is all it takes to see every position again: files are small and outlive a change of features.
"""

from collections.abc import Iterator
from contextlib import nullcontext
from random import Random
from typing import Any, NamedTuple

import msgspec

from bots.dice import common
from bots.greedy import rank
from bots.learning.weights import judging_by
from bots.outlook import Outlook
from bots.registry import Choose, resolve
from engine import registry
from engine.game import AnyGame, Pick, begin, play

OTHERS = 6  # a move out of line is one of the best so many


class Record(msgspec.Struct, frozen=True):
    """A match that was played to be learned from."""

    game: str
    seats: int
    seed: str
    played: tuple[int, ...]  # the number of each action among the legal ones of its seat
    scores: tuple[int, ...]
    winners: tuple[int, ...]


class Wanted(NamedTuple):
    """A match to be played, as plain values."""

    game: str
    seats: int
    bot: str
    seed: str
    stray: float  # how often a move is another one than the bot's
    weights: str = ""  # the file of those to play by; none = those that are in use


class Step(NamedTuple):
    """A decision of a match: who was to act, and the states before and after."""

    seat: int
    before: Any
    after: Any


def wanted(plan: Wanted, matches: int, seed: int) -> list[Wanted]:
    name = f"learn {plan.game} {plan.seats} {seed}"
    return [plan._replace(seed=f"{name} {number}") for number in range(matches)]


def play_wanted(task: Wanted) -> Record:
    """Everybody plays the same bot, and now and then another good move: untried is unlearned."""
    with judging_by(task.game, task.weights) if task.weights else nullcontext():
        return _play(task)


def _play(task: Wanted) -> Record:
    game, rng = registry.game(task.game), Random(task.seed)
    dice, choose = _dice(task.seed), resolve(task.bot)
    state, _ = begin(game, task.seats, game.Options(), dice)
    played = []
    while waiting := game.to_act(state):
        seat = min(waiting)
        legal = game.legal(state, seat)
        action = _strayed(game, state, seat, legal, choose, task.stray, rng)
        played.append(_index(legal, action))
        state, _ = play(game, state, seat, action, dice)
    result = game.result(state)
    assert result is not None
    return Record(task.game, task.seats, task.seed, tuple(played), result.scores, result.winners)


def _dice(seed: str) -> Pick:
    return common(Random(f"dice {seed}").getrandbits(60))


def _strayed(
    game: AnyGame, state: Any, seat: int, legal: Any, choose: Choose, stray: float, rng: Random
) -> Any:
    view = game.view(state, seat)
    if len(legal) == 1 or rng.random() >= stray:
        return choose(game, view, seat, legal, rng)
    return rng.choice(rank(game, Outlook(game), view, seat, legal, rng)[:OTHERS])


def _index(legal: Any, action: Any) -> int:
    return next(number for number, one in enumerate(legal) if one == action)


def steps(record: Record) -> Iterator[Step]:
    """The match again, decision by decision."""
    game, dice = registry.game(record.game), _dice(record.seed)
    state, _ = begin(game, record.seats, game.Options(), dice)
    for number in record.played:
        seat = min(game.to_act(state))
        after, _ = play(game, state, seat, game.legal(state, seat)[number], dice)
        yield Step(seat, state, after)
        state = after
