"""kill -9 of every role in the middle of play: nothing acknowledged is lost, nothing happens twice."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from engine import registry
from engine.proof.verify import read, verify
from tests.house import House, house, play

pytestmark = pytest.mark.fault
ROLES = ("api", "relay", "worker", "store")


@pytest.mark.parametrize("game", registry.GAMES)
def test_killed_roles_lose_nothing(game: str, tmp_path: Path) -> None:
    """Every game, and in the middle of each match every role once; some of them while others come back."""
    with house(tmp_path / "data") as home:
        token = home.guest("Anna", password="a good password")  # so that the result counts
        seats = [{"kind": "me"}, {"kind": "bot", "bot": "greedy"}]
        match = home.call("POST", "/api/matches", {"game": game, "seats": seats}, token).json
        acknowledged: list[tuple[int, Any]] = []
        turn = list(registry.GAMES).index(game)  # another order in every game
        victims = dict(zip((1, 2, 3, 4), ROLES[turn % 4 :] + ROLES[: turn % 4], strict=True))

        def strike(number: int) -> None:
            if number in victims:
                home.kill(victims.pop(number))

        end = play_and_note(home, token, match, strike, acknowledged)
        assert not victims, "the match was too short to kill everybody"
        check_log(home, end, acknowledged)
        check_rating(home, game)


def check_rating(home: House, game: str) -> None:
    """The result is counted, whoever died on the way, and once."""
    deadline = time.monotonic() + 20
    while not (items := home.call("GET", f"/api/leaderboard?game={game}").json["items"]):
        assert time.monotonic() < deadline, "the result was lost"
        time.sleep(0.1)
    assert [item["matches"] for item in items] == [1, 1]


def play_and_note(
    home: House, token: str, match: dict[str, Any], strike: Any, acknowledged: list[tuple[int, Any]]
) -> dict[str, Any]:
    """Like a careful client: every answer 200 is a promise that is checked at the end."""
    original = home.call

    def noting(method: str, path: str, body: Any = None, token: str = "", key: str = "") -> Any:
        answer = original(method, path, body, token, key)
        if path.endswith("/actions") and answer.status == 200:
            acknowledged.append((answer.json["seq"], body["action"]))
        return answer

    home.call = noting  # type: ignore[method-assign]
    return play(home, token, match, strike)


def check_log(home: House, end: dict[str, Any], acknowledged: list[tuple[int, Any]]) -> None:
    assert end["status"] == "finished"
    answer = home.call("GET", f"/api/matches/{end['id']}/log")
    _, lines = read(answer.body)
    verify(lines)  # the chain, every draw, every decision
    events = [json.loads(line) for line in lines]
    mine = [event["action"] for event in events if event["kind"] == "acted" and event["seat"] == 0]
    assert mine == [action for _, action in acknowledged]
    turns = [event["cmd"] for event in events if event["kind"] == "acted" and event["seat"] != 0]
    assert len(turns) == len(set(turns)), "a bot's turn was played twice"


def wait_until_gone(pids: list[int]) -> None:
    deadline = time.monotonic() + 15
    while left := [pid for pid in pids if Path(f"/proc/{pid}").exists()]:
        assert time.monotonic() < deadline, f"left behind: {left}"
        time.sleep(0.1)


def test_matches_survive_the_end_of_everything(tmp_path: Path) -> None:
    with house(tmp_path / "data") as home:
        token = home.guest("Anna")
        wanted = {"game": "tides-of-time", "seats": [{"kind": "me"}, {"kind": "open"}]}
        match = home.call("POST", "/api/matches", wanted, token).json
        roles = [home.role(name) for name in ("api", "relay", "worker", "store")]
        home.process.kill()  # the supervisor itself, and with it every role
        home.process.wait()
        wait_until_gone(roles)
    with house(tmp_path / "data") as home:
        again = home.call("GET", f"/api/matches/{match['id']}", token=token).json
        assert again["seal"] == match["seal"]
        assert again["you"] == 0
        assert home.stop() == 0


def test_bots_among_themselves_play_every_turn_once_whoever_dies(tmp_path: Path) -> None:
    """Matches are played on in slices: each death comes in the middle of several of them."""
    with house(tmp_path / "data") as home:
        token = home.guest("Anna", password="a good password")
        tables: list[str] = []
        for victim in ("bots", "relay", "queue", "store", "bots", "queue", "relay", "bots"):
            tables += [alone(home, token, game) for game in ("tides-of-time", "machi-koro") for _ in range(2)]
            until_played(home, tables, played(home, tables) + 40)
            home.kill(victim)
        until_played(home, tables, None)
        for ident in tables:
            _, lines = read(home.call("GET", f"/api/matches/{ident}/log").body)
            verify(lines)
            turns = [event["cmd"] for event in map(json.loads, lines) if event["kind"] == "acted"]
            assert len(turns) == len(set(turns)), "a turn was played twice"
            assert None not in turns


def alone(home: House, token: str, game: str) -> str:
    seats = [{"kind": "bot", "bot": "random"}] * 2
    made = home.call("POST", "/api/matches", {"game": game, "seats": seats}, token)
    assert made.status == 201, made.body
    return str(made.json["id"])


def played(home: House, tables: list[str]) -> int:
    found = [home.call("GET", f"/api/matches/{ident}?labels=0") for ident in tables]
    assert {answer.status for answer in found} == {200}, {answer.body for answer in found}
    return sum(answer.json["seq"] for answer in found)


def until_played(home: House, tables: list[str], events: int | None) -> None:
    """So many events, or all of them: nothing is stuck."""
    deadline = time.monotonic() + 180
    while not (
        all(home.call("GET", f"/api/matches/{ident}").json["status"] == "finished" for ident in tables)
        if events is None
        else played(home, tables) >= events
    ):
        assert time.monotonic() < deadline, "bots play no more"
        time.sleep(0.02)
