"""Every registered game through the same checks; nothing is skipped."""

from pathlib import Path

import pytest

from engine import codec, registry
from engine.checks.conformance import check_match, matches
from engine.checks.variants import variants

MATCHES = 200
BATCHES = 8  # so that several cores share the work
DEPTH = {  # how many of the steps get the costly checks
    "tides-of-time": 0.2,
    "machi-koro": 0.1,
    "world-wonders": 0.01,
}


@pytest.mark.parametrize("batch", range(BATCHES))
@pytest.mark.parametrize("key", registry.GAMES)
def test_random_matches_keep_every_promise(key: str, batch: int) -> None:
    game = registry.game(key)
    for seats, options, seed in list(matches(game, MATCHES))[batch::BATCHES]:
        check_match(game, seats, options, seed, DEPTH.get(key, 0.04))


def test_the_list_names_every_folder_and_nothing_else() -> None:
    folders = {p.parent.name for p in Path(registry.__file__).parent.glob("games/*/__init__.py")}
    assert folders == {key.replace("-", "_") for key in registry.GAMES}


@pytest.mark.parametrize("key", registry.GAMES)
def test_a_game_describes_itself(key: str) -> None:
    game = registry.game(key)
    assert game.key == key
    assert "en" in game.words.name
    for kind in (game.Options, game.Action, game.Fact, game.View):
        assert codec.schema(kind)
    for lang in ("en", *game.words.options):
        assert set(game.words.options[lang]) == set(game.Options.__struct_fields__), lang
    assert game.words.options.keys() == game.words.name.keys(), "a language is spoken whole"


@pytest.mark.parametrize("key", registry.GAMES)
def test_options_are_worth_varying(key: str) -> None:
    game = registry.game(key)
    for seats in game.players:
        assert variants(game, seats)
