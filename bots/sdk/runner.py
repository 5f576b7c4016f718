"""Turns in, answers out: each turn is decided once and answered until the service has heard it."""

import json
import logging
import threading
from collections import OrderedDict
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from bots.sdk.backoff import Backoff
from bots.sdk.client import Client, Refused, Reply, Unreachable
from bots.sdk.load import Bot
from bots.sdk.turn import Action, BadMessage, Turn

log = logging.getLogger("turnlog.bot")

REMEMBERED = 10_000  # turns whose repeats are recognised
CHOICES = 3  # how often a bot that fails is asked about a turn
POSTS = 8  # how often an answer is sent before the turn is left to be delivered again
SETTLED = (  # somebody or something was faster
    "stale_seq",
    "not_your_turn",
    "command_reused",
    "not_found",
    "away",
    "game_over",
)


class Runner:
    """Gives a bot its turns, several at a time if it has several threads."""

    def __init__(self, bot: Bot, client: Client, threads: int = 1, stop: threading.Event | None = None):
        self.bot, self.client = bot, client
        self.secret = client.token  # nobody else may foretell what `turn.random` gives
        self.stop = stop or threading.Event()
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="bot")
        self._lock = threading.Lock()
        self._known: OrderedDict[str, Future[Any]] = OrderedDict()
        self._first_wait = 0.5

    def close(self) -> None:
        """Stop now. An answer that is under way may be lost; the turn will be delivered again."""
        with self._lock:
            self.stop.set()
        self._pool.shutdown(wait=True, cancel_futures=True)
        self.client.close()

    def receive(self, line: bytes | str) -> Future[Any] | None:
        """A line of the stream."""
        try:
            message = json.loads(line)
        except ValueError:
            log.warning("not JSON: %.80r", line)
            return None
        return self.take(message)

    def take(self, message: Any) -> Future[Any] | None:
        """A turn to answer; None if it is none, or if it is known already."""
        turn = self.read(message)
        if turn is None:
            if isinstance(message, dict) and message.get("kind") == "away" and not self.stop.is_set():
                self._pool.submit(self.come_back, message)  # once there is time for it again
            return None
        future, new = self.once(turn, self.play)
        return future if new and not future.cancelled() else None

    def read(self, message: Any) -> Turn | None:
        """The turn in a message; other kinds go to the bot if it listens to them."""
        if not isinstance(message, dict):
            log.warning("not a message: %.80r", message)
            return None
        kind = message.get("kind", "turn")
        if kind != "turn":
            self._tell(str(kind), message)
            return None
        try:
            return Turn.from_json(message, self.secret)
        except BadMessage as problem:
            log.warning("%s", problem)
            return None

    def once(self, turn: Turn, work: Any) -> tuple[Future[Any], bool]:
        """Start work on a turn, or find it started before; says which."""
        with self._lock:
            known = self._known.get(turn.key)
            if known is not None:
                return known, False
            if self.stop.is_set():  # too late: whoever comes back will be sent it again
                return _cancelled(), True
            future = self._known[turn.key] = self._pool.submit(work, turn)
            while len(self._known) > REMEMBERED:
                self._known.popitem(last=False)
            return future, True

    def play(self, turn: Turn) -> str:
        """Decide and post; returns what became of it."""
        return self.post(turn, self.decide(turn))

    def decide(self, turn: Turn) -> Action:
        """The bot's choice. A bot that keeps failing plays the first legal action: others are waiting."""
        for _ in range(CHOICES):
            try:
                action = self.bot.choose(turn)
            except Exception:
                log.exception("choose failed in match %s at %d", turn.match, turn.seq)
                continue
            if action in turn.legal:
                return action
            log.error("not a legal action in match %s at %d: %r", turn.match, turn.seq, action)
        return turn.legal[0]

    def post(self, turn: Turn, action: Action) -> str:
        """Send an answer until it is heard: the key makes it harmless to send it twice."""
        backoff = Backoff(self.stop, first=self._first_wait)
        for _ in range(POSTS):
            try:
                return self._verdict(turn, self._send(turn, action))
            except Unreachable as problem:
                log.warning("match %s: %s", turn.match, problem)
                if self.stop.is_set():
                    break
                backoff.wait(problem.retry_after)
        self.forget(turn)
        return "unheard"

    def come_back(self, message: dict[str, Any]) -> str:
        """Take the seat back that a caretaker plays; if that goes unheard, the bot is told again."""
        try:
            path = f"/api/matches/{message['match']}/seats/{message['seat']}"
            reply = self.client.post(path, {}, {})
        except (KeyError, Unreachable, Refused) as problem:
            log.warning("match %s: %s", message.get("match"), problem)
            return "unheard"
        return "back" if reply.status == 200 else reply.code or "refused"

    def forget(self, turn: Turn) -> None:
        """Let the turn be taken anew when it is delivered again."""
        with self._lock:
            self._known.pop(turn.key, None)

    def _send(self, turn: Turn, action: Action) -> Reply:
        return self.client.post(
            f"/api/matches/{turn.match}/actions",
            {"seq": turn.seq, "action": action},
            {"Idempotency-Key": turn.key},
        )

    def _verdict(self, turn: Turn, reply: Reply) -> str:
        if reply.status == 200:
            return "played"
        settled = next((code for code in (reply.code, reply.reason) if code in SETTLED), None)
        if settled is not None:
            log.info("match %s at %d: %s", turn.match, turn.seq, settled)
            return settled
        log.error("match %s at %d was refused: %s %s", turn.match, turn.seq, reply.status, reply.body)
        self.forget(turn)
        return reply.code or "refused"

    def _tell(self, kind: str, message: dict[str, Any]) -> None:
        if kind not in ("seated", "away", "over"):
            return
        log.info(_news(kind, message))
        hook = getattr(self.bot, kind, None)
        if hook is None:
            return
        try:
            hook(message)
        except Exception:
            log.exception("%s failed", kind)


def _news(kind: str, message: dict[str, Any]) -> str:
    """A line for whoever watches the bot.

    >>> _news("over", {"match": "7Kq2", "result": {"scores": [31, 40]}})
    'match 7Kq2 is over: [31, 40]'
    """
    if kind == "seated":
        return f"seated in match {message.get('match')}, {message.get('game')}"
    if kind == "away":
        return f"away from match {message.get('match')}, a caretaker plays: {message.get('why')}"
    result = message.get("result") or {}
    return f"match {message.get('match')} is over: {result.get('scores', 'no result')}"


def _cancelled() -> Future[Any]:
    future: Future[Any] = Future()
    future.cancel()
    return future
