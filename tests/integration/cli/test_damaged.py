"""One damaged log among others: it is named and kept, the rest goes on; only its owner may read it."""

import asyncio
import json
import stat
from pathlib import Path

import pytest

from infra.embedded.bundled import Embedded
from infra.process.settings import Settings
from service.bootstrap import wire
from service.commands import tables
from service.commands.records import OpenMatch
from tests.damaging import damage
from tests.integration.cli.test_offline import turnlog

SEATS = ({"kind": "me"}, {"kind": "bot", "bot": "random"})


async def _fill(data: Path) -> tuple[list[str], list[bytes]]:
    with Embedded(data) as server:
        deps = wire(Settings(data=data), server.url)
        anna = await deps.accounts.create("Anna")
        wanted = OpenMatch(who=f"account:{anna.id}", game="tides-of-time", seats=SEATS)
        matches = [(await tables.open_match(deps, wanted)).id for _ in range(3)]
        lines = await damage(deps, matches[1], 2)
        await deps.close()
        return matches, lines


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    data = tmp_path_factory.mktemp("damaged") / "data"
    matches, lines = asyncio.run(_fill(data))
    return data, matches, lines


@pytest.fixture(scope="module")
def backup(filled, tmp_path_factory):
    out = tmp_path_factory.mktemp("backup") / "out"
    return turnlog("export", "--all", str(out), data=filled[0]), out


def test_the_rest_and_the_accounts_are_exported_and_the_damaged_one_is_named(filled, backup):
    (_, matches, lines), (done, out) = filled, backup
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert f"match {matches[1]} is damaged at event 2" in done.stdout
    assert "2 matches and the accounts written" in done.stdout
    good = [matches[0], matches[2]]
    names = {"accounts.ndjson", "keys.json", f"{matches[1]}.damaged.ndjson"}
    names |= {f"{match}.ndjson" for match in good}
    assert {path.name for path in out.iterdir()} == names
    *kept, end = (out / f"{matches[1]}.damaged.ndjson").read_bytes().splitlines()
    assert kept == lines  # byte by byte
    assert json.loads(end)["damaged"] == 2


def test_nobody_else_may_read_them(backup):
    _, out = backup
    assert stat.S_IMODE(out.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in out.iterdir()} == {0o600}


def test_one_match_alone_is_private_too(filled, tmp_path):
    data, matches, _ = filled
    file = tmp_path / "one.ndjson"
    file.write_text("older")
    file.chmod(0o644)
    assert turnlog("export", matches[0], "-o", str(file), data=data).returncode == 0
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_the_backup_comes_back_without_it(filled, backup, tmp_path):
    (_, matches, _), (_, out) = filled, backup
    done = turnlog("import", *map(str, sorted(out.iterdir())), data=tmp_path / "other")
    assert done.returncode == 1
    assert f"{matches[1]}.damaged.ndjson: " in done.stdout
    assert done.stdout.count("imported") == 2
    assert "records of accounts restored" in done.stdout


def test_audit_goes_on(filled, backup):
    (data, matches, _), (_, out) = filled, backup
    stored = turnlog("audit", data=data)
    files = turnlog("audit", *(str(path) for path in sorted(out.glob("*.ndjson")) if "acc" not in path.name))
    for done in (stored, files):
        assert done.returncode == 1
        assert "3 logs" in done.stdout
        assert done.stdout.count(": same") == 2
        assert "broken at" in done.stdout
    assert f"{matches[1]}: broken at 2" in stored.stdout
