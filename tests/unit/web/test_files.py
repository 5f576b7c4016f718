"""The page's files: small modules, no other host, a vendored library that is what it says."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
WEB = ROOT / "service" / "web"
OURS = [
    path
    for folder in (WEB, ROOT / "engine" / "games")
    for path in folder.rglob("*")
    if path.suffix in (".js", ".css", ".html") and "vendor" not in path.parts
]
LIBRARY = "htm-preact-3.1.1.js"
DIGEST = "72284e8e9079c87817145df1110f74e8a2aa040b2fc384922e18dfcb46fc1fd7"


@pytest.mark.parametrize("path", OURS, ids=lambda path: path.name)
def test_a_file_is_small_and_asks_no_other_host(path):
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) < 300
    hosts = set(re.findall(r"https?://[^\s\"'<>)]+", text)) - {"http://www.w3.org/2000/svg"}
    assert not hosts
    assert "innerHTML" not in text, "text never becomes markup"


def test_the_library_is_the_published_file():
    assert hashlib.sha256((WEB / "vendor" / LIBRARY).read_bytes()).hexdigest() == DIGEST
    assert f"./vendor/{LIBRARY}" in (WEB / "lib.js").read_text(encoding="utf-8")


LONGEST = 120
DATA = ("words.js", "art.js", "icons.js", "wonders.js")  # sentences and outlines of drawings: a line each
LONG_BY_NATURE = {"offline.js": 1}  # a pattern cannot be broken


def test_no_line_of_a_script_is_longer_than_a_window():
    scripts = [*WEB.rglob("*.js"), *(ROOT / "engine" / "games").glob("*/ui/*.js")]
    written = [
        path
        for path in scripts
        if not {"vendor", "i18n"} & set(path.relative_to(ROOT).parts) and path.name not in DATA
    ]
    assert len(written) > 80
    for path in written:
        long = [line for line in path.read_text(encoding="utf-8").splitlines() if len(line) > LONGEST]
        assert len(long) <= LONG_BY_NATURE.get(path.name, 0), (path, long)
