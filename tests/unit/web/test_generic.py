"""The generic board draws any view: it goes by the shape of things and knows no game's names."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from engine import registry

GENERIC = Path(__file__).parents[3] / "service" / "web" / "parts" / "generic.js"
CONTRACT = {"seat"}  # whose view it is: that of every game


def test_it_names_no_field_of_any_game():
    words = set(re.findall(r"\w+", re.sub(r"//.*|/\*.*?\*/", "", GENERIC.read_text(encoding="utf-8"))))
    for game in registry.games():
        assert not words & set(game.View.__struct_fields__) - CONTRACT, game.key


@pytest.fixture(scope="module")
def sort(tmp_path_factory):
    """The page's own function, run by node."""
    if shutil.which("node") is None:
        pytest.skip("there is no node on this machine")
    folder = tmp_path_factory.mktemp("generic")
    shutil.copytree(GENERIC.parents[1], folder / "web")
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "run.mjs").write_text(
        'import { sorted } from "./web/parts/generic.js";\n'
        "const [view, seats] = JSON.parse(process.argv[2]);\n"
        "console.log(JSON.stringify(sorted(view, seats)));\n"
    )

    def run(view, seats):
        told = json.dumps([view, seats])
        done = subprocess.run(
            ["node", "run.mjs", told], cwd=folder, capture_output=True, check=True, timeout=60
        )
        return json.loads(done.stdout)

    return run


def test_records_as_many_as_seats_are_the_seats(sort):
    view = {"seat": 1, "round": 2, "hands": [{"size": 3}, {"size": 4}], "deck": ["a", "b", "c"]}
    assert sort(view, 2) == {
        "parts": [{"size": 3}, {"size": 4}],
        "table": {"seat": 1, "round": 2, "deck": ["a", "b", "c"]},
    }


def test_several_lists_are_told_together(sort):
    view = {"points": [5, 0, 7], "out": [False, True, False], "last": None}
    assert sort(view, 3) == {
        "parts": [{"points": 5, "out": False}, {"points": 0, "out": True}, {"points": 7, "out": False}],
        "table": {"last": None},
    }


def test_a_view_without_any_is_all_table(sort):
    view = {"heap": 12, "taken": [1, 2, 3]}
    assert sort(view, 2) == {"parts": [], "table": view}
