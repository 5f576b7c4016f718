"""How a game is learnt: a short match that the rules play, shown at a few moments; lessons of a first match.

A game may bring `guide.json`. Its pictures are views of positions that the engine makes of recorded actions,
so a picture cannot show what the rules do not allow. An action that has become illegal raises `Illegal`.
"""

from collections.abc import Sequence
from random import Random
from typing import Any, Literal

import msgspec

from engine.chance import quick
from engine.game import ENGLISH, AnyGame, Lang, Seat, begin, play

Said = dict[Lang, str]
PARTS = ("goal", "turn", "scoring")


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One picture: the match after `at` actions as `seat` sees it, and what there is to see."""

    part: Literal["goal", "turn", "scoring"]
    title: Said
    text: Said
    at: int
    show: str  # which part of the board, as its own drawing names it; empty: all of it
    seat: Seat | None = 0
    near: str = ""  # what a drawing is cut out around
    pick: dict[str, Any] | None = None  # something is chosen: what is legal glows


class Lesson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a first match is told, once, when an action like `when` can be taken."""

    title: Said
    text: Said
    when: dict[str, Any] = {}
    suggest: tuple[dict[str, Any], ...] = ()  # the first of these that is legal may be shown


class Guide(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that `guide.json` says."""

    seats: int
    seed: int
    actions: tuple[tuple[Seat, dict[str, Any]], ...]
    steps: tuple[Step, ...]
    lessons: tuple[Lesson, ...]
    options: dict[str, Any] = {}


class Moment(msgspec.Struct, frozen=True):
    """The match after some action: its state, and the last action with its facts."""

    state: Any
    seat: Seat | None
    facts: Sequence[Any]


def read(raw: bytes) -> Guide:
    """From the bytes of a `guide.json`."""
    return msgspec.json.decode(raw, type=Guide, strict=True)


def moments(game: AnyGame, guide: Guide) -> list[Moment]:
    """The recorded match, from its start (0) to after its last action."""
    pick = quick(Random(guide.seed))
    state, facts = begin(game, guide.seats, msgspec.convert(guide.options, game.Options), pick)
    found = [Moment(state, None, facts)]
    for seat, raw in guide.actions:
        state, facts = play(game, state, seat, game.parse(state, seat, raw), pick)
        found.append(Moment(state, seat, facts))
    return found


def pictures(game: AnyGame, guide: Guide, lang: Lang) -> list[dict[str, Any]]:
    """Every step as the page draws it."""
    match = moments(game, guide)
    return [_picture(game, step, match[step.at], lang) for step in guide.steps]


def _picture(game: AnyGame, step: Step, moment: Moment, lang: Lang) -> dict[str, Any]:
    state, seat = moment.state, step.seat
    legal = list(game.legal(state, seat)) if seat is not None and step.pick is not None else []
    return {
        "part": step.part,
        "title": said(step.title, lang),
        "text": said(step.text, lang),
        "seat": seat,
        "show": step.show,
        "near": step.near,
        "pick": step.pick or {},
        "view": game.view(state, seat),
        "legal": legal,
        "actor": moment.seat,
        "facts": [game.redact(fact, seat) for fact in moment.facts],
    }


def lessons(guide: Guide, lang: Lang) -> list[dict[str, Any]]:
    """What a first match is told, in order."""
    return [
        {
            "title": said(one.title, lang),
            "text": said(one.text, lang),
            "when": one.when,
            "suggest": one.suggest,
        }
        for one in guide.lessons
    ]


def said(words: Said, lang: Lang) -> str:
    return words.get(lang) or words[ENGLISH]
