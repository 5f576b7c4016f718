"""A bot of the SDK answers every turn exactly once, whatever happens to its connection."""

from __future__ import annotations

import json
import re
import socket
import threading
from pathlib import Path

import pytest

from bots.sdk import Turn
from bots.sdk import runner as runner_module
from bots.sdk.client import Client, Refused, Reply, Unreachable
from bots.sdk.deliveries import run_poll, run_stream
from bots.sdk.runner import Runner
from tests.unit.bots.fake_service import LEGAL, TOKEN, service, turn

DELIVERIES = {"stream": run_stream, "poll": run_poll}


class Last:
    def __init__(self):
        self.asked = []
        self.told = []

    def choose(self, turn):
        self.asked.append(turn.key)
        return turn.legal[-1]

    def over(self, message):
        self.told.append(message)


def play(server, bot, delivery):
    """Run the bot until every turn is answered; the waits are short, so that a test is."""
    runner = Runner(bot, Client(server.url, TOKEN))
    runner._first_wait = 0.02
    thread = threading.Thread(target=DELIVERIES[delivery], args=(runner, 0.02))
    thread.start()
    try:
        assert server.wait_until_done()
    finally:
        runner.close()
        thread.join(20)
    assert not thread.is_alive()


def every(what, period, trouble):
    return lambda happens, number: trouble if happens == what and number % period == 1 else None


TROUBLES = {
    "none": lambda what, number: None,
    "the stream is cut": every("stream", 2, "cut"),
    "polls are cut": every("poll", 3, "cut"),
    "errors": every("post", 3, "error"),
    "answers are lost": every("post", 2, "lost"),
}


@pytest.mark.parametrize("trouble", TROUBLES)
@pytest.mark.parametrize("delivery", DELIVERIES)
def test_every_turn_is_answered_once(delivery, trouble):
    bot = Last()
    with service(6, TROUBLES[trouble]) as server:
        play(server, bot, delivery)
        assert [body["seq"] for body in server.answers.values()] == list(range(1, 7))
    assert len(bot.asked) == len(set(bot.asked)), "a repeat is not decided again"


def test_a_restarted_bot_goes_on():
    class Dies(Last):
        def choose(self, turn):
            if turn.seq == 3:
                raise SystemExit  # the process is gone before it answers
            return super().choose(turn)

    with service(5) as server:
        first = Runner(Dies(), Client(server.url, TOKEN))
        thread = threading.Thread(target=run_stream, args=(first, 0.02))
        thread.start()
        with server.changed:
            assert server.changed.wait_for(lambda: len(server.answers) == 2, 20)
        first.close()
        thread.join(20)
        play(server, Last(), "stream")
        assert len(server.answers) == 5


def test_a_failing_bot_does_not_hold_the_table_up(caplog):
    class Broken:
        def choose(self, turn):
            if turn.seq == 1:
                raise RuntimeError("oh")
            return {"type": "nonsense"}

    with service(2) as server:
        play(server, Broken(), "stream")
        assert [body["action"] for body in server.answers.values()] == [LEGAL[0], LEGAL[0]]
    assert "choose failed" in caplog.text
    assert "not a legal action" in caplog.text


@pytest.mark.parametrize("sent", [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n{"])
def test_a_client_that_is_closed_lets_go_of_an_answer_under_way(sent):
    """Before the answer has begun, and in the middle of it: the reader hears that nobody is there."""
    heard = []

    def read(client):
        try:
            client.get("/api/bot/turns?wait=25")
        except Unreachable as problem:
            heard.append(problem)

    with socket.create_server(("127.0.0.1", 0)) as server:
        client = Client(f"http://127.0.0.1:{server.getsockname()[1]}", TOKEN)
        thread = threading.Thread(target=read, args=(client,))
        thread.start()
        with server.accept()[0] as peer:
            peer.recv(4096)
            peer.sendall(sent)
            client.close()  # nothing more will ever come
            thread.join(20)
    assert not thread.is_alive()
    assert len(heard) == 1
    with pytest.raises(Unreachable, match="closed"):
        client.get("/api/bot/turns")


def test_a_wrong_token_ends_it():
    with service(1) as server:
        runner = Runner(Last(), Client(server.url, "wrong"))
        with pytest.raises(Refused):
            run_stream(runner)
        with pytest.raises(Refused):
            run_poll(runner)
        runner.close()


def test_other_messages_reach_the_bot():
    bot = Last()
    runner = Runner(bot, Client("http://127.0.0.1:1", TOKEN))
    assert runner.receive(b'{"kind":"over","match":"m1","result":{}}') is None
    assert runner.receive(b"no json") is None
    assert runner.receive(b'{"kind":"news from a later version"}') is None
    assert runner.receive(b'{"match":"m1","seat":0,"seq":1,"legal":[]}') is None
    runner.close()
    assert bot.told == [{"kind": "over", "match": "m1", "result": {}}]


def test_turns_fall_alike_and_ignore_new_fields():
    first, again = (Turn.from_json({**turn(4), "new": 1}) for _ in range(2))
    assert first == again
    assert first.random.random() == again.random.random()
    assert first.random.random() != Turn.from_json(turn(5)).random.random()


def test_only_the_bot_s_own_secret_foretells_its_turns():
    first, other = (Turn.from_json(turn(4), secret) for secret in ("mine", "yours"))
    assert first.random.random() != other.random.random()
    assert "mine" not in repr(first)
    runner = Runner(Last(), Client("http://127.0.0.1:1", TOKEN))
    assert runner.read(turn(4)).secret == TOKEN
    runner.close()


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (409, {"code": "stale_seq"}),
        (409, {"code": "away"}),
        (422, {"code": "illegal_action", "reason": "game_over"}),
    ],
)
def test_a_turn_that_is_settled_is_not_taken_up_again(status, body, caplog):
    runner = Runner(Last(), Client("http://127.0.0.1:1", TOKEN))
    runner._send = lambda turn, action: Reply(status, body)
    future = runner.take(turn(4))
    assert future.result(10) == body.get("reason", body["code"])
    assert runner.take(turn(4)) is None
    assert "was refused" not in caplog.text
    runner.close()


def test_the_example_in_another_language_knows_the_same_answers():
    text = (Path(runner_module.__file__).parent / "examples" / "bot.js").read_text(encoding="utf-8")
    listed = re.search(r"const SETTLED = (\[.*?\]);", text)
    assert tuple(json.loads(listed[1])) == runner_module.SETTLED


def test_a_bot_that_is_away_sits_down_again_when_it_has_time():
    bot, asked, thinking = Last(), [], threading.Event()
    runner = Runner(bot, Client("http://127.0.0.1:1", TOKEN))

    def post(path, body, headers):
        asked.append(path)
        return Reply(200, {})

    runner.client.post = post
    busy = runner._pool.submit(thinking.wait, 20)
    assert runner.take({"kind": "away", "match": "m1", "seat": 2, "seq": 7, "why": "timed_out"}) is None
    assert asked == [], "it thinks about another turn"
    thinking.set()
    busy.result(20)
    runner._pool.submit(int).result(20)
    assert asked == ["/api/matches/m1/seats/2"]
    runner.close()
