"""Every fact, action, refusal and line has words in both languages."""

from __future__ import annotations

from random import Random

import pytest

from engine.chance import quick
from engine.game import begin, play
from engine.games.akropolis import GAME
from engine.games.akropolis.content import DATA
from engine.games.akropolis.model import Build, Built, Drawn, NextRound, Opened, Options, Score, Scored, Taken
from engine.games.akropolis.words import OPTIONS, REFUSALS, TEXTS, quarters

LANGS = ("en", "cs")
WORDS = GAME.words
NAMES = ["Ana", "Bob"]


def said(fact, lang):
    return WORDS.sentence(fact, NAMES, lang)


def test_both_languages_have_the_same_keys():
    for table in (TEXTS, REFUSALS, OPTIONS):
        assert set(table["en"]) == set(table["cs"])
    assert set(DATA["errors"]) < set(REFUSALS["en"])
    assert set(OPTIONS["en"]) == set(Options.__struct_fields__)


def test_a_build_is_told_with_its_price_and_gain():
    fact = Built(1, 12, 1, -1, 4, 2, 1, 2)
    assert said(fact, "en") == (
        "Bob builds Barracks Plaza, Market, House on level 2,"
        " pays 1 stone, gains 2 stones from covered quarries."
    )
    assert said(fact, "cs") == (
        "Bob staví do 2. patra: Náměstí posádek, Tržnice, Rezidence,"
        " platí 1 kámen, za zakryté lomy získává 2 kameny."
    )
    assert said(Built(0, 12, 0, 0, 0, 1, 0, 0), "en").endswith("on level 1.")


@pytest.mark.parametrize("lang", LANGS)
def test_other_facts_are_told(lang):
    assert "Ana" in said(Opened(0, (1, 2), 0), lang)
    assert quarters(37, lang) in said(Drawn(37, 3), lang)
    assert "Bob" in said(NextRound(4, 1), lang)
    assert "5 kamenů" in said(Taken(21, 5), "cs")
    scored = said(Scored((Score({}, 1, 90), Score({}, 2, 81))), lang)
    assert "Ana 90" in scored
    assert "Bob 81" in scored


@pytest.mark.parametrize("lang", LANGS)
def test_the_architect_of_a_solo_match_has_a_name(lang):
    """AK-S3: it may hold the token though it is no seat."""
    token = WORDS.sentence(NextRound(2, 1), ["Ana"], lang)
    final = WORDS.sentence(Scored((Score({}, 1, 90),), Score({}, 2, 70)), ["Ana"], lang)
    assert TEXTS[lang]["architect"].lower() in token
    assert f"{TEXTS[lang]['architect'].lower()} 70" in final


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("seats", [1, 2, 4])
def test_nothing_is_left_unsaid_in_a_whole_match(seats, lang):
    rng = Random(seats)
    pick = quick(rng)
    names = [f"P{seat}" for seat in range(seats)]
    state, facts = begin(GAME, seats, Options(), pick)
    while GAME.to_act(state):
        action = rng.choice(GAME.legal(state, state.turn))
        label = WORDS.label(action, GAME.view(state, state.turn), lang)
        assert f"({action.q}, {action.r})" in label
        state, more = play(GAME, state, state.turn, action, pick)
        facts += more
    silent = [fact for fact in facts if not WORDS.sentence(fact, names, lang)]
    assert silent == facts[:1]  # the setup speaks for itself
    assert not any("?" in WORDS.sentence(fact, names, lang) for fact in facts)
    for lines in GAME.result(state).breakdown:
        assert all(WORDS.line(line.what, lang) for line in lines)


def test_a_label_names_tile_price_and_place():
    state, _ = begin(GAME, 2, Options(first_seat=0), quick(Random(1)))
    view = GAME.view(state, 0)
    tile = view.site[1].tile
    assert WORDS.label(Build(1, 1, 1, 3), view, "en").startswith(f"1 stone: tile {tile} (")
    assert WORDS.label(Build(0, 1, 1, 3), view, "cs").startswith(f"zdarma: deska {view.site[0].tile} (")


def test_lines_of_the_score_pad():
    assert WORDS.line("house:8:4", "en") == "Houses: value 8 × 4 stars"
    assert WORDS.line("garden:3:1", "cs") == "Zahrady: hodnota 3 × 1 hvězdička"
    assert WORDS.line("stones", "cs") == "Kameny"


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("expected", ["integer", "rotation", "nothing"])
def test_a_bad_field_is_told_what_was_expected(lang, expected):
    text = WORDS.refusal("bad_field", {"field": "slot", "expected": expected}, lang)
    assert "slot" in text
    assert TEXTS[lang][expected] in text
