"""Every bot, on every game: it sees its view and nothing else, and the same seed gives the same choice."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from random import Random

import pytest

from bots.budget import BadBudget, Budget, parse
from bots.registry import BOTS, UnknownBot, bot, resolve
from bots.search import LONG, Search, Tuning, tuning_of
from engine import registry
from engine.chance import quick
from engine.game import begin, play

REPEATABLE = ("random", "greedy", "search:24")


def positions(game, count, seed):
    """Decisions in the middle of a random match, as (state, seat)."""
    rng = Random(f"{game.key} {seed}")
    pick = quick(rng)
    found = []
    state, _ = begin(game, max(2, game.players[0]), game.Options(), pick)
    while waiting := game.to_act(state):
        seat = min(waiting)
        legal = game.legal(state, seat)
        if len(legal) > 1:
            found.append((state, seat))
        state, _ = play(game, state, seat, rng.choice(legal), pick)
    return rng.sample(found, count)


def chosen(game, state, seat, name, seed):
    return bot(name)(game, game.view(state, seat), seat, game.legal(state, seat), Random(seed))


@pytest.mark.parametrize("name", REPEATABLE)
@pytest.mark.parametrize("key", registry.GAMES)
def test_hidden_facts_do_not_change_the_choice(key, name):
    game, rng = registry.game(key), Random(3)
    for state, seat in positions(game, 4, seed=1):
        mine = chosen(game, state, seat, name, seed=5)
        assert mine in game.legal(state, seat)
        for _ in range(3):
            other = game.determinise(game.view(state, seat), rng)  # what the seat cannot see is exchanged
            assert chosen(game, other, seat, name, seed=5) == mine


@pytest.mark.parametrize("key", ["tides-of-time", "babylonia"])
def test_a_bot_that_is_given_the_true_state_is_found(key, monkeypatch):
    """The test above can fail: a bot that imagines no worlds but is told the real one chooses by it."""

    def told(game, state, seat, name, seed):
        knowing = replace(game, determinise=lambda view, rng: state)
        return bot(name)(knowing, game.view(state, seat), seat, game.legal(state, seat), Random(seed))

    monkeypatch.setitem(globals(), "chosen", told)
    with pytest.raises(AssertionError):
        test_hidden_facts_do_not_change_the_choice(key, "search:24")


def thoroughly(game, state, seat, seed):
    """What a long search looks at, in few iterations."""
    tuning = tuning_of(game, Budget(iterations=LONG))
    search = Search(game, game.view(state, seat), seat, Random(seed), tuning)
    return search.run(game.legal(state, seat), Budget(iterations=24)).action


@pytest.mark.parametrize("key", registry.GAMES)
def test_hidden_facts_do_not_change_what_a_long_search_finds(key):
    game, rng = registry.game(key), Random(4)
    for state, seat in positions(game, 3, seed=4):
        mine = thoroughly(game, state, seat, seed=6)
        assert mine in game.legal(state, seat)
        other = game.determinise(game.view(state, seat), rng)
        assert thoroughly(game, other, seat, seed=6) == mine


@pytest.mark.parametrize("key", registry.GAMES)
def test_a_long_budget_is_never_spent_on_less(key):
    game = registry.game(key)
    short = tuning_of(game, Budget(iterations=LONG - 1))
    for budget in (Budget(iterations=LONG), Budget(ms=LONG)):
        long = tuning_of(game, budget)
        assert all(getattr(long, name) >= getattr(short, name) for name in Tuning._fields)


def test_every_visit_of_a_candidate_is_to_another_world(monkeypatch):
    """One imagined world looked at again and again would be taken for what is known."""
    game = registry.game("tides-of-time")
    ((state, seat),) = positions(game, 1, seed=3)
    seeds = []

    class Noted(Random):
        def __init__(self, seed):
            seeds.append(seed)
            super().__init__(seed)

    monkeypatch.setattr("bots.search.Random", Noted)
    legal = game.legal(state, seat)
    Search(game, game.view(state, seat), seat, Random(1), Tuning()).run(
        legal, Budget(iterations=10 * len(legal))
    )
    assert len(set(seeds)) >= 10
    assert len(seeds) > len(set(seeds)), "and all candidates are tried in the same ones"


def test_some_games_are_searched_more_widely_with_a_long_budget():
    budgets = Budget(ms=200), Budget(ms=2000)
    grown = {
        game.key for game in registry.games() if len({tuning_of(game, budget) for budget in budgets}) > 1
    }
    assert {"babylonia", "world-wonders"} <= grown


def test_hidden_facts_are_really_exchanged():
    """Games whose players know everything but the dice have nothing to exchange; the others must."""
    rng, differ = Random(3), {}
    for game in registry.games():
        found = [
            game.determinise(game.view(state, seat), rng) != state for state, seat in positions(game, 4, 1)
        ]
        differ[game.key] = any(found)
    assert {"tides-of-time", "machi-koro", "babylonia"} <= {key for key, some in differ.items() if some}


def test_every_kind_of_bot_is_tried():
    """Budgets in time cannot be repeated exactly: the same search with a budget in iterations is."""
    assert {name.partition(":")[0] for name in BOTS} == {name.partition(":")[0] for name in REPEATABLE}


@pytest.mark.parametrize("key", registry.GAMES)
def test_the_same_seed_gives_the_same_choice_in_another_process(key):
    """Sets and hashes fall differently there: nothing may depend on them."""
    code = (
        "from tests.unit.bots.test_bots import *\n"
        f"game = registry.game({key!r})\n"
        "for state, seat in positions(game, 3, seed=2):\n"
        "    for name in REPEATABLE:\n"
        "        print(repr(chosen(game, state, seat, name, seed=7)))\n"
    )
    answers = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": "."},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(answers) == 1
    assert answers.pop().count("\n") == 3 * len(REPEATABLE)


@pytest.mark.parametrize("key", registry.GAMES)
def test_a_budget_in_time_is_kept(key):
    game = registry.game(key)
    state, seat = positions(game, 1, seed=3)[0]
    assert chosen(game, state, seat, "search:20ms", seed=1) in game.legal(state, seat)


def test_names():
    assert {"random", "greedy", "search"} <= set(BOTS)
    assert parse("300ms") == Budget(ms=300)
    for wrong in (
        "search:",
        "search:0",
        "search:-1",
        "search:2h",
        "search:9999999",
        "search:601s",
        "grdy",
        "",
    ):
        with pytest.raises(UnknownBot):
            bot(wrong)
    with pytest.raises(BadBudget):
        parse("1.5s")


def test_a_name_from_outside_never_reads_a_file(tmp_path):
    file = tmp_path / "evil.py"
    file.write_text("raise SystemExit('read')")
    with pytest.raises(UnknownBot):
        bot(f"{file}:Bot")


@pytest.mark.parametrize(
    ("text", "says"),
    [("", "has no Bot"), ("class Bot: pass", "choose"), ("1/0", "ZeroDivisionError")],
)
def test_files_without_a_bot(tmp_path, text, says):
    (tmp_path / "mine.py").write_text(text)
    with pytest.raises(UnknownBot, match=says):
        resolve(f"{tmp_path}/mine.py:Bot")
    with pytest.raises(UnknownBot, match="no file"):
        resolve(f"{tmp_path}/missing.py:Bot")
