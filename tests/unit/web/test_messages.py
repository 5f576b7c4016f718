"""The page speaks both languages completely, and says nothing it has no words for."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import get_args

import pytest

from engine.proof.report import Verdict
from tests.folders import folder, having

ROOT = Path(__file__).parents[3]
WEB = ROOT / "service" / "web"
BOARDS = [folder(key) / "ui" for key in having("ui/words.js")]
USED = re.compile(r"""\bt\(\s*"([\w.]+)"[,)]""")
EITHER = re.compile(r"""\bt\([^"()]*\?\s*"([\w.]+)"\s*:\s*"([\w.]+)"[,)]""")
BUILT = re.compile(r"""\bt\(\s*"([\w.]+\.)"\s*\+""")  # t("status." + status): there are words that begin so
OWN = ("type.", "field.", "figure.", "result.")  # the page asks a board for these
GAP = re.compile(r"\{(\w+)")


def words(path: Path):
    return json.loads(path.read_text(encoding="utf-8").split("\nexport default", 1)[1].strip().rstrip(";"))


def page_words():
    return {
        lang: {key: text for path in (WEB / "i18n").glob(f"{lang}.*") for key, text in words(path).items()}
        for lang in ("en", "cs")
    }


def tables():
    yield page_words()
    yield from (words(board / "words.js") for board in BOARDS)


@pytest.mark.parametrize("table", list(tables()))
def test_every_language_says_the_same_things(table):
    english = table["en"]
    for lang, said in table.items():
        assert said.keys() == english.keys(), lang
        for key, text in said.items():
            assert text.strip(), key
            assert set(GAP.findall(text)) == set(GAP.findall(english[key])), (lang, key)


def test_the_page_speaks_both_languages():
    assert page_words()["cs"].keys() == page_words()["en"].keys()


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


def test_every_verdict_about_a_log_has_words():
    for said in page_words().values():
        assert {key for key in said if key.startswith("verdict.")} == {
            f"verdict.{v}" for v in get_args(Verdict)
        }


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
