"""The sixth game through the very checks of the other five: nothing in them was written for it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine import registry
from engine.checks import cases
from tests.conformance import test_games as conformance
from tests.conformance import test_leaks_are_found as leaks
from tests.games import test_rules_texts as texts
from tests.sixth.registered import KEY
from tests.unit.bots import test_bots as bots

CASES = Path(__file__).parent / "pig" / "cases"


@pytest.mark.parametrize("batch", range(2))
def test_it_keeps_every_promise(batch):
    conformance.test_random_matches_keep_every_promise(KEY, batch)


def test_it_describes_itself_in_english():
    conformance.test_a_game_describes_itself(KEY)
    conformance.test_options_are_worth_varying(KEY)
    words = registry.game(KEY).words
    assert words.title("cs") == "Pig"
    assert words.meanings("cs") == {"goal": "Points that win"}


def test_its_secrets_are_stated_apart():
    leaks.test_secrets_are_stated_without_a_look_at_the_view(KEY)


def test_its_rules_are_told_once():
    texts.test_an_id_leads_to_one_place(KEY)


def test_its_cases_hold():
    data = json.loads((CASES / "turns.json").read_text(encoding="utf-8"))
    assert [outcome.problems for outcome in cases.run(KEY, data["cases"])] == [[], [], []]


@pytest.mark.parametrize("name", bots.REPEATABLE)
def test_every_bot_plays_it(name):
    bots.test_hidden_facts_do_not_change_the_choice(KEY, name)


def test_bots_search_it():
    bots.test_hidden_facts_do_not_change_what_a_long_search_finds(KEY)
    bots.test_a_long_budget_is_never_spent_on_less(KEY)
    bots.test_a_budget_in_time_is_kept(KEY)
