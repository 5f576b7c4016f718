"""Both languages are complete and say what happened."""

import string
from pathlib import Path
from typing import Any

import pytest

from engine.game import Lang
from engine.games.babylonia import GAME, texts
from engine.games.babylonia.facts import (
    CardsOffered,
    CardTaken,
    CityResolved,
    Drew,
    Ended,
    ExtraTurnDecided,
    ExtraTurnOffered,
    FirstSeat,
    Placed,
    PlacingEnded,
    SetUp,
    TileLaid,
    TurnBegan,
    ZigguratResolved,
)
from engine.games.babylonia.model import PARTS, Done, ExtraTurn, Options, Place, Resolve, TakeCard
from tests.games.playing import Step

NAMES = ["Adam", "Nora", "Eva", "Jan"]
LANGS: list[Lang] = ["en", "cs"]


@pytest.mark.parametrize("table", [texts.TEXTS, texts.REFUSALS, texts.OPTIONS, texts.LINES])
def test_both_languages_have_the_same_sentences_with_the_same_gaps(table: Any) -> None:
    assert set(table["en"]) == set(table["cs"])
    for key, text in table["en"].items():
        gaps = [
            {name for _, name, _, _ in string.Formatter().parse(t) if name} for t in (text, table["cs"][key])
        ]
        assert gaps[0] == gaps[1], key


def test_refusals_are_those_of_section_16() -> None:
    """BA-110: the sentences in rules.md, word for word."""
    rows = [row.split("|") for row in _rules().split("## 16.")[1].splitlines() if row.startswith("| `")]
    told = {row[1].strip(" `"): (row[3].strip(), row[4].strip()) for row in rows}
    assert len(told) == 19
    for code, sentences in told.items():
        assert tuple(GAME.words.refusal(code, {}, lang) for lang in LANGS) == sentences


def _rules() -> str:
    return Path(texts.__file__).with_name("rules.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("lang", LANGS)
def test_every_fact_and_action_of_random_play_has_words(played: list[list[Step]], lang: Lang) -> None:
    for match in played:
        for step in match:
            for fact in step.facts:
                for viewer in (0, None):
                    sentence = GAME.words.sentence(GAME.redact(fact, viewer), NAMES, lang)
                    silent = isinstance(fact, SetUp) or fact == PlacingEnded(step.seat, ())
                    assert bool(sentence) != silent
                    assert "?" not in sentence
            if step.action is not None:
                label = GAME.words.label(step.action, GAME.view(step.before, step.seat), lang)
                assert label
                assert "?" not in label


CITY = CityResolved((7, 6), "city_mp", (((7, 5), (6, 6)), ()), (4, 0), (3, 2), 0, (2, 1))
TIED = CityResolved((7, 6), "city_p", ((), ()), (0, 0), (2, 2), None, (0, 0))


@pytest.mark.parametrize(
    ("fact", "english", "czech"),
    [
        (SetUp(2, Options()), "", ""),
        (FirstSeat(1, 0), "Nora begins.", "Začíná Nora."),
        (TileLaid(3, (7, 6), "field_6"), "H10: Field 6.", "H10: Pole 6."),
        (
            CardsOffered((1, 9)),
            "Ziggurat cards on offer: Ten points, River routes.",
            "Karty zikkuratů v nabídce: Deset bodů, Říční cesty.",
        ),
        (
            Drew(0, 9, 2, ("priest", "farmer")),
            "Adam draws: Priest, Farmer.",
            "Adam si bere ze zásoby: Kněz, Rolník.",
        ),
        (Drew(0, 9, 2, None), "Adam draws from the supply: 2 tokens.", "Adam si bere ze zásoby: 2 žetony."),
        (Drew(0, 9, 1, None), "Adam draws from the supply: 1 token.", "Adam si bere ze zásoby: 1 žeton."),
        (Drew(0, 9, 5, None), "Adam draws from the supply: 5 tokens.", "Adam si bere ze zásoby: 5 žetonů."),
        (TurnBegan(1, 0), "Turn 1: Nora.", "1. tah: Nora."),
        (Placed(0, (7, 5), "priest"), "Adam: Priest on H9.", "Adam: Kněz na H9."),
        (
            Placed(0, (5, 2), "priest", True),
            "Adam: Priest face down on F5.",
            "Adam: Kněz lícem dolů na F5.",
        ),
        (
            Placed(0, (5, 2), None, True),
            "Adam: a token face down on F5.",
            "Adam: žeton lícem dolů na F5.",
        ),
        (
            Placed(0, (6, -1), "farmer", False, "field_city", 1, ((8, 2), (2, 8))),
            "Adam: Farmer on G3. Field with the city symbol: 1 point."
            " Touches 2 of the ziggurats (I7, C10): 2 points.",
            "Adam: Rolník na G3. Pole se symbolem města: 1 bod."
            " Dotýká se zikkuratů (I7, C10), celkem 2: 2 body.",
        ),
        (PlacingEnded(0, ()), "", ""),
        (PlacingEnded(0, ((8, 2), (7, 6))), "Surrounded: I7, H10.", "Obklopeno: I7, H10."),
        (
            CITY,
            "City of merchants and priests, H10. Nobles: Adam 4 (H9, G10)."
            " Adam has most tokens (3 : 2) and takes the city. City tiles: Adam 2, Nora 1.",
            "Město obchodníků a kněží, H10. Občané: Adam 4 (H9, G10)."
            " Nejvíce žetonů (3 : 2) má Adam a bere si město. Destičky měst: Adam 2, Nora 1.",
        ),
        (
            TIED,
            "City of priests, H10. Nobody has most tokens (2 : 2): the tile is discarded.",
            "Město kněží, H10. Nejvíce žetonů (2 : 2) nemá nikdo: destička je odhozena.",
        ),
        (
            ZigguratResolved((8, 2), (3, 2), 0),
            "Ziggurat I7: Adam has most tokens (3 : 2) and takes a card.",
            "Zikkurat I7: nejvíce žetonů (3 : 2) má Adam a bere si kartu.",
        ),
        (
            ZigguratResolved((8, 2), (2, 2), None),
            "Ziggurat I7: nobody has most tokens (2 : 2), no card is taken.",
            "Zikkurat I7: nejvíce žetonů (2 : 2) nemá nikdo, kartu si nikdo nebere.",
        ),
        (CardTaken(1, 7, 0), "Nora takes card 7: City pairs.", "Nora si bere kartu 7: Páry měst."),
        (
            CardTaken(1, 1, 10),
            "Nora takes card 1: Ten points. 10 points.",
            "Nora si bere kartu 1: Deset bodů. 10 bodů.",
        ),
        (ExtraTurnOffered(0), "Adam may take another turn.", "Adam smí odehrát další tah."),
        (ExtraTurnDecided(0, True), "Adam takes another turn.", "Adam hraje další tah."),
        (
            ExtraTurnDecided(0, False),
            "Adam keeps the extra turn for later.",
            "Adam si nechává další tah na později.",
        ),
        (
            Ended(0, "stand"),
            "Adam has no token left: the game is over.",
            "Adam už nemá žádný žeton: konec hry.",
        ),
        (Ended(0, "cities"), "The cities have run out: the game is over.", "Města došla: konec hry."),
    ],
)
def test_sentences(fact: Any, english: str, czech: str) -> None:
    assert GAME.words.sentence(fact, NAMES, "en") == english
    assert GAME.words.sentence(fact, NAMES, "cs") == czech


@pytest.mark.parametrize(
    ("action", "english", "czech"),
    [
        (Place("servant", (7, 5)), "Civil servant on H9", "Úředník na H9"),
        (Place("servant", (5, 2)), "Civil servant face down on F5", "Úředník lícem dolů na F5"),
        (Done(), "Done placing", "Ukončit umísťování"),
        (Resolve((8, 2)), "Resolve the ziggurat I7", "Vyhodnotit zikkurat I7"),
        (TakeCard(3), "Take card 3: Seven tokens", "Vzít kartu 3: Sedm žetonů"),
        (ExtraTurn(True), "Take another turn now", "Odehrát hned další tah"),
        (ExtraTurn(False), "Keep the extra turn for later", "Nechat si další tah na později"),
    ],
)
def test_labels(action: Any, english: str, czech: str, played: list[list[Step]]) -> None:
    view = GAME.view(played[0][0].after, 0)
    assert GAME.words.label(action, view, "en") == english
    assert GAME.words.label(action, view, "cs") == czech


def test_a_label_names_the_tile(played: list[list[Step]]) -> None:
    view = GAME.view(played[0][0].after, 0)
    tile = view.tiles[0]
    names = [GAME.words.sentence(TileLaid(0, tile.hex, tile.tile), NAMES, lang) for lang in LANGS]
    for lang, name in zip(LANGS, names, strict=True):
        for action in (Place("farmer", tile.hex), Resolve(tile.hex)):
            assert GAME.words.label(action, view, lang).endswith(name.rstrip("."))


def test_lines_of_the_breakdown() -> None:
    assert [GAME.words.line(part, "en") for part in PARTS][2:4] == ["Nobles at cities", "City tiles"]
    assert {len({GAME.words.line(part, lang) for part in PARTS}) for lang in LANGS} == {len(PARTS)}
