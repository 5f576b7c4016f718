"""Commands on a store: export, import, audit and the operator's tools, on a data directory of their own."""

import asyncio
import json
from pathlib import Path

import pytest

from engine.identity import of_account
from infra.embedded.bundled import Embedded
from infra.process.settings import Settings
from infra.store.parked import Parked
from service.bootstrap import wire
from service.bots import registration
from service.commands import actions, tables
from service.commands.records import Act, OpenMatch
from service.views.summary import summary
from tests.integration.cli.test_offline import turnlog

BOT = {
    "games": ["tides-of-time"],
    "delivery": {"kind": "stream"},
    "capacity": 1,
    "seating": {"who": "me", "accounts": []},
    "sandbox": False,
}


async def _fill(data: Path) -> str:
    """A running match of two people, three actions old."""
    with Embedded(data) as server:
        deps = wire(Settings(data=data), server.url)
        people = [await deps.accounts.create(name) for name in ("Anna", "Bert")]
        anna, bert = (f"account:{person.id}" for person in people)
        wanted = OpenMatch(who=anna, game="tides-of-time", seats=({"kind": "me"}, {"kind": "open"}))
        match = await tables.open_match(deps, wanted)
        from service.commands.records import Sit

        match = await tables.sit(deps, Sit(who=bert, match=match.id, seat=1))
        for seat, who in ((0, anna), (1, bert), (0, anna)):
            card = match.state.players[seat].hand[0]
            action = {"type": "play", "card": card}
            match = await actions.act(deps, Act(who=who, match=match.id, seq=match.seq, action=action))
        await deps.close()
        return match.id


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    data = tmp_path_factory.mktemp("stored") / "data"
    return data, asyncio.run(_fill(data))


def test_a_match_goes_out_and_in_again(filled: tuple[Path, str], tmp_path: Path) -> None:
    data, ident = filled
    out = tmp_path / "out"
    done = turnlog("export", "--all", str(out), data=data)
    assert "1 matches and the accounts written" in done.stdout, done
    file = out / f"{ident}.ndjson"
    assert turnlog("export", ident, data=data).stdout.encode() == file.read_bytes()
    other = tmp_path / "other"
    done = turnlog("import", str(file), str(out / "accounts.ndjson"), data=other)
    assert done.returncode == 0, done
    assert "events of match" in done.stdout
    again = turnlog("import", str(file), data=other)
    assert "is here already" in again.stdout
    assert "Anna" in turnlog("account", "list", data=other).stdout


CUT = b"*5\r\n$4\r\nXADD\r\n$15\r\ntl:{40}:m:m:log\r\n$3\r\n1-0\r\n$1\r\ne\r\n$9"


def test_a_command_says_what_the_store_lost_and_else_nothing(tmp_path: Path) -> None:
    data = tmp_path / "data"
    quiet = turnlog("account", "list", data=data)
    assert (quiet.returncode, quiet.stderr) == (0, "")
    (file,) = (data / "store/appendonlydir").glob("*.incr.aof")
    with file.open("ab") as out:
        out.write(CUT)
    told = turnlog("account", "list", data=data)
    assert told.returncode == 0
    assert "is damaged at its end: 54 bytes cannot be read (match m event 1)" in told.stderr


def test_an_imported_running_match_goes_on_under_a_new_seal(filled: tuple[Path, str], tmp_path: Path) -> None:
    data, ident = filled
    file = tmp_path / "m.ndjson"
    turnlog("export", ident, "-o", str(file), data=data)
    turnlog("import", str(file), data=tmp_path / "other")
    log = turnlog("export", ident, data=tmp_path / "other").stdout.splitlines()
    forked = json.loads(log[-2])
    assert forked["kind"] == "forked"
    assert forked["seal"] != json.loads(log[0])["seal"]
    (tmp_path / "again.ndjson").write_text("\n".join([*log, ""]), encoding="utf-8")
    assert turnlog("verify", str(tmp_path / "again.ndjson")).returncode == 0


def test_another_match_under_the_same_id_is_refused(filled: tuple[Path, str], tmp_path: Path) -> None:
    data, ident = filled
    file = tmp_path / "m.ndjson"
    turnlog("export", ident, "-o", str(file), data=data)
    other = tmp_path / "other"
    turnlog("import", str(file), data=other)
    lines = file.read_bytes().splitlines()[:-2]
    from engine.log import load
    from engine.proof.verify import closing

    file.write_bytes(b"\n".join([*lines, closing(load(lines)), b""]))
    done = turnlog("import", str(file), data=other)
    assert done.returncode in (0, 1)
    longer = turnlog("export", ident, data=other).stdout
    assert longer.count("\n") >= len(lines) + 1


def test_stored_matches_are_audited(filled: tuple[Path, str]) -> None:
    done = turnlog("audit", data=filled[0])
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "1 logs")


def test_the_operator_resets_a_password_and_handles_tokens(filled: tuple[Path, str]) -> None:
    data, _ = filled
    assert "new password: " in turnlog("account", "reset", "Anna", data=data).stdout
    ident = turnlog("token", "issue", "Anna", "--label", "test", data=data).stdout.split()[0]
    assert ident in turnlog("token", "list", "Anna", data=data).stdout
    assert turnlog("token", "revoke", "Anna", ident, data=data).stdout == "revoked\n"
    assert turnlog("token", "revoke", "Anna", ident, data=data).returncode == 2
    assert turnlog("account", "reset", "Nobody", data=data).returncode == 2


def test_a_deleted_account_leaves_no_seat_and_no_bot_behind(tmp_path: Path) -> None:
    """As much as its owner's own deletion does: nobody waits at a table for somebody who is gone."""
    data = tmp_path / "data"
    ident = asyncio.run(_fill(data))

    async def listed_with_a_bot() -> str:
        with Embedded(data) as server:
            deps = wire(Settings(data=data), server.url)
            anna = await deps.accounts.find("Anna")
            assert anna is not None
            wanted = OpenMatch(
                who=of_account(anna.id), game="tides-of-time", seats=({"kind": "me"}, {"kind": "open"})
            )
            waiting = await tables.open_match(deps, wanted)
            for match in (ident, waiting.id):
                await deps.readmodel.put(summary(await deps.matches.now(match)))
            await registration.register(deps, anna, "anna-bot", BOT)
            await deps.close()
            return waiting.id

    waiting = asyncio.run(listed_with_a_bot())
    assert turnlog("account", "delete", "Anna", data=data).returncode == 0
    assert "anna" not in turnlog("account", "list", data=data).stdout.lower()
    assert '"kind":"handed_over"' in turnlog("export", ident, data=data).stdout
    assert '"kind":"cancelled"' in turnlog("export", waiting, data=data).stdout


def test_an_unknown_match_is_said(filled: tuple[Path, str]) -> None:
    done = turnlog("export", "nothing", data=filled[0])
    assert (done.returncode, "Traceback" in done.stderr) == (1, False)


def test_parked_matches_are_listed_and_tried_again(tmp_path: Path) -> None:
    async def park() -> None:
        with Embedded(tmp_path) as server:
            deps = wire(Settings(data=tmp_path), server.url)
            await Parked(deps.client).park("m1", "follow", ("BadLog", "line 3: the hash does not match"))
            await deps.close()

    assert turnlog("parked", "--data", str(tmp_path)).returncode == 0
    asyncio.run(park())
    listed = turnlog("parked", "--data", str(tmp_path))
    assert listed.returncode == 1
    assert "m1  follow  since" in listed.stdout
    assert "BadLog: line 3: the hash does not match" in listed.stdout
    assert json.loads(turnlog("parked", "--json", "--data", str(tmp_path)).stdout)[0]["tries"] == 1
    assert turnlog("parked", "--again", "m1", "--data", str(tmp_path)).returncode == 0
    again = json.loads(turnlog("parked", "--json", "--data", str(tmp_path)).stdout)
    assert [stuck["match"] for stuck in again] == ["m1"]
    assert turnlog("parked", "--again", "m2", "--data", str(tmp_path)).returncode == 2


def _seats(log: str) -> list[str]:
    from engine.log import load

    chairs = load([line.encode() for line in log.splitlines()[:-1]]).chairs
    return [chair.holder.id if chair.holder else "" for chair in chairs]


def test_a_restored_backup_evicts_nobody(filled: tuple[Path, str], tmp_path: Path) -> None:
    data, ident = filled
    turnlog("export", "--all", str(tmp_path / "out"), data=data)
    files = sorted(map(str, (tmp_path / "out").iterdir()), key=lambda path: "accounts" in path)
    done = turnlog("import", *files, data=tmp_path / "other")
    assert done.returncode == 0, done
    before, after = (turnlog("export", ident, data=where).stdout for where in (data, tmp_path / "other"))
    forked = json.loads(after.splitlines()[-2])
    assert (forked["kind"], forked["kept"]) == ("forked", True)
    assert forked["seal"] != json.loads(before.splitlines()[0])["seal"]
    assert _seats(after) == _seats(before)
    assert "" not in _seats(after)
    assert (
        turnlog("keys", "list", data=tmp_path / "other").stdout == turnlog("keys", "list", data=data).stdout
    )
    (tmp_path / "again.ndjson").write_text(after, encoding="utf-8")
    assert turnlog("verify", str(tmp_path / "again.ndjson")).returncode == 0


def test_an_old_backup_that_nobody_signed_evicts_nobody(filled: tuple[Path, str], tmp_path: Path) -> None:
    data, ident = filled
    turnlog("export", "--all", str(tmp_path), data=data)
    log = tmp_path / f"{ident}.ndjson"
    *lines, end = log.read_bytes().splitlines()
    bare = {name: value for name, value in json.loads(end).items() if name in ("end", "head")}
    log.write_bytes(b"\n".join([*lines, json.dumps(bare, separators=(",", ":")).encode(), b""]))
    assert turnlog("import", str(log), str(tmp_path / "accounts.ndjson"), data=tmp_path / "a").returncode == 0
    assert "" not in _seats(turnlog("export", ident, data=tmp_path / "a").stdout)
    assert turnlog("import", str(log), data=tmp_path / "b").returncode == 0
    assert _seats(turnlog("export", ident, data=tmp_path / "b").stdout) == ["", ""]


def test_who_signed_a_log_can_be_told_offline(filled: tuple[Path, str], tmp_path: Path) -> None:
    data, ident = filled
    turnlog("export", "--all", str(tmp_path / "out"), data=data)
    log, keys = tmp_path / "out" / f"{ident}.ndjson", tmp_path / "out" / "keys.json"
    assert "signed by the server of these keys" in turnlog("verify", str(log)).stdout
    assert keys.read_text(encoding="utf-8") == turnlog("keys", "show", data=data).stdout
    assert "secret" not in keys.read_text(encoding="utf-8")
    moved = tmp_path / "moved.ndjson"
    moved.write_bytes(log.read_bytes())
    assert "not known here" in turnlog("verify", str(moved)).stdout
    assert "signed by the server" in turnlog("verify", str(moved), "--keys", str(keys)).stdout
    assert "signed by the server" in turnlog("verify", str(moved), "--data", str(data)).stdout
    signature = json.loads(log.read_bytes().splitlines()[-1])["signature"]
    moved.write_bytes(log.read_bytes().replace(signature.encode(), signature[::-1].encode()))
    done = turnlog("verify", str(moved), "--keys", str(keys))
    assert (done.returncode, "bad_signature" in done.stdout) == (1, True)
    assert turnlog("verify", str(moved), "--keys", str(log)).returncode == 2


def test_a_server_is_trusted_by_its_keys(filled: tuple[Path, str], tmp_path: Path) -> None:
    data, ident = filled
    turnlog("export", "--all", str(tmp_path / "out"), data=data)
    log, keys = tmp_path / "out" / f"{ident}.ndjson", tmp_path / "out" / "keys.json"
    other = tmp_path / "other"
    assert "Lodge is trusted, 1 keys" in turnlog("trust", "add", "Lodge", str(keys), data=other).stdout
    assert turnlog("trust", "list", data=other).stdout.startswith("Lodge  ")
    turnlog("account", "add", "Cyril", data=other)
    assert turnlog("import", str(log), "--for", "Nobody", data=other).returncode == 2
    assert turnlog("import", str(log), "--for", "Cyril", data=other).returncode == 0
    assert "signed by Lodge" in turnlog("verify", str(log), "--data", str(other)).stdout
    assert _seats(turnlog("export", ident, data=other).stdout) == ["", ""]
    assert "no longer" in turnlog("trust", "remove", "Lodge", data=other).stdout
    assert turnlog("trust", "remove", "Lodge", data=other).returncode == 2
    assert "signs from now on" in turnlog("keys", "rotate", data=other).stdout


def test_a_stolen_key_is_revoked(filled: tuple[Path, str], tmp_path: Path) -> None:
    data, ident = filled
    turnlog("export", ident, "-o", str(tmp_path / "then.ndjson"), data=data)
    stolen = turnlog("keys", "list", data=data).stdout.split()[0]
    assert turnlog("keys", "revoke", "0" * 32, data=data).returncode == 2
    assert f"{stolen} is revoked" in turnlog("keys", "revoke", stolen, data=data).stdout
    assert turnlog("keys", "list", data=data).stdout.splitlines()[0].endswith("  revoked")
    then = turnlog("verify", str(tmp_path / "then.ndjson"), "--data", str(data))
    assert (then.returncode, "which its server has revoked" in then.stdout) == (0, True)
    turnlog("export", ident, "-o", str(tmp_path / "now.ndjson"), data=data)
    now = turnlog("verify", str(tmp_path / "now.ndjson"), "--data", str(data))
    assert "signed by the server of these keys" in now.stdout
    (tmp_path / "keys.json").write_text(turnlog("keys", "show", data=data).stdout, encoding="utf-8")
    trusted = turnlog("trust", "add", "Lodge", str(tmp_path / "keys.json"), data=tmp_path / "other")
    assert "Lodge is trusted, 1 keys" in trusted.stdout
