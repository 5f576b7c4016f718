"""From nothing to a first match, as the documentation says; and tables that need nobody to watch them."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.house import House, house

pytestmark = pytest.mark.fault
ROOT = Path(__file__).parents[3]
NODE = shutil.which("node")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("minute") / "data") as home:
        yield home


@contextmanager
def running(words: list[str], folder: Path, **env: str) -> Iterator[None]:
    """In a group of its own, so that a shell's children end with it."""
    process = subprocess.Popen(
        words,
        cwd=folder,
        env={**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", **env},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def ended(home: House, find: Any, patience: float) -> dict[str, Any]:
    deadline = time.monotonic() + patience
    while not (found := find()) or found["status"] != "finished":
        assert time.monotonic() < deadline, found
        time.sleep(0.2)
    match: dict[str, Any] = found
    return match


def documented(home: House) -> str:
    text = (ROOT / "docs/bots.md").read_text(encoding="utf-8")
    [block] = re.findall(r"```sh first-minute\n(.*?)```", text, re.DOTALL)
    return block.replace("http://127.0.0.1:8000", home.url)


def latest(home: House, bot: str) -> dict[str, Any] | None:
    for item in home.call("GET", "/api/matches?limit=20").json["items"]:
        if bot in [seat["bot"] for seat in item["seats"]]:
            return dict(item)
    return None


def test_the_documented_commands_play_a_match_within_a_minute(home: House, tmp_path: Path) -> None:
    began = time.monotonic()
    with running(["bash", "-e", "-c", documented(home)], tmp_path):
        match = ended(home, lambda: latest(home, "my-bot"), 60)
    assert time.monotonic() - began < 60
    assert match["game"] == "tides-of-time"
    assert home.call("GET", "/api/bots/my-bot").json["health"]["answered"] == 14
    assert "class MyBot" in (tmp_path / "my_bot.py").read_text(encoding="utf-8")


def register(home: House, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "bots.sdk", "register", *words, "--url", home.url],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
        env={**os.environ, **env},
    )


def exported(text: str) -> dict[str, str]:
    return dict(line.removeprefix("export ").split("=", 1) for line in text.splitlines())


def test_register_says_what_is_wrong(home: House) -> None:
    token = home.guest("Registrar")
    assert register(home, "taken", TURNLOG_TOKEN=token).returncode == 0
    for words, says in (
        (["taken"], "name_taken"),
        (["bad name"], "bad_name"),
        (["fine", "--games", "chess"], "unknown_game"),
        (["fine", "--delivery", "webhook"], "bad_delivery"),
        (["fine", "--token", "nonsense"], "unauthenticated"),
    ):
        answer = register(home, *words, TURNLOG_TOKEN=token)
        assert (answer.returncode, answer.stdout) == (1, "")
        assert says in answer.stderr


def test_register_without_an_owner_can_be_tried_again(home: House) -> None:
    """A mistake costs neither the name nor what was made before it."""
    for _ in range(2):
        failed = register(home, "clumsy", "--games", "chess")
        assert "unknown_game" in failed.stderr
        assert list(exported(failed.stdout)) == ["TURNLOG_TOKEN"]
    half = register(home, "clumsy", "--games", "machi-koro", "--against", "tides-of-time")
    assert half.returncode == 1
    assert "bot_cannot_play" in half.stderr
    assert list(exported(half.stdout)) == ["TURNLOG_TOKEN", "TURNLOG_BOT_TOKEN", "TURNLOG_BOT_SECRET"]
    assert register(home, "n" * 40).returncode == 0


@pytest.mark.skipif(NODE is None, reason="there is no Node on this machine")
def test_a_bot_in_javascript_plays(home: House, tmp_path: Path) -> None:
    made = exported(register(home, "js", "--against", "akropolis").stdout)
    script = ROOT / "bots/sdk/examples/bot.js"
    with running([str(NODE), str(script), home.url], tmp_path, **made):
        path = f"/api/matches/{made['TURNLOG_MATCH']}"
        ended(home, lambda: home.call("GET", path).json, 60)
    health = home.call("GET", "/api/bots/js").json["health"]
    assert health["answered"] > 5
    assert health["failures"] == 0


@pytest.mark.parametrize(("key", "names"), [("tides-of-time", "greedy random"), ("akropolis", "random " * 4)])
def test_a_table_of_bots_alone_plays_to_the_end(home: House, key: str, names: str) -> None:
    """Nobody looks, until it should be long over."""
    token = home.call(
        "POST", "/api/accounts", {"name": f"Host of {key}", "password": "a long password"}
    ).json["token"]
    seats = [{"kind": "bot", "bot": name} for name in names.split()]
    path = (
        f"/api/matches/{home.call('POST', '/api/matches', {'game': key, 'seats': seats}, token).json['id']}"
    )
    for pause in (3, 6, 12, 24, 48):
        time.sleep(pause)
        if home.call("GET", path).json["status"] == "finished":
            return
    pytest.fail("it stands still")


@pytest.mark.skipif(shutil.which("curl") is None, reason="needs curl")
@pytest.mark.parametrize("game", ["tides-of-time", "machi-koro"])
def test_a_match_with_curl_alone(home: House, game: str) -> None:
    played = subprocess.run(
        ["bash", str(ROOT / "docs/play-with-curl.sh"), game, home.url],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert played.returncode == 0, played.stdout[-400:] + played.stderr
    assert played.stdout.splitlines()[-1].startswith('"how":"played","places":[')
