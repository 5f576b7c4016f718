"""A service of a few lines on loopback: hands turns out, takes answers, and misbehaves when told to."""

from __future__ import annotations

import json
import threading
from collections import Counter
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOKEN = "bot-token"
LEGAL = [{"type": "play", "card": card} for card in ("a", "b", "c")]


def turn(seq: int, match: str = "m1", seat: int = 0) -> dict:
    return {
        "match": match,
        "game": "tides-of-time",
        "version": 1,
        "seat": seat,
        "seq": seq,
        "deadline": None,
        "view": {"seat": seat},
        "legal": LEGAL,
        "since": [],
    }


class FakeService(ThreadingHTTPServer):
    """Turn n+1 opens when turn n is answered. `trouble` decides what goes wrong, request by request."""

    daemon_threads = True

    def __init__(self, turns: int, trouble=lambda what, number: None):
        super().__init__(("127.0.0.1", 0), Handler)
        self.last, self.trouble = turns, trouble
        self.changed = threading.Condition()
        self.answers: dict[str, dict] = {}  # by idempotency key
        self.posts: list[tuple[str, dict]] = []
        self.counts: Counter[str] = Counter()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def open_turns(self) -> list[dict]:
        seq = len(self.answers) + 1
        return [turn(seq)] if seq <= self.last else []

    def take(self, key: str, body: dict) -> tuple[int, dict]:
        with self.changed:
            self.posts.append((key, body))
            if key in self.answers:
                same = self.answers[key] == body
                return (200, {}) if same else (409, {"code": "command_reused"})
            if body["seq"] != len(self.answers) + 1:
                return 409, {"code": "stale_seq"}
            if body["action"] not in LEGAL:
                return 422, {"code": "illegal_action", "reason": "not_in_hand"}
            self.answers[key] = body
            self.changed.notify_all()
            return 200, {}

    def wait_until_done(self, seconds: float = 20) -> bool:
        with self.changed:
            return self.changed.wait_for(lambda: len(self.answers) >= self.last, seconds)

    def what_happens(self, what: str) -> str | None:
        with self.changed:
            self.counts[what] += 1
            return self.trouble(what, self.counts[what])


class Handler(BaseHTTPRequestHandler):
    server: FakeService
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        if self.headers.get("Authorization") != f"Bearer {TOKEN}":
            self.reply(401, {"code": "unauthenticated"})
        elif self.path == "/api/bot/stream":
            self.stream()
        else:
            self.poll()

    def stream(self):
        self.send_response(200)
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        sent = 0
        while True:
            with self.server.changed:
                done = len(self.server.answers)
                if done >= self.server.last:
                    break
                for one in self.server.open_turns() if sent != done + 1 else []:
                    line = json.dumps(one).encode() + b"\n"
                    self.wfile.write(line + b"\n" + line if one["seq"] % 2 else line)  # delivered twice
                    sent = one["seq"]
                self.server.changed.wait(0.2)
            if self.server.what_happens("stream") == "cut":
                return

    def poll(self):
        if self.server.what_happens("poll") == "cut":
            self.close_connection = True
            return
        self.reply(200, {"items": self.server.open_turns()})

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        trouble = self.server.what_happens("post")
        if trouble == "error":
            self.reply(503, {"code": "unavailable"})
            return
        status, answer = self.server.take(self.headers["Idempotency-Key"], body)
        if trouble == "lost":  # it was heard, but the bot does not learn of it
            self.close_connection = True
            return
        self.reply(status, answer)

    def reply(self, status: int, body: dict):
        raw = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def log_message(self, *args):
        pass


@contextmanager
def service(turns: int, trouble=lambda what, number: None):
    with FakeService(turns, trouble) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
