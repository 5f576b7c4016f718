"""The command line without a server, as a stranger would type it."""

import json
import os
import subprocess
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from engine import registry
from engine.proof.verify import closing
from service.cli import main
from tests.golden.stories import told

pytestmark = pytest.mark.single

ROOT = Path(__file__).parents[3]


def turnlog(*words: str, data: Path | None = None) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "TURNLOG_DATA": str(data or "no-such-folder")}
    return subprocess.run(
        [sys.executable, "-m", "service.cli", *words],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=env,
        timeout=120,
        check=False,
    )


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("log") / "match.ndjson"
    done = turnlog("sim", "tides-of-time", "--seed", "3", "--log", str(path))
    assert done.returncode == 0, done.stderr
    return path


def test_games_lists_every_game() -> None:
    listed = json.loads(turnlog("games", "--json").stdout)
    assert [game["key"] for game in listed] == list(registry.GAMES)
    assert "tides-of-time: Tides of Time, 2 players" in turnlog("games").stdout


def test_sim_says_the_same_twice_and_counts_every_win() -> None:
    words = ("sim", "tides-of-time", "--bots", "greedy,random", "--games", "6", "--seed", "1", "--json")
    first, second = turnlog(*words), turnlog(*words)
    assert first.stdout == second.stdout
    report = json.loads(first.stdout)
    assert set(report) == {"game", "seats", "games", "seed", "bots", "wins", "scores", "actions", "result"}
    assert sum(report["wins"]) == 6
    assert first.stderr == ""  # no progress bar in a pipe


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (("sim", "chess"), "there is no game 'chess'"),
        (("sim", "tides-of-time", "--seats", "3"), "is for 2 to 2 players"),
        (("sim", "tides-of-time", "--bots", "greedy"), "is for 2 to 2 players"),
        (("sim", "tides-of-time", "--bots", "greedy,nobody"), "there is no bot 'nobody'"),
        (("sim", "tides-of-time", "--option", "speed=3"), "unknown field"),
        (("sim", "tides-of-time", "--option", "allow_change"), "name=value"),
        (("sim", "tides-of-time", "--games", "0"), "at least 1"),
        (("replay", "no-such-file"), "cannot read"),
        (("cases", "pyproject.toml"), "not JSON"),
        (("bench", "nothing"), "there is no benchmark"),
        (("export",), "name one match"),
        (("api",), "TURNLOG_REDIS_URL"),
        (("worker", "--queues", "x"), "there is no queue"),
        (("nonsense",), "invalid choice"),
    ],
)
def test_wrong_usage_is_said_in_a_sentence_with_exit_2(words: tuple[str, ...], part: str) -> None:
    done = turnlog(*words)
    assert done.returncode == 2, done
    assert part in done.stderr
    assert "Traceback" not in done.stderr


def test_replay_tells_the_match_in_words_and_as_json(log: Path) -> None:
    told = turnlog("replay", str(log))
    assert "Round 3:" in told.stdout
    shown = json.loads(turnlog("replay", str(log), "--at", "8", "--seat", "1", "--json").stdout)
    assert shown["seq"] == 8
    assert shown["view"]["seat"] == 1
    assert shown["view"]["players"][0]["hand"] is None
    whole = json.loads(turnlog("replay", str(log), "--json").stdout)
    assert len(whole["views"]) == 2
    assert whole["result"]["how"] == "played"
    assert "kolo" in turnlog("replay", str(log), "--lang", "cs").stdout


def test_replay_says_which_seats_and_events_there_are(log: Path) -> None:
    seat, at = turnlog("replay", str(log), "--seat", "2"), turnlog("replay", str(log), "--at", "0")
    assert (seat.returncode, at.returncode) == (2, 2)
    assert "--seat: the match has seats 0 to 1\n" in seat.stderr
    assert f"--at: the log has events 1 to {len(log.read_bytes().splitlines()) - 1}\n" in at.stderr


def test_verify_and_audit_hold_for_an_honest_log(log: Path) -> None:
    assert turnlog("verify", str(log)).returncode == 0
    audited = turnlog("audit", str(log))
    assert (audited.returncode, "same" in audited.stdout) == (0, True)


@pytest.mark.parametrize(("began", "said"), [(False, False), (True, True)])
def test_of_a_table_that_never_began_nobody_can_make_anything_up(
    tmp_path: Path, began: bool, said: bool
) -> None:
    rules, path = registry.game("tides-of-time"), tmp_path / "table.ndjson"
    played = told(rules, "late" if began else "cancelled")
    path.write_bytes(b"\n".join([*played.lines, closing(played.match), b""]))
    done = turnlog("verify", str(path))
    assert done.returncode == 0, done.stdout
    assert ("nothing was played, so there is nothing to verify" in done.stdout) is not began
    assert ("anybody may have made it up" in done.stdout) is said


DAMAGE = {
    "cut": lambda lines: lines[:-3],
    "altered": lambda lines: [*lines[:6], lines[6].replace(b'"seat":', b'"seat": '), *lines[7:]],
    "forged": lambda lines: [*lines[:6], lines[6].replace(b'"by":"', b'"by":"x'), *lines[7:]],
    "reordered": lambda lines: [*lines[:6], lines[7], lines[6], *lines[8:]],
    "foreign": lambda lines: [
        *lines[:6],
        lines[6].replace(b'"match":"sim', b'"match":"mis'),
        *lines[7:],
    ],
}


@pytest.mark.parametrize("kind", DAMAGE)
@pytest.mark.parametrize("command", ["verify", "replay", "import"])
def test_a_damaged_log_is_refused_with_its_line(command: str, kind: str, log: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.ndjson"
    bad.write_bytes(b"\n".join([*DAMAGE[kind](log.read_bytes().splitlines()), b""]))
    done = turnlog(command, str(bad), data=tmp_path / "data")
    assert done.returncode == 1, done
    assert "line " in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_every_command_explains_itself() -> None:
    listed = turnlog("--help").stdout
    for command in ("up", "api", "relay", "worker", "games", "sim", "replay", "verify", "audit", "cases",
                    "export", "import", "bench", "account", "token"):  # fmt: skip
        assert f"    {command} " in listed
        with pytest.raises(SystemExit) as ended, redirect_stdout(StringIO()) as told:
            main([command, "--help"])
        assert ended.value.code == 0
        assert len(told.getvalue()) > 150
