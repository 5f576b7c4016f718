"""A fix of a game's rules: the same game, with one revision more, deciding otherwise from some moment on."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from msgspec import structs

from engine import registry
from engine.game import AnyGame
from engine.games.tides_of_time.model import Scored

KEY = "tides-of-time"
WHAT = "every round is worth a point more"


def mended(game: AnyGame) -> AnyGame:
    def decide(state: Any, seat: int, action: Any) -> list[Any]:
        return [_better(fact) for fact in game.decide(state, seat, action)]

    return replace(game, decide=decide, revisions=(*game.revisions, WHAT))


def _better(fact: Any) -> Any:
    if not isinstance(fact, Scored):
        return fact
    return structs.replace(fact, totals=(fact.totals[0] + 1, fact.totals[1] + 1))


def mend(monkeypatch: pytest.MonkeyPatch, change: Callable[[AnyGame], AnyGame] = mended) -> None:
    """From now on this process has the mended rules."""
    monkeypatch.setattr(registry.part(KEY, ""), "GAME", change(registry.game(KEY)))
