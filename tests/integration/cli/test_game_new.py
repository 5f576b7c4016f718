"""`turnlog game new`: the skeleton runs as it stands, in a place that knows nothing of it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from engine import registry
from engine.proof.verify import verify
from service.cli.game import rule_id
from tests.conformance import test_games as conformance
from tests.conformance import test_leaks_are_found as leaks
from tests.games import test_rules_texts as texts
from tests.golden import make, notices
from tests.integration.api.conftest import guest, house, rng
from tests.integration.cli.test_offline import turnlog
from tests.sixth.registered import registered
from tests.unit.bots import test_bots as bots

pytestmark = pytest.mark.single

__all__ = ["guest", "house", "rng"]
KEY = "nine-holes"
LONGEST = "abcdefghij-klmnopqrs"
FOLDERS = {KEY: "nine_holes", LONGEST: "abcdefghij_klmnopqrs"}
OWED = "__init__ content hints model rules scenario secrets sight words".split()


@pytest.fixture(scope="module")
def place(tmp_path_factory) -> Path:
    place = tmp_path_factory.mktemp("new")
    for key in FOLDERS:
        done = turnlog("game", "new", key, "--into", str(place))
        assert done.returncode == 0, done.stderr
        assert f'one line in GAMES of engine/registry.py:  "{key}",' in done.stdout
    return place


@pytest.fixture
def game(place):
    with registered(KEY, place / "engine" / "games"):
        yield registry.game(KEY)


def test_every_file_is_there(place):
    files = {path.name for path in (place / "engine/games/nine_holes").iterdir()}
    assert files == {*(f"{name}.py" for name in OWED), "data.json", "rules.md"}
    assert [path.name for path in (place / "tests/games/nine_holes/cases").iterdir()] == ["first.json"]


def test_it_is_tidy_however_long_its_name_is(place):
    for command in (("check", "--ignore", "ARG001"), ("format", "--check")):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *command, "--config", "pyproject.toml", str(place)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout


def test_it_keeps_every_promise(game):
    conformance.test_random_matches_keep_every_promise(KEY, 0)
    conformance.test_a_game_describes_itself(KEY)
    conformance.test_options_are_worth_varying(KEY)
    leaks.test_secrets_are_stated_without_a_look_at_the_view(KEY)
    texts.test_an_id_leads_to_one_place(KEY)
    assert game.words.title("cs") == "Nine Holes"


def test_its_cases_hold_and_find_their_game(game, place, capsys):
    from service.cli import main

    assert main(["cases", str(place / "tests/games/nine_holes/cases")]) == 0
    assert "4 passed, 0 failed" in capsys.readouterr().out


def test_bots_play_it_well(game):
    for name in bots.REPEATABLE:
        bots.test_hidden_facts_do_not_change_the_choice(KEY, name)


def test_golden_logs_and_letters_can_be_made(game):
    for name, played in make.logs(game):
        expected = "nothing_played" if "cancelled" in name else "valid"
        assert verify(played.lines).verdict() == expected, name
    assert "Nine Holes" in notices.text(KEY, "cs")


@pytest.mark.anyio
async def test_a_match_against_greedy_over_http(game, house, guest, rng):
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "greedy"}]
    match = await guest.open(game=KEY, seats=seats)
    assert match["labels"] == ["Roll one die", "Roll two dice"]
    over = await house.play_out(guest, match, rng)
    assert over["result"]["breakdown"][0][0]["rule"] == "NH-4"


def test_nothing_is_overwritten(place):
    model = place / "engine/games/nine_holes/model.py"
    before = model.read_bytes()
    again = turnlog("game", "new", KEY, "--into", str(place))
    assert (again.returncode, again.stdout) == (2, "")
    assert "nine_holes exists already; nothing was written" in again.stderr
    assert model.read_bytes() == before


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("machi-koro",), "there is a game 'machi-koro' already"),
        (("Nine",), "cannot be a key"),
        (("-nine",), "unrecognized|required"),
        (("../nine",), "cannot be a key"),
        (("class",), "no Python keyword"),
        (("a" * 21,), "at most 20"),
        (("nine", "--name", 'A "quoted" one'), "cannot be a name"),
    ],
)
def test_what_cannot_be_a_game_is_refused(words, why, tmp_path):
    done = turnlog("game", "new", *words, "--into", str(tmp_path))
    assert done.returncode == 2
    assert any(part in done.stderr for part in why.split("|")), done.stderr
    assert list(tmp_path.iterdir()) == []


def test_rules_have_two_letters():
    keys = ("machi-koro", "pig", "x", "go-9", "n3x")
    assert list(map(rule_id, keys)) == ["MK", "PI", "XX", "GO", "NX"]
