"""Whole matches of every game by an SDK bot, over each way of delivery, in a rough world.

Connections break in the middle of a message, requests arrive twice, the bot is killed and comes back, and for
a while there are two of it: every turn is answered exactly once, and the log proves it.
"""

import json
import time
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from engine import registry
from engine.proof.verify import read, verify
from service.time.history import history
from tests.house import House, free_port, house
from tests.rough import BotProcess, Wire

pytestmark = pytest.mark.fault
PLAYER = f"{Path(__file__).with_name('player.py')}:Player"
PATIENCE_S = 150.0


@pytest.mark.parametrize("kind", ["stream", "poll", "webhook"])
def test_every_turn_is_answered_once_whatever_breaks(kind: str, tmp_path: Path) -> None:
    with ExitStack() as stack:
        home = stack.enter_context(house(tmp_path / "data", TURNLOG_ALLOW_PRIVATE="1"))
        owner, port = home.guest("Anna"), free_port()
        up = stack.enter_context(closing(Wire(home.port, seed=1)))
        down = stack.enter_context(closing(Wire(port, seed=2)))
        made = register(home, owner, kind, down.url)
        bot = BotProcess(PLAYER, up.url, made, kind, tmp_path / "bot.log", port)
        stack.callback(bot.kill)
        matches = [seat(home, owner, key) for key in registry.GAMES]
        twin(stack, bot, up, made, kind, tmp_path)
        ends = follow(home, owner, matches, bot)
        for end in ends:
            check_log(home, end)
        wire = down if kind == "webhook" else up
        assert wire.cut > 2
        assert wire.repeated > 1
        check_health(home, owner)


def register(home: House, owner: str, kind: str, url: str) -> Any:
    delivery = {"kind": kind, "url": f"{url}/turns"} if kind == "webhook" else {"kind": kind}
    body = {"name": "player", "games": list(registry.GAMES), "delivery": delivery, "capacity": 4}
    answer = home.call("POST", "/api/bots", body, owner)
    assert answer.status == 201, answer.body
    return answer.json


def seat(home: House, owner: str, game: str) -> str:
    seats = [{"kind": "remote", "bot": "player"}, {"kind": "bot", "bot": "random"}]
    answer = home.call("POST", "/api/matches", {"game": game, "seats": seats}, owner)
    assert answer.status == 201, answer.body
    ident: str = answer.json["id"]
    return ident


def twin(stack: ExitStack, bot: BotProcess, up: Wire, made: Any, kind: str, folder: Path) -> None:
    """A second copy of the same bot: whoever listens is told twice. A webhook has one address only."""
    if kind != "webhook":
        stack.callback(BotProcess(PLAYER, up.url, made, kind, folder / "twin.log").kill)


def follow(home: House, owner: str, matches: list[str], bot: BotProcess) -> list[dict[str, Any]]:
    """Until all have ended; the bot is killed twice on the way, when it has played a part of its turns."""
    began, first = time.monotonic(), None
    strikes = [10, 60]  # events since the start, in all matches together
    while True:
        now = [home.call("GET", f"/api/matches/{ident}?legal=0", token=owner).json for ident in matches]
        if all(match["status"] == "finished" for match in now):
            assert not strikes, "the matches were over before the bot was ever killed"
            return now
        passed = time.monotonic() - began
        assert passed < PATIENCE_S, [(match["game"], match["seq"], match["to_act"]) for match in now]
        played = sum(match["seq"] for match in now)
        first = played if first is None else first
        if strikes and played - first > strikes[0]:
            strikes.pop(0)
            bot.again()
        time.sleep(0.02)


def check_log(home: House, end: dict[str, Any]) -> None:
    _, lines = read(home.call("GET", f"/api/matches/{end['id']}/log").body)
    verify(lines)
    events = [json.loads(line) for line in lines]
    mine = [event for event in events if event["kind"] == "acted" and event["seat"] == 0]
    by = {event["by"] for event in mine}
    assert len(by) == 1, by
    assert by.pop().startswith("account:"), "somebody else has played for the bot"
    turns = [turn for turn in history(lines).turns if turn.seat == 0]
    assert [event["cmd"] for event in mine] == [f"turn:{end['id']}:0:{turn.seq}" for turn in turns]
    assert [event["seq"] for event in mine] == [turn.until for turn in turns]


def check_health(home: House, owner: str) -> None:
    health = home.call("GET", "/api/bots/player", token=owner).json["health"]
    assert health["answered"] > 100
    assert health["open_turns"] == 0
    assert 0 < health["median_answer"] < 30
