"""A house whose rules were mended: earlier logs come back by their signature, and are not called forged."""

import argparse
import json

import pytest

from engine.verify import audit
from service import handlers
from service.api import imports
from service.cli import logs
from service.errors import Problem
from tests.mended import WHAT, mend

pytestmark = pytest.mark.anyio


@pytest.fixture
async def log(house, guest, rng):
    match = await house.play_out(guest, await guest.open(game="tides-of-time"), rng)
    return (await guest.get(f"/api/matches/{match['id']}/log")).content


async def emptied(house):
    await house.deps.client.flushall()
    house.deps.matches._kept.clear()


async def test_a_backup_from_before_a_fix_is_restored_after_it(house, log, monkeypatch):
    mend(monkeypatch)
    await emptied(house)
    match, lines = imports.check(log, signed=True)
    stored, new = await handlers.import_log(house.deps, match, lines)
    assert (new, stored.status, stored.result) == (True, "finished", match.result)
    assert await house.deps.store.read(match.id) == list(lines)
    assert audit(lines).verdict == "differs"


async def test_without_a_signature_it_cannot_be_checked(house, log, monkeypatch):
    mend(monkeypatch)
    await emptied(house)
    other = await house.guest()
    answer = await other.ask("POST", "/api/import", content=log)
    assert (answer.status_code, answer.json()["code"]) == (400, "other_rules")
    with pytest.raises(Problem):
        imports.check(log)


async def test_the_page_is_told_that_rules_have_changed(house, log, monkeypatch):
    ident = json.loads(log.splitlines()[0])["match"]
    mend(monkeypatch)
    found = (await house.nobody.get(f"/api/matches/{ident}/verify")).json()
    assert (found["verdict"], found["holds"]) == ("cannot_be_checked", False)
    assert {check["what"] for check in found["checks"] if not check["holds"]} <= {
        "draws",
        "decisions",
        "result",
    }


@pytest.mark.parametrize(
    ("signed", "code", "said"),
    [
        (True, 0, f"valid; decided under earlier rules (revision 1 of 2; since then: {WHAT})"),
        (False, 1, "cannot be checked: "),
    ],
)
async def test_the_command_line_says_so(log, monkeypatch, tmp_path, capsys, signed, code, said):
    path = tmp_path / "match.ndjson"
    path.write_bytes(log)
    mend(monkeypatch)
    monkeypatch.setattr(logs, "is_signed", lambda _: signed)
    args = argparse.Namespace(logs=[str(path)], json=False)
    assert logs.verify_logs(args) == code
    assert said in capsys.readouterr().out
    args.json = True
    assert logs.verify_logs(args) == code
    shown = json.loads(capsys.readouterr().out)
    assert (shown["verdict"], shown["holds"]) == ("earlier_rules" if signed else "cannot_be_checked", signed)
    assert (shown["revision"], shown["known"]) == (1, 2)
