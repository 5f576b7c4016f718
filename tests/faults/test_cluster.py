"""A whole house on a real cluster: it plays on while a master dies, and refuses what it cannot keep."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from infra.store import keys
from tests.clusters import Cluster
from tests.faults.test_kill_roles import check_log, play_and_note
from tests.house import house

pytestmark = pytest.mark.fault
SEATS = [{"kind": "me"}, {"kind": "bot", "bot": "greedy"}]


def test_a_house_of_two_of_each_plays_on_while_a_master_dies(tmp_path: Path) -> None:
    env = {"TURNLOG_QUEUE_URL": "embedded", "TURNLOG_API": "2", "TURNLOG_RELAYS": "2"}
    with Cluster(tmp_path) as cluster, house(tmp_path / "data", TURNLOG_REDIS_URL=cluster.url, **env) as home:
        token = home.guest("Anna")
        wanted = {"game": "tides-of-time", "seats": SEATS}
        match = home.call("POST", "/api/matches", wanted, token).json
        master = cluster.master_of(keys.log(match["id"]))

        def strike(number: int) -> None:
            if number == 4:
                master.kill()

        end = play_and_note(home, token, match, strike, noted := [])
        assert len(noted) == 14
        check_log(home, end, noted)
        home.until_there_are("relay", 2)


def said(env: dict[str, str], *words: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-m", "service.cli", *words],
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        timeout=120,
    )
    return done.returncode, done.stderr


@pytest.mark.parametrize("words", [("up", "--port", "0"), ("relay",), ("worker",)])
def test_a_cluster_without_a_queue_is_refused_before_anything_starts(words: tuple[str, ...]) -> None:
    code, text = said({"TURNLOG_REDIS_URL": "redis+cluster://127.0.0.1:1"}, *words)
    assert code == 2
    assert "set TURNLOG_QUEUE_URL" in text


def test_an_invitation_holds_at_every_api(tmp_path: Path) -> None:
    """Nothing here is about the cluster: it is the second API that must know the same secret."""
    with house(tmp_path / "data", TURNLOG_API="2") as home:
        home.until_there_are("api", 2)
        token = home.guest("Anna")
        wanted = {"game": "tides-of-time", "seats": [{"kind": "me"}, {"kind": "open"}], "listed": False}
        made = home.call("POST", "/api/matches", wanted, token).json
        code = made["invite"].partition("invite=")[2]
        answers = {home.call("GET", f"/api/matches/{made['id']}?invite={code}").status for _ in range(20)}
        assert answers == {200}
