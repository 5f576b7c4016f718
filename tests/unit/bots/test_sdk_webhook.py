"""The webhook: signed calls in, answers out, at once or later."""

from __future__ import annotations

import base64
import json
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import pytest

from bots.sdk.client import Client
from bots.sdk.runner import Runner
from bots.sdk.webhook import BadSignature, WebhookServer, sign, verify
from tests.unit.bots.fake_service import LEGAL, TOKEN, service, turn

SECRET = "whsec_" + base64.b64encode(b"a secret of the bot").decode()


class Last:
    def __init__(self, seconds=0.0):
        self.seconds, self.asked = seconds, 0

    def choose(self, turn):
        self.asked += 1
        time.sleep(self.seconds)
        return turn.legal[-1]


@contextmanager
def webhook(bot, url="http://127.0.0.1:1", patience=5.0):
    runner = Runner(bot, Client(url, TOKEN))
    with WebhookServer(runner, SECRET, "127.0.0.1", 0, patience) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/"
        finally:
            server.shutdown()
            thread.join()
            runner.close()


def call(url, body, secret=SECRET, at=None):
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    stamp = str(int(time.time() if at is None else at))
    headers = {
        "webhook-id": "msg_1",
        "webhook-timestamp": stamp,
        "webhook-signature": sign(secret, "msg_1", stamp, raw),
    }
    try:
        with urllib.request.urlopen(urllib.request.Request(url, raw, headers), timeout=10) as reply:
            return reply.status, reply.read()
    except urllib.error.HTTPError as problem:
        with problem:
            return problem.code, problem.read()


def test_a_quick_answer_comes_back_and_repeats_are_not_decided_again():
    bot = Last()
    with webhook(bot) as url:
        for _ in range(2):
            status, body = call(url, turn(7))
            assert (status, json.loads(body)) == (200, {"seq": 7, "action": LEGAL[-1]})
    assert bot.asked == 1


def test_a_slow_answer_is_posted_later():
    with service(1) as server, webhook(Last(0.3), server.url, patience=0.05) as url:
        assert call(url, turn(1))[0] == 202
        assert server.wait_until_done()
        assert [body["action"] for body in server.answers.values()] == [LEGAL[-1]]


def test_calls_that_are_not_the_services():
    with webhook(Last()) as url:
        other = "whsec_" + base64.b64encode(b"another").decode()
        assert call(url, turn(1), secret=other)[0] == 401
        assert call(url, turn(1), at=time.time() - 3600)[0] == 401
        assert call(url, b"no json")[0] == 400
        assert call(url, {"kind": "over", "match": "m1", "result": {}})[0] == 204


def test_the_signature_is_the_standard_one():
    """The example of the Standard Webhooks specification."""
    secret, ident, stamp = (
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "1614265330",
    )
    body = b'{"test": 2432232314}'
    assert sign(secret, ident, stamp, body) == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    headers = {"webhook-id": ident, "webhook-timestamp": stamp}
    headers["webhook-signature"] = f"v1,other {sign(secret, ident, stamp, body)}"
    verify(secret, headers, body, now=1614265330 + 10)
    with pytest.raises(BadSignature):
        verify(secret, headers, body + b" ", now=1614265330)


def test_a_secret_must_be_one():
    with pytest.raises(ValueError, match="whsec_"):
        WebhookServer(Runner(Last(), Client("http://127.0.0.1:1", TOKEN)), "not base64!", "127.0.0.1", 0)


def test_it_stops_however_often_it_is_told(tmp_path):
    """As a supervisor does that tells the process, and then its whole group."""
    file = tmp_path / "idle.py"
    file.write_text("class Idle:\n    def choose(self, turn): ...\n")
    words = ["run", f"{file}:Idle", "--url", "http://127.0.0.1:9", "--token", "t", "--delivery", "webhook"]
    bot = subprocess.Popen(
        [sys.executable, "-m", "bots.sdk", *words, "--port", "0", "--secret", SECRET],
        cwd=Path(__file__).parents[3],
        stderr=subprocess.PIPE,
        text=True,
    )
    with bot:
        try:
            assert "listening" in bot.stderr.readline()
            for _ in range(20):
                bot.send_signal(signal.SIGTERM)
            assert bot.wait(10) in (0, -signal.SIGTERM)
        finally:
            bot.kill()
