"""A test of the tests: leaks that are planted in the games, and conformance alone finds every one."""

import ast
from collections import Counter
from random import Random

import pytest

from engine import registry
from engine.chance import quick
from engine.checks import conformance
from engine.checks.conformance import Broken, advance, check_match, matches
from engine.checks.secrecy import Entry, changes
from engine.game import AnyGame, begin
from engine.games.tides_of_time import sight
from tests.conformance.leaky import LEAKS, Leak
from tests.folders import folder

HIDING = [game.key for game in registry.games() if game.exchange is not None]
SHARE = {"tides-of-time": 0.3, "babylonia": 0.95}  # of positions in which there is something to exchange …
SOME = 0.05  # … and of a game that says nothing about it


FOUND = "secrets do not change|all see the same|a view tells all|reveal nothing"


@pytest.mark.parametrize(("key", "what", "leak"), LEAKS, ids=[f"{key}: {what}" for key, what, _ in LEAKS])
def test_a_planted_leak_is_found(key: str, what: str, leak: Leak, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the exchange of secrets alone: what bots imagine is not asked."""
    monkeypatch.setattr(conformance, "check_secrets", lambda *_: None)
    with pytest.raises(Broken, match=FOUND):
        play_some(leak(registry.game(key)))


def play_some(game: AnyGame) -> None:
    for seats, options, seed in matches(game, 12):
        check_match(game, seats, options, seed, 0.5)


def test_a_view_that_shows_the_other_hand_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    """`determinise` reads the leak back and finds nothing wrong; the secrets are stated elsewhere."""
    player = sight._player
    monkeypatch.setattr(sight, "_player", lambda state, who, own: player(state, who, True))
    with pytest.raises(Broken, match="secrets do not change the view"):
        check_match(registry.game("tides-of-time"), 2, registry.game("tides-of-time").Options(), 1, 1)


def test_every_game_with_secrets_has_a_planted_leak() -> None:
    assert set(HIDING) <= {key for key, _, _ in LEAKS} <= set(registry.GAMES)


@pytest.mark.parametrize("key", registry.GAMES)
def test_secrets_are_stated_without_a_look_at_the_view(key: str) -> None:
    tree = ast.parse((folder(key) / "secrets.py").read_text(encoding="utf-8"))
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names |= {part for alias in node.names for part in alias.name.split(".")}
            names |= set((getattr(node, "module", "") or "").split("."))
    assert not names & {"sight", "view", "views", "View", "determinise", "redact", "reveals"}


@pytest.mark.parametrize("key", HIDING)
def test_an_exchange_changes_something(key: str) -> None:
    game = registry.game(key)
    found: Counter[int | None] = Counter()
    positions = 0
    for seats, options, seed in list(matches(game, 10))[:10]:
        rng = Random(seed)
        pick = quick(rng)
        state, facts = begin(game, seats, options, pick)
        log = [Entry(None, None, facts)]
        while game.to_act(state):
            positions += 1
            found.update(viewer for viewer in (0, None) if changes(game, log, viewer, rng))
            step = advance(game, state, seats, rng, pick, False)
            log.append(Entry(step.seat, step.action, step.facts))
            state = step.after
    for viewer in (0, None):
        assert found[viewer] / positions > SHARE.get(key, SOME), (viewer, found[viewer], positions)
