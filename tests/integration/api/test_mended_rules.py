"""A house whose rules were mended: earlier logs come back by their signature, and are not called forged."""

import argparse
import json

import pytest

from engine.proof.verify import audit, read
from service.cli import logs
from service.commands.checking import Checkers
from service.commands.examine import examine
from tests.mended import WHAT, mend

pytestmark = pytest.mark.anyio


@pytest.fixture
async def log(house, guest, rng):
    match = await house.play_out(guest, await guest.open(game="tides-of-time"), rng)
    return (await guest.get(f"/api/matches/{match['id']}/log")).content


@pytest.fixture(autouse=True)
def here(monkeypatch):
    """Logs are judged in this process: another one would not have the mended rules."""

    async def examined(self, data, signed):
        return examine(data, signed)

    monkeypatch.setattr(Checkers, "_examined", examined)


async def emptied(house):
    await house.deps.client.flushall()
    house.deps.matches._kept.clear()


async def test_a_backup_from_before_a_fix_is_restored_after_it(house, log, monkeypatch):
    names = [name async for name in house.deps.client.scan_iter(match="tl:{signing}:*")]
    kept = [await house.deps.client.dump(name) for name in names]
    match, lines = read(log)
    mend(monkeypatch)
    await emptied(house)
    for key, value in zip(names, kept, strict=True):  # as a backup brings them
        await house.deps.client.restore(key, 0, value)
    answer = await (await house.guest()).ask("POST", "/api/import", content=log)
    assert answer.status_code == 201, answer.text
    assert answer.json()["status"] == "finished"
    assert await house.deps.store.read(match.id) == list(lines)
    assert audit(lines).verdict == "differs"


async def test_without_a_signature_it_cannot_be_checked(house, log, monkeypatch):
    mend(monkeypatch)
    await emptied(house)
    other = await house.guest()
    answer = await other.ask("POST", "/api/import", content=log)
    assert (answer.status_code, answer.json()["code"]) == (400, "other_rules")


async def test_the_page_is_told_that_rules_have_changed(house, log, monkeypatch):
    ident = json.loads(log.splitlines()[0])["match"]
    mend(monkeypatch)
    found = (await house.nobody.get(f"/api/matches/{ident}/verify")).json()
    assert (found["verdict"], found["holds"]) == ("earlier_rules", True)  # this server signed it
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
async def test_the_command_line_says_so(house, log, monkeypatch, tmp_path, capsys, signed, code, said):
    path = tmp_path / "match.ndjson"
    path.write_bytes(log)
    if signed:
        (tmp_path / "keys.json").write_bytes((await house.nobody.get("/api/keys")).content)
    mend(monkeypatch)
    args = argparse.Namespace(logs=[str(path)], json=False, keys=None, data=None)
    assert logs.verify_logs(args) == code
    assert said in capsys.readouterr().out
    args.json = True
    assert logs.verify_logs(args) == code
    shown = json.loads(capsys.readouterr().out)
    assert (shown["verdict"], shown["holds"]) == ("earlier_rules" if signed else "cannot_be_checked", signed)
    assert (shown["revision"], shown["known"]) == (1, 2)
