"""The third way: the service calls the bot, signed after the Standard Webhooks scheme."""

import base64
import binascii
import hashlib
import hmac
import json
import logging
import time
from collections.abc import Mapping
from concurrent.futures import CancelledError, Future
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from bots.sdk.runner import Runner
from bots.sdk.turn import Action, Turn

log = logging.getLogger("turnlog.bot")

LARGEST = 4 * 2**20  # bytes of a turn
OLDEST = 300  # seconds that a signature may be old, or ahead of this clock
PATIENCE = 5.0  # seconds after which the answer is posted later instead


class BadSignature(Exception):
    """The caller does not know the secret, or sends an old message again."""


def verify(secret: str, headers: "Mapping[str, str] | Message", body: bytes, now: float) -> None:
    """Raises BadSignature unless one of the signatures is valid and the message is fresh."""
    ident, stamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not ident or not stamp.isascii() or not stamp.isdigit():
        raise BadSignature("webhook-id or webhook-timestamp is missing")
    if abs(now - int(stamp)) > OLDEST:
        raise BadSignature("too old, or this machine's clock is wrong")
    expected = sign(secret, ident, stamp, body)
    given = headers.get("webhook-signature", "").split()
    # Several signatures mean that a secret is being replaced: any of them will do.
    if not any(hmac.compare_digest(expected.encode(), one.encode()) for one in given):
        raise BadSignature("no signature matches")


def sign(secret: str, ident: str, stamp: str, body: bytes) -> str:
    """`v1,` and the HMAC over id, timestamp and body."""
    digest = hmac.digest(_key(secret), f"{ident}.{stamp}.".encode() + body, hashlib.sha256)
    return "v1," + base64.b64encode(digest).decode()


def _key(secret: str) -> bytes:
    try:
        return base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except binascii.Error:
        raise ValueError("a webhook secret is whsec_ and base64") from None


class WebhookServer(ThreadingHTTPServer):
    """Listens for turns. A quick answer goes back in the response, a slow one is posted later."""

    daemon_threads = True

    def __init__(self, runner: Runner, secret: str, host: str, port: int, patience: float = PATIENCE) -> None:
        _key(secret)  # a bad secret should fail here, not at the first call
        super().__init__((host, port), _Handler)
        self.runner, self.secret, self.patience = runner, secret, patience
        runner.secret = runner.secret or secret

    def answer(self, message: Any) -> tuple[int, dict[str, Any] | None]:
        """Status and body for a message whose signature is valid."""
        turn = self.runner.read(message)
        if turn is None:
            return 204, None
        future, _ = self.runner.once(turn, self.runner.decide)
        try:
            return 200, {"seq": turn.seq, "action": future.result(self.patience)}
        except CancelledError:  # stopping: the call will be repeated
            return 503, None
        except TimeoutError:
            self._post_later(turn, future)
            return 202, None

    def _post_later(self, turn: Turn, future: Future[Action]) -> None:
        def post(done: Future[Action]) -> None:
            if not done.cancelled():
                self.runner.post(turn, done.result())

        future.add_done_callback(post)


class _Handler(BaseHTTPRequestHandler):
    server: WebhookServer
    protocol_version = "HTTP/1.1"
    timeout = 30

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        if not length.isdigit() or int(length) > LARGEST:
            self.close_connection = True
            self._reply(413, None)
            return
        body = self.rfile.read(int(length))
        try:
            verify(self.server.secret, self.headers, body, time.time())
            self._reply(*self.server.answer(json.loads(body)))
        except BadSignature as problem:
            log.warning("refused a call: %s", problem)
            self._reply(401, {"code": "bad_signature"})
        except ValueError:
            self._reply(400, {"code": "bad_request"})

    def _reply(self, status: int, body: dict[str, Any] | None) -> None:
        raw = b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        if status != 204:
            self.send_header("Content-Length", str(len(raw)))
            self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(raw)

    def log_message(self, format: str, *args: Any) -> None:
        log.debug(format, *args)
