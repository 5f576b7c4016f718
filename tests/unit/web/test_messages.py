"""The page speaks both languages completely, and says nothing it has no words for."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from engine import registry

ROOT = Path(__file__).parents[3]
WEB = ROOT / "service" / "web"
BOARDS = [ROOT / "engine" / "games" / key.replace("-", "_") / "ui" for key in registry.GAMES]
USED = re.compile(r"""\bt\(\s*"([\w.]+)"[,)]""")
EITHER = re.compile(r"""\bt\([^"()]*\?\s*"([\w.]+)"\s*:\s*"([\w.]+)"[,)]""")
BUILT = re.compile(r"""\bt\(\s*"([\w.]+\.)"\s*\+""")  # t("status." + status): there are words that begin so
OWN = ("type.", "field.")  # a board may name these; the page falls back to plain names
GAP = re.compile(r"\{(\w+)")


def words(path: Path):
    return json.loads(path.read_text(encoding="utf-8").split("\nexport default", 1)[1].strip().rstrip(";"))


def page_words():
    return {
        lang: words(WEB / "i18n" / f"{lang}.js") | words(WEB / "i18n" / f"{lang}.own.js")
        for lang in ("en", "cs")
    }


def tables():
    yield page_words()
    yield from (words(board / "words.js") for board in BOARDS)


@pytest.mark.parametrize("table", list(tables()))
def test_both_languages_say_the_same_things(table):
    assert table["en"].keys() == table["cs"].keys()
    for key, text in table["en"].items():
        assert text.strip(), key
        assert table["cs"][key].strip(), key
        assert set(GAP.findall(text)) == set(GAP.findall(table["cs"][key])), key


def sources(folder: Path):
    return [path for path in folder.rglob("*.js") if "vendor" not in path.parts and "i18n" not in path.parts]


@pytest.mark.parametrize("folder", [WEB, *BOARDS], ids=lambda folder: folder.parent.name)
def test_whatever_is_said_has_words(folder):
    known = set(page_words()["en"])
    if folder != WEB:
        known |= set(words(folder / "words.js")["en"])
    for path in sources(folder):
        text = path.read_text(encoding="utf-8")
        said = set(USED.findall(text)) | {key for pair in EITHER.findall(text) for key in pair}
        assert said <= known, f"{path.name}: {sorted(said - known)}"
        for prefix in BUILT.findall(text):
            if prefix in OWN:
                continue
            assert any(key.startswith(prefix) for key in known), f"{path.name}: {prefix}…"


def test_no_word_is_left_over():
    text = "".join(path.read_text(encoding="utf-8") for path in sources(WEB))
    prefixes = (*BUILT.findall(text), "field.", "option.")
    unused = [key for key in page_words()["en"] if f'"{key}"' not in text and not key.startswith(prefixes)]
    assert unused == []


@pytest.mark.parametrize("board", BOARDS, ids=lambda folder: folder.parent.name)
def test_no_word_of_a_board_is_left_over(board):
    text = "".join(path.read_text(encoding="utf-8") for path in sources(board) if path.name != "words.js")
    built = tuple(re.findall(r"""["`](\w+\.)["$]""", text))  # "when." + colour, `prompt.${phase}`
    known = words(board / "words.js")["en"]
    assert [key for key in known if f'"{key}"' not in text and not key.startswith((*built, *OWN))] == []
