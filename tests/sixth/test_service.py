"""The sixth game over HTTP and on the command line: nobody there has been told of it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from engine import registry
from tests.integration.api import test_games as catalogue
from tests.integration.api import test_logs as logs
from tests.integration.api import test_openapi as openapi
from tests.integration.api import test_pages as pages
from tests.integration.cli import test_offline as cli
from tests.respelt import closed, respelt
from tests.sixth.golden import EARLIER
from tests.sixth.registered import KEY

pytestmark = pytest.mark.anyio
ROOT = Path(__file__).parents[2]
CZECH = {"Accept-Language": "cs"}
SEATS = [{"kind": "me"}, {"kind": "bot", "bot": "greedy"}]


@pytest.fixture
def elsewhere(monkeypatch):
    """Other processes know it too: Python reads `sitecustomize` before anything else."""
    site = ROOT / "tests" / "sixth" / "site"
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(map(str, (site, ROOT))))


async def test_the_catalogue_has_it(house, sixth):
    await catalogue.test_every_game_is_there(house)
    await catalogue.test_one_game_reads_as_in_the_list(house, sixth)
    await catalogue.test_names_are_said_in_both_languages(house, sixth)


async def test_every_variant_opens(guest, sixth):
    await catalogue.test_every_variant_of_a_game_opens(guest, sixth)


async def test_openapi_has_its_types(house):
    document = (await house.nobody.get("/api/openapi.json")).json()
    await openapi.test_every_games_actions_are_in_it(document)
    await openapi.test_every_reference_leads_somewhere(document)
    schemas = document["components"]["schemas"]
    assert {"pig.Roll", "pig.Hold", "pig.view", "pig.options"} <= set(schemas)


async def test_without_a_board_and_czech_it_has_a_page_in_english(house):
    await pages.test_every_game_brings_its_rules_and_components(house, KEY)
    await pages.test_boards_of_their_own_are_told(house)
    assert KEY not in (await house.nobody.get("/static/boards.json")).json()


async def test_a_match_is_played_read_and_verified(house, guest, rng):
    match = await guest.open(game=KEY, seats=SEATS)
    assert match["labels"] == ["Roll"]
    refused = await guest.act(match, {"type": "hold"})
    assert (refused.status_code, refused.json()["reason"]) == (422, "nothing_to_hold")
    body = {"seq": match["seq"], "action": {"type": "hold"}}
    answer = await guest.post(f"/api/matches/{match['id']}/actions", body, headers=CZECH)
    assert answer.json()["detail"] == "There is nothing to hold yet: roll first."  # there is no Czech
    over = await house.play_out(guest, match, rng)
    assert over["result"]["breakdown"][0][0]["text"] == "Banked"
    path = f"/api/matches/{match['id']}"
    told = (await guest.get(f"{path}/events?text=1", headers=CZECH)).text
    assert "rolls" in told
    views = (await guest.get(f"{path}/views")).text.splitlines()
    assert json.loads(views[-1])["view"]["banked"] == over["result"]["scores"]
    verified = await guest.get(f"{path}/verify")
    assert verified.json()["holds"], verified.text


async def test_options_that_are_impossible_are_refused(guest):
    answer = await guest.post("/api/matches", {"game": KEY, "seats": SEATS, "options": {"goal": 0}})
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_options")


async def test_its_logs_are_imported_the_old_ones_too(guest, sixth, elsewhere):
    await logs.test_a_log_of_every_game_is_imported(guest, sixth)
    answer = await guest.ask("POST", "/api/import", content=(EARLIER / "version-1.ndjson").read_bytes())
    assert answer.status_code == 201, answer.text
    assert answer.json()["version"] == 1


def unknown(version=9):
    lines = (EARLIER / "version-1.ndjson").read_bytes().splitlines()[:-1]
    return closed(respelt(lines, lambda e: e | ({"version": version} if e["seq"] == 1 else {})))


async def test_a_log_of_an_unknown_version_is_refused_in_both_languages(guest, elsewhere):
    for headers, said in (({}, "A newer Turnlog can read it."), (CZECH, "Přečte ho novější Turnlog.")):
        answer = await guest.ask("POST", "/api/import", content=unknown(), headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (409, "unknown_version")
        assert answer.json()["line"] == 1
        assert said in answer.json()["detail"]


async def test_a_stored_match_of_a_newer_server_is_refused_and_the_others_go_on(house, guest):
    lines = unknown().splitlines()[:-1]
    ident = json.loads(lines[0])["match"]
    await house.deps.store.append(ident, 0, lines)
    answer = await guest.get(f"/api/matches/{ident}")
    assert (answer.status_code, answer.json()["code"]) == (409, "unknown_version")
    assert (await guest.open(game=KEY, seats=SEATS))["status"] == "running"


def test_the_command_line_knows_it(elsewhere, tmp_path):
    assert "pig: Pig, 2 to 4 players, rules version 2" in cli.turnlog("games").stdout
    assert "3 passed, 0 failed" in cli.turnlog("cases", "tests/sixth/pig/cases").stdout
    log = tmp_path / "match.ndjson"
    words = ("--bots", "greedy,search:24", "--games", "3", "--seed", "1", "--log", str(log))
    assert cli.turnlog("sim", KEY, *words).returncode == 0
    told = cli.turnlog("replay", str(log), "--lang", "cs").stdout
    assert told.startswith("Pig, match ")
    assert "banks" in told
    assert cli.turnlog("verify", str(log)).returncode == 0


def test_the_command_line_refuses_what_it_does_not_know(elsewhere, tmp_path):
    (tmp_path / "new.ndjson").write_bytes(unknown())
    for command in ("verify", "import"):
        done = cli.turnlog(command, str(tmp_path / "new.ndjson"), data=tmp_path / "data")
        assert done.returncode == 1
        assert "unknown_version: line 1: version 9 of the rules of 'pig'" in done.stdout
    replayed = cli.turnlog("replay", str(tmp_path / "new.ndjson"))
    assert (replayed.returncode, replayed.stdout) == (1, "")
    assert "version 9 of the rules of 'pig' is not known here" in replayed.stderr
    assert "unknown_version at 1" in cli.turnlog("audit", str(tmp_path / "new.ndjson")).stdout


def test_bots_of_an_earlier_version_use_its_own_hints():
    hints = registry.part(KEY, "hints", 1)
    assert hints.__name__ == "engine.games.pig.v1.hints"
    assert registry.part(KEY, "hints", 2) is registry.part(KEY, "hints")
