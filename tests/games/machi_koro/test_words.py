"""Both languages are complete and say what happened."""

import string
from typing import Any

import pytest
from msgspec.structs import replace

from engine.game import Lang
from engine.games.machi_koro import GAME, texts, words
from engine.games.machi_koro.model import Built, Kept, Payout, Rolled, SetUp, Threw, Took, Traded, TvStation
from tests.games.playing import Step

NAMES = ["Anna", "Ben", "Cyril", "Dana"]
LANGS: list[Lang] = ["en", "cs"]


@pytest.mark.parametrize("table", [texts.TEXTS, texts.REFUSALS, texts.OPTIONS])
def test_both_languages_have_the_same_sentences_with_gaps_that_can_be_filled(table: Any) -> None:
    assert set(table["en"]) == set(table["cs"])
    for key, text in table["en"].items():
        english, czech = (
            {name for _, name, _, _ in string.Formatter().parse(t) if name} for t in (text, table["cs"][key])
        )
        assert english - {"sort"} == czech - {"sort"}, key


@pytest.mark.parametrize("lang", LANGS)
def test_every_fact_and_action_of_random_play_has_words(played: list[list[Step]], lang: Lang) -> None:
    for match in played:
        for before, action, facts, _, _ in match:
            for fact in facts:
                sentence = GAME.words.sentence(fact, NAMES, lang)
                silent = isinstance(fact, SetUp) or (isinstance(fact, Threw) and not fact.again)
                assert bool(sentence) != silent
                assert "?" not in sentence
                assert "{" not in sentence
            if action is not None:
                label = GAME.words.label(action, GAME.view(before, before.active), lang)
                assert label
                assert "?" not in label


ROLL = Rolled(0, 3, (1, 2), "build", payout=Payout((2, 2, 0), (0, 1, 0), (), 2))


@pytest.mark.parametrize(
    ("fact", "lang", "sentence"),
    [
        (ROLL, "en", "Anna rolls 1 + 2 = 3. Café: Anna −1, Ben +1. Bakery: Anna +2."),
        (ROLL, "cs", "Anna hází 1 + 2 = 3. Kavárna: Anna −1, Ben +1. Pekárna: Anna +2."),
        (
            Kept(1, (3, 3), "tv_station", None, True, Payout((2, 5, 0), stadium=(2, 0, 1))),
            "en",
            "Ben keeps 3 + 3 = 6. Stadium: Anna −2, Ben +3, Cyril −1. Doubles: another turn follows.",
        ),
        (Rolled(1, 3, (5,), "one_die", 2), "cs", "Ben hází 5. Nelze nic postavit."),
        (
            Rolled(0, 3, (5,), "build", payout=Payout((1, 0), (), (1, 0))),
            "en",
            "Anna rolls 5. Forest: Anna +1.",
        ),
        (Threw(0, "one_die", True), "cs", "Anna hází znovu."),
        (Took(0, 2, 5, "build"), "en", "TV Station: Cyril −5, Anna +5."),
        (Took(0, 2, 0, "build"), "en", "TV Station: 0."),
        (Traded(0, 1, "bakery", "mine", "build"), "en", "Anna gives Bakery to Ben and takes Mine."),
        (Built(0, "mine", 6, "one_die", 1), "cs", "Anna staví objekt důl za 6 mincí."),
        (Built(0, "ranch", 1, "one_die", 1), "cs", "Anna staví objekt statek za 1 minci."),
        (Built(2, "train_station", 4, "one_die", 1), "cs", "Cyril staví dominantu nádraží za 4 mince."),
        (
            Built(0, "radio_tower", 22, "over"),
            "en",
            "Anna builds Radio Tower for 22 coins, the fourth landmark, and wins.",
        ),
    ],
)
def test_sentences(fact: Any, lang: Lang, sentence: str) -> None:
    assert GAME.words.sentence(fact, NAMES, lang) == sentence


@pytest.mark.parametrize(("coins", "label"), [(9, "Take 5 coins"), (1, "Take 1 coin"), (0, "Take 0 coins")])
def test_a_label_says_what_the_tv_station_would_take(
    coins: int, label: str, played: list[list[Step]]
) -> None:
    start = played[0][0].after
    view = GAME.view(replace(start, coins=(3, coins)), 0)
    assert words.label(TvStation(1), view, "en") == f"{label} from player 2"


@pytest.mark.parametrize("lang", LANGS)
def test_refusals_name_cards_in_the_language_of_the_reader(lang: Lang) -> None:
    text = GAME.words.refusal("too_expensive", {"card": "mine", "cost": 6, "coins": 2}, lang)
    assert text == {"en": "Mine costs 6, you have 2.", "cs": "Důl stojí 6, máš 2."}[lang]
    assert "castle" in GAME.words.refusal("unknown_card", {"card": "castle"}, lang)
