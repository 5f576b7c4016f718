"""Rules that decide otherwise have another name: who changes a decision adds a line to `revisions`."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from msgspec import structs

from engine import registry
from engine.game import AnyGame
from tests.golden.decisions import digest, kept

every_game = pytest.mark.parametrize("key", registry.GAMES)


@every_game
def test_the_rules_decide_as_their_revision_did(key: str) -> None:
    game = registry.game(key)
    known = kept(game).get(str(game.revision))
    assert known is not None, "a new revision: `make golden` writes down what it decides"
    assert digest(game) == known, "decisions have changed: add a line to the game's `revisions`"


def strict(game: AnyGame) -> AnyGame:
    """One action less is legal."""
    return replace(game, legal=lambda state, seat: list(game.legal(state, seat))[1:])


def generous(game: AnyGame) -> AnyGame:
    """Everybody wins."""

    def result(state: Any) -> Any:
        found = game.result(state)
        return found and structs.replace(found, winners=tuple(range(len(found.scores))))

    return replace(game, result=result)


def talkative(game: AnyGame) -> AnyGame:
    """What is told last is told twice, and counts once."""
    told: list[Any] = []

    def evolve(state: Any, fact: Any) -> Any:
        told.append(fact)
        return state if len(told) > 1 and told[-2] is fact else game.evolve(state, fact)

    return replace(
        game, decide=lambda *args: [*(facts := list(game.decide(*args))), facts[-1]], evolve=evolve
    )


@pytest.mark.parametrize("change", [strict, generous, talkative])
@every_game
def test_a_changed_decision_is_seen(key: str, change: Callable[[AnyGame], AnyGame]) -> None:
    game = registry.game(key)
    assert digest(change(game)) != digest(game)


@every_game
def test_every_revision_says_what_it_changed(key: str) -> None:
    game = registry.game(key)
    assert all(line.strip() for line in game.revisions)
    assert set(kept(game)) <= {str(number) for number in range(1, game.revision + 1)}
