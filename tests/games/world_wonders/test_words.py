"""Both languages are complete: every fact, action, refusal, line and option has its words."""

import msgspec
import pytest

from engine.games.world_wonders import GAME, facts
from engine.games.world_wonders.content import DATA
from engine.games.world_wonders.facts import (
    Ended,
    Gained,
    OrderDrawn,
    Placed,
    RoundBegan,
    SetUp,
    SoloCardShown,
    TurnBegan,
    WentOut,
)
from engine.games.world_wonders.texts import LINES, OPTIONS, TEXTS
from engine.games.world_wonders.words import REFUSALS, building, label, line, refusal, sentence
from tests.games.playing import Step

NAMES = ["Ada", "Bob", "Cyd", "Dan", "Eva"]
SILENT = (SetUp, TurnBegan, facts.AutomatonBegan)


@pytest.mark.parametrize("texts", [TEXTS, LINES, OPTIONS, REFUSALS])
def test_both_languages_say_the_same_things(texts: dict[str, dict[str, str]]) -> None:
    assert texts["en"].keys() == texts["cs"].keys()
    for key, text in texts["en"].items():
        assert text
        assert gaps(text) == gaps(texts["cs"][key]), key


def gaps(text: str) -> set[str]:
    return {part.split("}")[0] for part in text.split("{")[1:]}


@pytest.mark.parametrize("lang", ["en", "cs"])
def test_every_fact_of_every_match_has_a_sentence(played: list[list[Step]], lang: str) -> None:
    met = set()
    for match in played:
        names = NAMES[: len(match[0].after.cities)]
        for step in match:
            for fact in step.facts:
                text = sentence(fact, names, lang)
                met.add(type(fact))
                silent = isinstance(fact, SILENT) or (isinstance(fact, Gained) and not any(fact.resources))
                assert "?" not in text
                assert text or silent, fact
    assert met >= {*facts.Fact.__args__} - {facts.AutomatonPassed}


@pytest.mark.parametrize("lang", ["en", "cs"])
def test_every_action_has_a_label_of_its_own(played: list[list[Step]], lang: str) -> None:
    for match in played[::4]:
        for step in match[:-1:3]:
            view = GAME.view(step.after, None)
            legal = GAME.legal(step.after, step.after.active)
            labels = [label(action, view, lang) for action in legal]
            assert all(labels)
            assert not any("?" in text for text in labels)
            assert len(set(labels)) == len(labels)


@pytest.mark.parametrize(
    ("fact", "en", "cs"),
    [
        (OrderDrawn(0, (1, 0)), "Turn order: Bob, Ada.", "Pořadí: Bob, Ada."),
        (RoundBegan(3, (0, 1), 7, 1, 1, 1), "Round 3. Turn order: Ada, Bob.", "3. kolo. Pořadí: Ada, Bob."),
        (
            Placed(1, "short2", 0, 9, 0, ((0, 9), (1, 9))),
            "Bob places at A10, B10: short road (2 cells).",
            "Bob umisťuje na A10, B10: krátká cesta (2 políčka).",
        ),
        (Gained(0, (2, 0, 1), 1), "Ada gains: food +2, gears +1, population +1.", None),
        (Gained(0, (0, 0, 0), 0), "", ""),
        (SoloCardShown(4, "a14", True), "The automaton's cards are shuffled anew.", None),
        (WentOut(0, "stuck"), "Ada can do nothing more and leaves the round.", None),
        (
            facts.AutomatonPassed(),
            "The automaton finds nothing to take.",
            "Automatický protivník nemá co vzít.",
        ),
        (Ended("rounds", ((), ()), None), "The last round is over. Ada: 0 VP, Bob: 0 VP.", None),
        (
            Ended("population", ((),), 12),
            "A population track is full: the game is over. Ada: 0 VP, to exceed: 12.",
            "Stupnice populace je plná: hra končí. Ada: 0 VB, překonat: 12.",
        ),
    ],
)
def test_sentences(fact: msgspec.Struct, en: str, cs: str | None) -> None:
    assert sentence(fact, NAMES[:2], "en") == en
    if cs is not None:
        assert sentence(fact, NAMES[:2], "cs") == cs


def test_refusals_are_filled() -> None:
    assert refusal("too_expensive", {"price": 5, "coins": 3}, "en") == "It costs 5 coins and you have 3 left."
    missing = refusal("monument_requirement", {"missing": ["road", "B"]}, "cs")
    assert missing == "Monument musí ještě sousedit s: cesta, knihovna."


def test_lines() -> None:
    assert line("goal:g03", "en") == "Most monuments"
    assert line("target:28", "cs") == "Je třeba překonat: 28"
    assert [line(key, "en") for key in ("least", "loan")] == ["Least resource", "Open loan"]


def test_tiles_are_named_by_kind_shape_and_icons() -> None:
    assert building("s5-02", "en") == "library T4 (food +1, gears +2)"
    assert building("a tile of a rule case", "cs") == "budova"


def test_every_option_is_explained() -> None:
    assert set(OPTIONS["en"]) == {raw["name"] for raw in DATA["options"]}
