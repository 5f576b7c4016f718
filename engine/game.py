"""The contract every game fulfils, and the one path along which every match is played.

A game is a record of pure functions over frozen values. Nothing here knows a clock, a network or a
global random generator: the same inputs always give the same bytes.

>>> from engine import registry
>>> from engine.chance import quick
>>> import random
>>> game = registry.game("tides-of-time")
>>> state, facts = begin(game, 2, game.Options(), quick(random.Random(1)))
>>> sorted(game.to_act(state))
[0, 1]
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Generic, Protocol, TypeVar

import msgspec

Seat = int
CHANCE: Seat = -1  # chance sits at the table: it has odds instead of a will
NOBODY: frozenset[Seat] = frozenset()
ONLY_CHANCE: frozenset[Seat] = frozenset({CHANCE})


class Drawn(Protocol):
    """What `play` needs to know of every state: how many draws the match has seen."""

    @property
    def draws(self) -> int: ...


S = TypeVar("S", bound=Drawn)
A = TypeVar("A")
F = TypeVar("F")
V = TypeVar("V")
O = TypeVar("O")  # noqa: E741 - an outcome of chance


class Illegal(Exception):
    """An action was refused. `code` is stable; `params` fill the sentence in `words.py`."""

    def __init__(self, code: str, **params: Any) -> None:
        super().__init__(code)
        self.code = code
        self.params = params


class Odds(msgspec.Struct, Generic[O], frozen=True, gc=False):
    """What chance may do, in a fixed order, with integer weights (None: all equal)."""

    outcomes: Sequence[O]
    weights: Sequence[int] | None = None

    @property
    def total(self) -> int:
        return len(self.outcomes) if self.weights is None else sum(self.weights)

    def at(self, x: int) -> O:
        """The outcome that covers point x of 0..total-1."""
        if self.weights is None:
            return self.outcomes[x]
        for outcome, weight in zip(self.outcomes, self.weights, strict=True):
            if x < weight:
                return outcome
            x -= weight
        raise IndexError(x)


Pick = Callable[[Odds[Any], int], Any]  # (odds, number of the draw) -> outcome


class Line(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """One line of a score: what it is for (a key that `words.line` puts into a sentence), points, rule id."""

    what: str
    points: int
    rule: str = ""


class Result(msgspec.Struct, frozen=True, gc=False):
    """How a match ended. `breakdown[seat]` adds up to `scores[seat]` unless the game has no points."""

    scores: tuple[int, ...]
    places: tuple[int, ...]
    winners: tuple[Seat, ...]
    breakdown: tuple[tuple[Line, ...], ...]
    how: str = "played"


Lang = str  # "en" or "cs"
ENGLISH: Lang = "en"  # the language that every game speaks


@dataclass(frozen=True, slots=True)
class Words:
    """A game's language: every function takes the language last and returns a sentence or a label.

    English is always there; whatever a game does not say in another language it says in English.
    """

    name: Mapping[Lang, str]
    label: Callable[[Any, Any, Lang], str]  # (action, the actor's view, lang): what a button says
    sentence: Callable[[Any, Sequence[str], Lang], str]  # (fact, names by seat, lang): "" = not worth a line
    refusal: Callable[[str, Mapping[str, Any], Lang], str]  # (code, params, lang)
    line: Callable[[str, Lang], str]  # what a line of the breakdown is for
    options: Mapping[Lang, Mapping[str, str]]  # option -> what it means
    points: Callable[[Any], Sequence[int]] | None = None  # (a view): how far everybody has come, by seat

    def title(self, lang: Lang) -> str:
        """The game's name."""
        return self.name.get(lang) or self.name[ENGLISH]

    def meanings(self, lang: Lang) -> dict[str, str]:
        """What each option means."""
        return {**self.options[ENGLISH], **self.options.get(lang, {})}


# (actions, each before its facts; seat or None; rng): a log that differs only in what that seat may not know
Exchange = Callable[[Sequence[Any], Seat | None, Random], list[Any]]


@dataclass(frozen=True, slots=True)
class Game(Generic[S, A, F, V]):
    """The rules of one board game. See docs/games.md for what each function owes."""

    key: str
    version: int
    players: range
    words: Words
    Options: Any
    Action: Any
    Fact: Any
    View: Any
    State: Any
    start: Callable[[int, Any], Sequence[F]]
    evolve: Callable[[S | None, F], S]
    to_act: Callable[[S], frozenset[Seat]]
    legal: Callable[[S, Seat], Sequence[A]]
    odds: Callable[[S], Odds[Any]]
    parse: Callable[[S, Seat, Any], A]
    decide: Callable[[S, Seat, Any], Sequence[F]]
    view: Callable[[S, Seat | None], V]
    redact: Callable[[Any, Seat | None], Any]
    reveals: Callable[[F], bool]
    determinise: Callable[[V, Random], S]
    exchange: Exchange | None  # None: nothing is anybody's secret
    result: Callable[[S], Result | None]
    # What each revision of the rules changed in what is decided: one more line, one more revision.
    revisions: tuple[str, ...] = ("the rules as they were when they were first named",)
    earlier: tuple[int, ...] = ()  # versions whose rules are kept, whole, in folders of this one: v1, v2, …

    @property
    def revision(self) -> int:
        """Which rules decide new matches. Every log names its own; 0 is from before they had names."""
        return len(self.revisions)


AnyGame = Game[Any, Any, Any, Any]


def fold(game: Game[S, A, F, V], facts: Iterable[F], state: S | None = None) -> S:
    """The state after these facts. Facts are never judged again."""
    evolve = game.evolve
    for fact in facts:
        state = evolve(state, fact)
    assert state is not None, "a log without facts has no state"
    return state


def begin(game: Game[S, A, F, V], seats: int, options: Any, pick: Pick) -> tuple[S, list[F]]:
    """Set a match up and let chance act until somebody must decide."""
    facts = list(game.start(seats, options))
    return _settle(game, fold(game, facts), facts, pick)


def play(game: Game[S, A, F, V], state: S, seat: Seat, action: A, pick: Pick) -> tuple[S, list[F]]:
    """Decide one action and everything that follows from it without a decision.

    Raises Illegal and changes nothing if the action is refused.
    """
    facts = game.decide(state, seat, action)
    evolve = game.evolve
    for fact in facts:
        state = evolve(state, fact)
    return _settle(game, state, facts if type(facts) is list else list(facts), pick)


def _settle(game: Game[S, A, F, V], state: S, facts: list[F], pick: Pick) -> tuple[S, list[F]]:
    """Chance acts until somebody else must, or nobody."""
    to_act = game.to_act
    if CHANCE not in to_act(state):
        return state, facts
    evolve, odds, decide = game.evolve, game.odds, game.decide
    facts = [*facts]  # a game may hand out the same list twice
    while True:
        more = decide(state, CHANCE, pick(odds(state), state.draws))
        for fact in more:
            state = evolve(state, fact)
        facts += more
        if CHANCE not in to_act(state):
            return state, facts


def may_act(game: Game[S, A, F, V], state: S, seats: int) -> list[Seat]:
    """Seats that are not waited for but have legal actions all the same."""
    waiting = game.to_act(state)
    if not waiting:
        return []
    return [seat for seat in range(seats) if seat not in waiting and game.legal(state, seat)]
