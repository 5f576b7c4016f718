"""Archive, backup and restore from the command line, on real houses and data directories."""

import json
import os
import signal
import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.golden.test_golden import LOGS
from tests.house import House, house, play
from tests.integration.cli.test_offline import ROOT, turnlog

SEATS = [{"kind": "me"}, {"kind": "bot", "bot": "random"}]
PEOPLE = {
    "game": "machi-koro",
    "seats": [{"kind": "me"}, {"kind": "open"}],
    "clock": {"kind": "per_move", "seconds": 86400},
}
TIDES = {"game": "tides-of-time", "seats": SEATS}
PASSWORD = "a good password"
AT = "http://house.example"  # links name it, wherever the house is
pytestmark = pytest.mark.single  # about a data directory


def test_a_house_that_runs_is_saved_and_goes_on_elsewhere(tmp_path: Path) -> None:
    here, there, folder = tmp_path / "here", tmp_path / "there", str(tmp_path / "backup")
    with house(here, TURNLOG_PUBLIC_URL=AT) as one:
        anna, bert = one.guest("Anna", password=PASSWORD), one.guest("Bert")
        over = play(one, anna, one.call("POST", "/api/matches", TIDES, anna).json)
        running = one.call("POST", "/api/matches", PEOPLE, anna).json
        one.call("POST", f"/api/matches/{running['id']}/seats", {}, bert)
        one.call("POST", f"/api/matches/{running['id']}/chat", {"text": "hello"}, anna)
        done = turnlog("archive", "run", "--all", data=here)
        assert "1 matches archived, 0 stay" in done.stdout, done
        status = turnlog("archive", "status", data=here).stdout
        assert f"archive      {here / 'archive'}" in status
        assert "1 in 1 segments" in status
        doctor = turnlog("doctor", data=here).stdout
        assert f"ok  archive     {here / 'archive'}: 1 matches, 0 that are over" in doctor, doctor
        segment = next((here / "archive").glob("*/*"))
        segment.rename(tmp_path / "away")
        assert "--  archive" in turnlog("doctor", data=here).stdout
        (tmp_path / "away").rename(segment)
        table = f"/api/matches/{running['id']}"
        paths = [table, f"{table}/chat", f"/api/matches/{over['id']}/log"]
        before = [one.call("GET", path, token=token).body for path in paths for token in (anna, bert)]
        saved = turnlog("backup", folder, data=here)
        assert saved.returncode == 0, saved
    refused = turnlog("restore", folder, data=here)
    assert (refused.returncode, "empty" in refused.stderr) == (1, True), refused
    back = turnlog("restore", folder, data=there)
    assert back.returncode == 0, back
    assert saved.stdout.splitlines()[1] in back.stdout, "the digest is the same"
    with house(there, TURNLOG_PUBLIC_URL=AT) as other:
        after = [other.call("GET", path, token=token).body for path in paths for token in (anna, bert)]
        assert after == before
        view = other.call("GET", f"/api/matches/{running['id']}", token=anna).json
        who = (anna, bert)[view["to_act"][0]]
        mine = other.call("GET", f"/api/matches/{running['id']}", token=who).json
        body = {"seq": mine["seq"], "action": mine["legal"][0]}
        assert other.call("POST", f"/api/matches/{running['id']}/actions", body, who, "on").status == 200
        assert other.call("POST", "/api/sessions", {"name": "Anna", "password": PASSWORD}).status == 201


def _imported(data: Path) -> list[str]:
    done = turnlog("import", *map(str, LOGS[:12]), data=data)
    assert done.returncode == 0, done
    return sorted(line.split("match ")[1].split(" ")[0] for line in done.stdout.splitlines())


def test_a_killed_archivist_loses_nothing(tmp_path: Path) -> None:
    """Killed after ever longer moments: each time all logs can be read, and in the end all have moved."""
    data, folder = tmp_path / "data", tmp_path / "out"
    matches = _imported(data)
    turnlog("export", "--all", str(folder), data=data)
    (folder / "accounts.ndjson").unlink()
    before = {path.name: path.read_bytes() for path in folder.glob("*.ndjson")}
    assert sorted(before) == [f"{match}.ndjson" for match in matches]
    env = {**os.environ, "TURNLOG_DATA": str(data)}
    with house(data):  # else each command would start the store first
        for number in range(6):
            command = [sys.executable, "-m", "service.cli", "archive", "run", "--all"]
            process = subprocess.Popen(command, cwd=ROOT, env=env, stderr=subprocess.DEVNULL)
            time.sleep(0.4 + 0.15 * number)
            process.send_signal(signal.SIGKILL)
            process.wait()
            turnlog("export", "--all", str(tmp_path / f"out{number}"), data=data)
            after = {name: (tmp_path / f"out{number}" / name).read_bytes() for name in before}
            assert after == before
    turnlog("archive", "run", "--all", data=data)
    assert "12 in " in turnlog("archive", "status", data=data).stdout
    done = turnlog("audit", data=data)
    assert done.stdout.count(": same") == len(matches), done


def test_folders_and_streams_are_imported(tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    for path in LOGS[:3]:
        (folder / f"{path.parent.name}-{path.name}").write_bytes(path.read_bytes())
    done = turnlog("import", str(folder), data=tmp_path / "a")
    assert (done.returncode, done.stdout.count("imported")) == (0, 3), done
    stream = b"".join(path.read_bytes() for path in LOGS[:3])
    for data, text, code, imported in (("b", stream, 0, 3), ("c", stream[:-200], 1, 2)):
        env = {**os.environ, "TURNLOG_DATA": str(tmp_path / data)}
        command = [sys.executable, "-m", "service.cli", "import", "-"]
        read = subprocess.run(command, input=text, capture_output=True, cwd=ROOT, env=env, check=False)
        assert (read.returncode, read.stdout.count(b"imported")) == (code, imported), read
    (tmp_path / "empty").mkdir()
    assert turnlog("import", str(tmp_path / "empty"), data=tmp_path / "a").returncode == 2


def test_proofs_come_from_the_command_line_too(tmp_path: Path) -> None:
    data = tmp_path / "data"
    match = _imported(data)[0]
    assert turnlog("archive", "prove", match, data=data).returncode == 1, "not archived yet"
    done = turnlog("archive", "run", "--all", data=data)
    assert "12 matches archived" in done.stdout, done
    refused = turnlog("archive", "prove", match, data=data)
    assert "when the month is over" in refused.stderr
    assert json.loads(turnlog("archive", "roots", data=data).stdout) == {"items": []}
    assert turnlog("archive", "check", str(tmp_path / "nothing"), data=data).returncode == 2


def test_the_version_is_told() -> None:
    assert turnlog("--version").stdout.strip() == f"turnlog {version('turnlog')}"


def _figures(one: House) -> dict[tuple[str, str], float]:
    """By name and role, over all labels and processes."""
    found: dict[tuple[str, str], float] = {}
    for family in text_string_to_metric_families(one.call("GET", "/metrics").body.decode()):
        for sample in family.samples:
            key = sample.name, sample.labels.get("role", "")
            found[key] = found.get(key, 0.0) + sample.value
    return found


def test_one_scrape_has_the_figures_of_every_role(tmp_path: Path) -> None:
    roles = {"api", "relay", "worker", "heavy", "notifier", "caller"}
    with house(tmp_path / "data") as one:
        token = one.guest("Anna", password=PASSWORD)
        play(one, token, one.call("POST", "/api/matches", TIDES, token).json)
        deadline = time.monotonic() + 60
        while True:
            found = _figures(one)
            told = {role for name, role in found if name == "process_resident_memory_bytes"}
            if told == roles and found.get(("turnlog_bot_turns_total", "worker"), 0) > 0:
                break
            assert time.monotonic() < deadline, (told, found)
            time.sleep(0.5)
        assert found["turnlog_jobs_total", "worker"] > 0
        assert found["turnlog_job_seconds_count", "worker"] > 0
        assert found["turnlog_appends_total", "worker"] > 0, "the bot's own appends"
        assert found["turnlog_http_requests_total", "api"] > 0
        assert all(found["turnlog_role_processes", role] == 1 for role in roles)
